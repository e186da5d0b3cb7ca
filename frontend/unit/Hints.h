// Hints for errors about CUDA's and HIP's names
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

/// The text of a note behind an error about an undeclared name of CUDA or HIP;
/// empty for other errors.
std::string hintFor(const clang::Diagnostic &error);

/// "CUDA" or "HIP" if Clang compiles the file in that language with its own
/// passes, where kernels of xcc cannot work; else empty. From the options of a
/// pass, or from the argument of -x.
llvm::StringRef foreignLanguage(const clang::LangOptions &lang);
llvm::StringRef foreignLanguage(llvm::StringRef input);

/// What to write instead; follows words that name the file.
inline constexpr const char InsteadOfLanguage[] =
    "with '-x c++' before its name it is C++, and <xcc/cuda.h> and "
    "<xcc/hip.h> have the words";

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HINTS_H
