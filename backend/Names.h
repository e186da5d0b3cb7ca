// Names that the stages of the compiler share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_NAMES_H
#define XCC_BACKEND_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace xcc {

/// What stands for a function of the host in device code has this before the
/// function's own symbol (-foffload-host-calls).
inline constexpr llvm::StringLiteral GeneratedPrefix = "__xcc_generated.";

} // namespace xcc

#endif // XCC_BACKEND_NAMES_H
