// CUDA's word __noinline__
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other words are macros of <xcc/cuda.h>. This one cannot be a macro: the
// standard library writes __attribute__((__noinline__)). Clang has it as a keyword
// in files that it compiles as CUDA, and ours are C++.

#ifndef XCC_FRONTEND_CUDA_KEYWORDS_H
#define XCC_FRONTEND_CUDA_KEYWORDS_H

namespace clang {
class CompilerInstance;
} // namespace clang

namespace xcc {

void addKeywords(clang::CompilerInstance &ci);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_KEYWORDS_H
