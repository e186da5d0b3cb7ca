// A pending exception, as functions return it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pending.h"

using namespace llvm;

namespace xcc::exceptions {

SmallVector<Type *, 2> PendingWords::types() const {
  if (hasTwo)
    return {Type::getInt32Ty(context), Type::getInt32Ty(context)};
  return {PointerType::getUnqual(context)};
}

StructType *PendingWords::returnType(Type *result) const {
  SmallVector<Type *, 3> fields;
  if (!result->isVoidTy())
    fields.push_back(result);
  fields.append(types());
  return StructType::get(context, fields);
}

Pending PendingWords::none() const {
  Pending words;
  for (Type *type : types())
    words.push_back(words.empty()
                        ? Constant::getNullValue(type)
                        : static_cast<Constant *>(PoisonValue::get(type)));
  return words;
}

Pending PendingWords::of(IRBuilderBase &builder, Value *exception) const {
  if (!hasTwo)
    return {exception};
  Value *address = builder.CreateOr(
      builder.CreatePtrToInt(exception, builder.getInt64Ty()), 1);
  return {builder.CreateTrunc(address, builder.getInt32Ty()),
          builder.CreateTrunc(builder.CreateLShr(address, 32),
                              builder.getInt32Ty())};
}

Value *PendingWords::exceptionOf(IRBuilderBase &builder,
                                 ArrayRef<Value *> pending) const {
  if (!hasTwo)
    return pending[0];
  Type *i64 = builder.getInt64Ty();
  Value *lower =
      builder.CreateZExt(builder.CreateAnd(pending[0], ~1u), i64, "lower");
  Value *upper = builder.CreateShl(builder.CreateZExt(pending[1], i64), 32);
  return builder.CreateIntToPtr(builder.CreateOr(upper, lower),
                                builder.getPtrTy(), "exception");
}

Value *PendingWords::isSome(IRBuilderBase &builder,
                            ArrayRef<Value *> pending) const {
  return builder.CreateIsNotNull(pending[0], "thrown");
}

Value *PendingWords::join(IRBuilderBase &builder, StructType *type,
                          Value *result, ArrayRef<Value *> pending) const {
  Value *all = PoisonValue::get(type);
  unsigned field = 0;
  if (result)
    all = builder.CreateInsertValue(all, result, field++);
  for (Value *word : pending)
    all = builder.CreateInsertValue(all, word, field++);
  return all;
}

Pending PendingWords::pendingOf(IRBuilderBase &builder, Value *returned) const {
  const unsigned words = types().size();
  const unsigned first =
      cast<StructType>(returned->getType())->getNumElements() - words;
  Pending pending;
  for (unsigned i = 0; i != words; ++i)
    pending.push_back(builder.CreateExtractValue(returned, first + i));
  return pending;
}

} // namespace xcc::exceptions
