// The headers of CUDA's toolkit beside ours
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both declare float4, dim3 and hundreds of functions. A file that includes both
// has one error, at the first header of the toolkit that our headers exclude.

#ifndef XCC_FRONTEND_CUDA_TOOLKITHEADERS_H
#define XCC_FRONTEND_CUDA_TOOLKITHEADERS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace xcc {

/// What a header of a toolkit is included as, <cooperative_groups/reduce.h> say;
/// empty of other files. A toolkit's folder has crt/host_defines.h.
std::string toolkitName(llvm::StringRef path, llvm::vfs::FileSystem &files);

/// Reports such a header that is read beside <xcc/cuda.h> or <xcc/hip.h>. For
/// files that are read as they are: rewrittenFiles() has ours in their place.
void watchToolkit(clang::CompilerInstance &ci);

/// Takes `#pragma nv_diag_suppress` and the like in files for CUDA's compilers, which
/// are warnings elsewhere.
void takePragmas(clang::CompilerInstance &ci);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_TOOLKITHEADERS_H
