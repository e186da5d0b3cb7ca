// Device code within the host's bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_IROBJECT_H
#define XCC_BACKEND_LINK_IROBJECT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>
#include <vector>

namespace xcc {

struct IRContents {
  /// What the sections of device code will hold.
  std::vector<std::string> sections;
  bool hasKernels = false; ///< descriptors of kernels are defined
};

/// What a bitcode file (-flto, -emit-llvm) will have of ours once code is
/// generated for it. Nothing vouches for such a file, and LLVM's reader trusts
/// what it reads: that happens in a child process, whose end is an error here.
llvm::Expected<IRContents> readIRObject(llvm::MemoryBufferRef bitcode);

/// Whether LLVM can read the bitcode and finds it right: tried in a child
/// process, before this one or a linker's plugin relies on it.
llvm::Error checkBitcode(llvm::MemoryBufferRef bitcode);

} // namespace xcc

#endif // XCC_BACKEND_LINK_IROBJECT_H
