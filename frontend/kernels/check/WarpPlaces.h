// Elements of a block's memory that the thread's index selects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_KERNELS_CHECK_WARPPLACES_H
#define XCC_FRONTEND_KERNELS_CHECK_WARPPLACES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace xcc {

/// memory[thread + offset + others], where the thread is threadIdx.x or a variable
/// that holds it, and the others are the same whenever they are computed.
struct WarpPlace {
  const clang::VarDecl *memory = nullptr;
  const clang::Decl *thread = nullptr;
  int64_t offset = 0;
  const clang::VarDecl *step = nullptr; ///< the variable of a loop, added once
  llvm::SmallVector<unsigned, 4> others = {}; ///< hashes, sorted

  /// Whether the other one is in the same memory, at a distance that is known.
  bool isBeside(const WarpPlace &other) const {
    return memory == other.memory && thread == other.thread &&
           others == other.others;
  }
};

/// Finds such places in a function.
class WarpPlaces {
public:
  WarpPlaces(clang::ASTContext &context, const clang::FunctionDecl *function);

  /// `step` is the variable of the loop around, or null.
  std::optional<WarpPlace> find(const clang::Expr *expr,
                                const clang::VarDecl *step) const;
  /// Adds up `thread + constants + others`.
  bool addUp(const clang::Expr *expr, int64_t sign, WarpPlace &into) const;
  std::optional<int64_t> constant(const clang::Expr *expr) const;
  /// Whether an expression names neither the thread's index nor a variable.
  bool isSameForAll(const clang::Expr *expr) const;

private:
  clang::ASTContext &context;
  llvm::SmallPtrSet<const clang::ValueDecl *, 16> changed;

  bool isThread(const clang::Expr *expr) const;
  bool isKnownThread(const clang::VarDecl *variable) const;
  bool isUnchanged(const clang::Expr *expr) const;
  const clang::VarDecl *memoryOf(const clang::Expr *base,
                                 WarpPlace &into) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_WARPPLACES_H
