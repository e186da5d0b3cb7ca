// What to write instead of CUDA's and HIP's words
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_HINTS_H
#define XCC_FRONTEND_UNIT_HINTS_H

#include <string>

namespace clang {
class Diagnostic;
}

namespace xcc {

/// What a note behind an error says, where the error is of a word of CUDA's or
/// HIP's that nothing declares; empty for all else.
std::string hintFor(const clang::Diagnostic &error);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HINTS_H
