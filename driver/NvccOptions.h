// The options of CUDA's compiler as ours
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA program's build files have options that Clang does not have. With
// -foffload-cuda, xcc takes them: as its own, or as nothing where they are about
// one vendor's assembler or are always so here.

#ifndef XCC_DRIVER_NVCCOPTIONS_H
#define XCC_DRIVER_NVCCOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace xcc {

/// Whether the last of -foffload-cuda and -fno-offload-cuda is the first.
bool asksForCuda(llvm::ArrayRef<const char *> args);

/// The command line without options that only nvcc has. An error names one whose
/// result xcc cannot make.
llvm::Expected<std::vector<std::string>>
translateNvccOptions(llvm::ArrayRef<const char *> args);

} // namespace xcc

#endif // XCC_DRIVER_NVCCOPTIONS_H
