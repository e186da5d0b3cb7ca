// Translates options of CUDA's compiler
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build files of CUDA programs use options that Clang does not have. With
// -foffload-cuda, xcc translates them to its own. It ignores options for a
// vendor's assembler, and those that xcc always behaves as.

#ifndef XCC_DRIVER_NVCCOPTIONS_H
#define XCC_DRIVER_NVCCOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace xcc {

/// Whether -foffload-cuda is given and no later -fno-offload-cuda.
bool requestsCuda(llvm::ArrayRef<const char *> args);

/// Replaces or removes the options that only nvcc has. An error names an option
/// whose output xcc cannot make.
llvm::Expected<std::vector<std::string>>
translateNvccOptions(llvm::ArrayRef<const char *> args);

} // namespace xcc

#endif // XCC_DRIVER_NVCCOPTIONS_H
