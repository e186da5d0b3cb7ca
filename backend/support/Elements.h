// Computing vectors element by element
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_SUPPORT_ELEMENTS_H
#define XCC_BACKEND_SUPPORT_ELEMENTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace xcc {

/// Calls \p compute with \p operands; if \p type is a vector, once with those of
/// each element. Returns a value of that type.
inline llvm::Value *computeElements(
    llvm::IRBuilderBase &builder, llvm::Type *type,
    llvm::ArrayRef<llvm::Value *> operands,
    llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> compute) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    return compute(operands);
  llvm::Value *all = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i != vector->getNumElements(); ++i) {
    llvm::SmallVector<llvm::Value *, 2> elements;
    for (llvm::Value *operand : operands)
      elements.push_back(builder.CreateExtractElement(operand, i));
    all = builder.CreateInsertElement(all, compute(elements), i);
  }
  return all;
}

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_ELEMENTS_H
