// Files of CUDA programs as the passes read them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_CUDA_REWRITTENFILES_H
#define XCC_FRONTEND_CUDA_REWRITTENFILES_H

#include "llvm/Support/VirtualFileSystem.h"

namespace xcc {

/// The real files, with CUDA's launches rewritten (LaunchRewriter.h) in all that
/// is not below /usr.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> rewrittenFiles();

/// Those, or the real files alone.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> sourceFiles(bool cuda);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_REWRITTENFILES_H
