// What to write instead of CUDA's and HIP's words
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_HINTS_H
#define XCC_FRONTEND_UNIT_HINTS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class Diagnostic;
class LangOptions;
} // namespace clang

namespace xcc {

/// What a note behind an error says, where the error is of a word of CUDA's or
/// HIP's that nothing declares; empty for all else.
std::string hintFor(const clang::Diagnostic &error);

/// CUDA or HIP, where a file is compiled as that by passes of Clang's own, in
/// which kernels of ours make no sense; else empty. By a pass, or by what -x
/// calls it.
llvm::StringRef foreignLanguage(const clang::LangOptions &lang);
llvm::StringRef foreignLanguage(llvm::StringRef input);

/// What to do instead, behind the words that name the file.
inline constexpr const char InsteadOfLanguage[] =
    "with '-x c++' before its name it is C++, and <xcc/cuda.h> and "
    "<xcc/hip.h> have the words";

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HINTS_H
