// Values and addresses that a few threads of a block compute
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the check of exchanges through shared memory (Exchanges.h): numbers of the
// threads (0, 0), (1, 0), (0, 1) and (1, 1) of a block, in x and y. A number is a
// known one for each thread, plus terms that are the same for all of them.

#ifndef XCC_FRONTEND_KERNELS_CHECK_THREADVALUES_H
#define XCC_FRONTEND_KERNELS_CHECK_THREADVALUES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace xcc {

struct ThreadValue {
  static constexpr unsigned Threads = 4;
  std::array<int64_t, Threads> known = {};
  llvm::SmallVector<unsigned, 2> common = {}; ///< hashes of terms, sorted
};
/// In bytes from the start of a variable in shared memory.
struct ThreadAddress {
  const clang::VarDecl *memory = nullptr;
  ThreadValue offset;
};

class ThreadValues {
public:
  ThreadValues(clang::ASTContext &context, const clang::FunctionDecl *function);

  /// Whether the function names memory of the block.
  bool namesShared() const { return shared; }
  std::optional<ThreadValue> value(const clang::Expr *expr) const;
  /// Of a pointer or an array.
  std::optional<ThreadAddress> pointer(const clang::Expr *expr) const;
  /// Of an element `p[i]` or `*p`.
  std::optional<ThreadAddress> element(const clang::Expr *expr) const;
  /// Gives the variable of a loop its value in one iteration.
  void bind(const clang::VarDecl *variable, std::optional<int64_t> value);

private:
  clang::ASTContext &context;
  llvm::SmallPtrSet<const clang::ValueDecl *, 16> changed;
  llvm::DenseMap<const clang::VarDecl *, int64_t> bound;
  bool shared = false;

  const clang::Expr *initialOf(const clang::VarDecl *variable) const;
  bool isCommon(const clang::Expr *expr) const;
  std::optional<ThreadValue> term(const clang::Expr *expr) const;
  std::optional<ThreadAddress> moved(const clang::Expr *base,
                                     const clang::Expr *by, int sign,
                                     clang::QualType element) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_THREADVALUES_H
