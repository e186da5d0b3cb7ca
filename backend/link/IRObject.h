// Reads device code within host bitcode
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
  /// The contents of the object's future sections for device code.
  std::vector<std::string> sections;
  bool hasKernels = false; ///< it defines descriptors of kernels
};

/// Reads what the object of a bitcode file (-flto, -emit-llvm) will contain for
/// devices. LLVM's reader does not check its input, and the file may be
/// damaged. So a child process reads it, and a crash there is an error here.
llvm::Expected<IRContents> readIRObject(llvm::MemoryBufferRef bitcode);

/// Checks in a child process that LLVM can read the bitcode and that it is
/// valid, before this process or a linker's plugin uses it.
llvm::Error checkBitcode(llvm::MemoryBufferRef bitcode);

} // namespace xcc

#endif // XCC_BACKEND_LINK_IROBJECT_H
