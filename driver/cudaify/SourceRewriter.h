// Rewrites a CUDA source for xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_CUDAIFY_SOURCEREWRITER_H
#define XCC_DRIVER_CUDAIFY_SOURCEREWRITER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xcc {

/// A place that a person has to look at.
struct Remark {
  unsigned line;
  std::string text;
};

struct RewrittenSource {
  std::string text;
  std::vector<Remark> remarks;
};

/// Rewrites launches as calls, and replaces CUDA's headers by xcc's. Returns a
/// source that needs no change unchanged.
RewrittenSource rewriteSource(llvm::StringRef source);

} // namespace xcc

#endif // XCC_DRIVER_CUDAIFY_SOURCEREWRITER_H
