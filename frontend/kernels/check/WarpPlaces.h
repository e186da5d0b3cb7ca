// Elements of shared memory that a thread's index selects
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

/// memory[thread + offset + others]: `thread` is threadIdx.x or a variable that
/// holds it, and `others` have the same values wherever they are computed.
struct WarpPlace {
  const clang::VarDecl *memory = nullptr;
  const clang::Decl *thread = nullptr;
  int64_t offset = 0;
  const clang::VarDecl *step = nullptr; ///< the variable of a loop, added once
  llvm::SmallVector<unsigned, 4> others = {}; ///< hashes, sorted

  /// Whether both are in the same memory, at a known distance.
  bool isBeside(const WarpPlace &other) const {
    return memory == other.memory && thread == other.thread &&
           others == other.others;
  }
};

/// A member of threadIdx, blockIdx and the like of <xcc/cuda.h>, and whether it
/// is threadIdx's.
struct ThreadIndex {
  const clang::NamedDecl *member = nullptr;
  bool ofThread = false, isX = false;
};
ThreadIndex threadIndexOf(const clang::Expr *expr);

/// Adds the variables that a statement may change after their initialisation.
void addChanges(clang::Stmt *stmt,
                llvm::SmallPtrSetImpl<const clang::ValueDecl *> &changed);

/// Finds such elements in a function.
class WarpPlaces {
public:
  WarpPlaces(clang::ASTContext &context, const clang::FunctionDecl *function);

  /// `step` is the variable of the enclosing loop, or null.
  std::optional<WarpPlace> find(const clang::Expr *expr,
                                const clang::VarDecl *step) const;
  /// Adds the terms of `thread + constants + others` to `into`. Returns false
  /// if the expression has another form.
  bool addUp(const clang::Expr *expr, int64_t sign, WarpPlace &into) const;
  std::optional<int64_t> constant(const clang::Expr *expr) const;
  /// Whether an expression has the same value for all threads: it contains no
  /// thread index, no local variable and no call.
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
