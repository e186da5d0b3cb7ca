// The text of an asm statement
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_CUDA_ASSEMBLYTEXT_H
#define XCC_FRONTEND_CUDA_ASSEMBLYTEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace xcc {

/// What to write for `("..." : outputs : inputs : clobbers)`, if it is PTX that
/// is known. It has as many lines, joined by backslashes where these were.
std::optional<std::string> translateAssembly(llvm::StringRef parentheses);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_ASSEMBLYTEXT_H
