// A pending exception, as functions return it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that may throw returns, behind its result, the address of the
// exception that it has thrown, or null. GPUs have 32-bit registers and compare
// those. There the address has bit 0 set and is returned as two words, so that
// the lower word alone says whether an exception is pending.

#ifndef XCC_BACKEND_EXCEPTIONS_PENDING_H
#define XCC_BACKEND_EXCEPTIONS_PENDING_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace xcc::exceptions {

/// One word, or the lower and the upper one. If nothing is pending, the first
/// is 0 and the second has no meaning.
using Pending = llvm::SmallVector<llvm::Value *, 2>;

class PendingWords {
public:
  PendingWords(llvm::LLVMContext &context, bool hasTwo)
      : context(context), hasTwo(hasTwo) {}

  llvm::SmallVector<llvm::Type *, 2> types() const;
  /// What a function returns instead of `result`.
  llvm::StructType *returnType(llvm::Type *result) const;

  Pending none() const;
  Pending of(llvm::IRBuilderBase &builder, llvm::Value *exception) const;
  llvm::Value *exceptionOf(llvm::IRBuilderBase &builder,
                           llvm::ArrayRef<llvm::Value *> pending) const;
  llvm::Value *isSome(llvm::IRBuilderBase &builder,
                      llvm::ArrayRef<llvm::Value *> pending) const;

  /// A value of `returnType`, its result null if that is void.
  llvm::Value *join(llvm::IRBuilderBase &builder, llvm::StructType *type,
                    llvm::Value *result,
                    llvm::ArrayRef<llvm::Value *> pending) const;
  Pending pendingOf(llvm::IRBuilderBase &builder, llvm::Value *returned) const;

private:
  llvm::LLVMContext &context;
  const bool hasTwo;
};

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_PENDING_H
