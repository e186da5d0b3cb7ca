// CUDA's launches as calls, in a source's text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `kernel<<<grid, block>>>(arguments)` becomes
// `(::xcc::cuda::configure(grid, block), kernel(arguments))`. Launches are found
// among the tokens of Clang's lexer, so those in comments and strings stay, and
// those in macros are found. Every line stays on its line.

#ifndef XCC_FRONTEND_CUDA_LAUNCHREWRITER_H
#define XCC_FRONTEND_CUDA_LAUNCHREWRITER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xcc {

/// A launch that was not rewritten.
struct UnknownLaunch {
  unsigned line;
  std::string why;
};

struct RewrittenLaunches {
  std::string text;
  unsigned rewritten = 0;
  std::vector<UnknownLaunch> unknown;
  /// Lines of inline assembly that was not translated.
  std::vector<unsigned> assembly;
};

RewrittenLaunches rewriteLaunches(llvm::StringRef source);

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_LAUNCHREWRITER_H
