// Values and addresses that a few threads of a block compute
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the check of exchanges through shared memory (Exchanges.h): numbers of the
// first 64 threads of a block in a function that uses x alone, else of the threads
// (0, 0), (1, 0), (0, 1) and (1, 1). A number is a known one for each thread, plus
// terms that are the same for all of them.

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
  static constexpr unsigned Threads = 64;
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
  /// Gives a loop's variable its value in one iteration, or a parameter its
  /// argument. With std::nullopt it has none any more.
  void bind(const clang::VarDecl *variable, std::optional<ThreadValue> value);
  void bindPointer(const clang::VarDecl *variable,
                   std::optional<ThreadAddress> address);
  /// Adds a function that is called: what it changes is not known.
  void addCallee(const clang::FunctionDecl *function);
  /// Whether a variable may have several values in its life.
  bool isChanged(const clang::ValueDecl *variable) const {
    return changed.contains(variable);
  }
  /// The variables in shared memory to which an expression may lead.
  void
  addMemories(const clang::Stmt *stmt,
              llvm::SmallPtrSetImpl<const clang::VarDecl *> &memories) const;
  unsigned threads() const { return flat ? ThreadValue::Threads : 4; }

private:
  clang::ASTContext &context;
  llvm::SmallPtrSet<const clang::ValueDecl *, 16> changed;
  llvm::DenseMap<const clang::VarDecl *, ThreadValue> bound;
  llvm::DenseMap<const clang::VarDecl *, ThreadAddress> boundPointers;
  bool shared = false, flat = false;

  int64_t x(unsigned thread) const { return flat ? thread : thread % 2; }
  int64_t y(unsigned thread) const { return flat ? 0 : thread / 2 % 2; }

  const clang::Expr *initialOf(const clang::VarDecl *variable) const;
  bool isCommon(const clang::Expr *expr) const;
  std::optional<ThreadValue> term(const clang::Expr *expr) const;
  std::optional<ThreadValue> index(const clang::Expr *expr) const;
  std::optional<ThreadValue> binary(const clang::BinaryOperator *op) const;
  std::optional<ThreadValue> unary(const clang::UnaryOperator *op) const;
  std::optional<ThreadAddress> moved(const clang::Expr *base,
                                     const clang::Expr *by, int sign,
                                     clang::QualType element) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_CHECK_THREADVALUES_H
