// CUDA's words in a file
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most are macros of <xcc/cuda.h>. __noinline__ cannot be a macro: the
// standard library writes __attribute__((__noinline__)). Clang has it as a keyword
// in files that it compiles as CUDA, and ours are C++.

#ifndef XCC_FRONTEND_CUDA_KEYWORDS_H
#define XCC_FRONTEND_CUDA_KEYWORDS_H

namespace clang {
class CompilerInstance;
class Preprocessor;
} // namespace clang

namespace xcc {

void addKeywords(clang::CompilerInstance &ci);

/// Whether a file has the macros of <xcc/cuda.h>.
bool hasWords(clang::Preprocessor &pp);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_KEYWORDS_H
