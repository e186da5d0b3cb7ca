// Threads that exchange values through shared memory without a barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WarpSteps.h finds `s[t]` and `s[t + 16]`. This check finds other forms, such as
// a pass over the rows of a tile behind one over its columns:
//
//   float *column = &tile[0][x], *row = &tile[x][0];
//   for (int i = 0; i < 8; ++i) column[i * 8] = from[i];
//   for (int i = 0; i < 8; ++i) sum += row[i];
//
// It computes the addresses of some threads (ThreadValues.h), takes loops of known
// bounds iteration by iteration, and follows calls of functions.

#ifndef XCC_FRONTEND_KERNELS_CHECK_EXCHANGES_H
#define XCC_FRONTEND_KERNELS_CHECK_EXCHANGES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace xcc {

struct Exchange {
  const clang::VarDecl *memory;
  clang::SourceLocation read, written;
};

/// The first element that a thread reads, another one has written, and the
/// reader has not, with no call between.
std::optional<Exchange> findExchange(clang::ASTContext &context,
                                     const clang::FunctionDecl *function);

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_EXCHANGES_H
