// Loads and stores of host code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "access.h"

#include <cstddef>

namespace simulator {

using llvm::BasicBlock;
using llvm::Value;
using Op = LaneOperation;

static unsigned bytesOf(Op::Type t) {
  switch (t) {
  case Op::U8:
  case Op::S8:
    return 1;
  case Op::U16:
  case Op::S16:
    return 2;
  case Op::U32:
  case Op::S32:
  case Op::F32:
    return 4;
  default:
    return 8;
  }
}

Access::Access(llvm::IRBuilder<> &b, Registers &r, Value *state, Value *lanes,
               const LaneOperation &o)
    : b(b), r(r), state(state), lanes(lanes), o(o), bytes(bytesOf(o.type)),
      element(b.getIntNTy(8 * bytes)) {}

BasicBlock *Access::block(const char *name) {
  return BasicBlock::Create(b.getContext(), name,
                            b.GetInsertBlock()->getParent());
}
Value *Access::field(Value *of, size_t offset) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), of, offset);
}
Value *Access::word(Value *of, size_t offset) {
  return b.CreateLoad(b.getInt64Ty(), field(of, offset));
}

Value *Access::all(Value *is) {
  Value *mask = b.CreateBitCast(is, b.getInt32Ty());
  return b.CreateICmpEQ(b.CreateAnd(mask, lanes), lanes);
}

/// Of one address or of a vector of them.
Value *Access::fits(Value *address) {
  const bool many = address->getType()->isVectorTy();
  Value *offset = b.CreateSub(address, many ? splat(begin) : begin);
  Value *within = b.CreateICmpULE(offset, many ? splat(last) : last);
  Value *low = b.CreateAnd(
      address, llvm::ConstantInt::get(address->getType(), bytes - 1));
  return b.CreateAnd(within, b.CreateIsNull(low));
}

void Access::findAddresses() {
  llvm::Type *type = llvm::FixedVectorType::get(b.getInt64Ty(), Lanes);
  Value *a = o.a.is == LaneOperand::Constant
                 ? llvm::ConstantInt::get(type, o.a.bits)
                 : r.read(o.a.reg);
  addresses = b.CreateAdd(a, llvm::ConstantInt::get(type, o.offset));
  // That of lane 0, which need not be active: then most likely nothing is the
  // same as it or its neighbour.
  first = b.CreateExtractElement(addresses, b.getInt64(0));
  distances = b.CreateSub(addresses, splat(first));
  begin = word(window, offsetof(LaneWindow, begin));
  last =
      b.CreateSub(word(window, offsetof(LaneWindow, size)), b.getInt64(bytes));
  shift = word(window, offsetof(LaneWindow, shift));
}

Value *Access::stored() {
  llvm::Type *type = llvm::FixedVectorType::get(element, Lanes);
  if (o.b.is == LaneOperand::Constant)
    return llvm::ConstantInt::get(
        type,
        bytes == 8 ? o.b.bits : o.b.bits & ((uint64_t(1) << 8 * bytes) - 1));
  Value *v = r.read(o.b.reg);
  if (r.anyNaN(o.b.reg))
    v = withOneNaN(b, v);
  return b.CreateTrunc(v, type);
}

void Access::take(Value *loaded) {
  llvm::Type *type = r.read(o.to.reg)->getType();
  const bool sign = o.type == Op::S8 || o.type == Op::S16 || o.type == Op::S32;
  r.write(o.to.reg,
          sign ? b.CreateSExt(loaded, type) : b.CreateZExt(loaded, type));
}

/// An element for each lane, one beside the other.
void Access::neighbours(BasicBlock *slow, BasicBlock *behind) {
  Value *low = b.CreateZExt(
      b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes, b.getTrue()),
      b.getInt64Ty());
  Value *high =
      b.CreateSub(b.getInt64(Lanes - 1),
                  b.CreateZExt(b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz,
                                                       lanes, b.getTrue()),
                               b.getInt64Ty()));
  auto at = [&](Value *lane) {
    return b.CreateAdd(first, b.CreateMul(lane, b.getInt64(bytes)));
  };
  BasicBlock *go = block("neighbours");
  b.CreateCondBr(b.CreateAnd(fits(at(low)), fits(at(high))), go, slow);
  b.SetInsertPoint(go);
  Value *from = b.CreateIntToPtr(b.CreateAdd(first, shift), b.getPtrTy());
  llvm::Type *type = llvm::FixedVectorType::get(element, Lanes);
  if (o.is == Op::Load)
    take(b.CreateMaskedLoad(type, from, llvm::Align(bytes), spread(b, lanes),
                            llvm::Constant::getNullValue(type)));
  else
    b.CreateMaskedStore(stored(), from, llvm::Align(bytes), spread(b, lanes));
  b.CreateBr(behind);
}

/// One element for all lanes.
void Access::same(BasicBlock *slow, BasicBlock *behind) {
  BasicBlock *go = block("same");
  b.CreateCondBr(fits(first), go, slow);
  b.SetInsertPoint(go);
  Value *from = b.CreateIntToPtr(b.CreateAdd(first, shift), b.getPtrTy());
  take(splat(b.CreateAlignedLoad(element, from, llvm::Align(bytes))));
  b.CreateBr(behind);
}

void Access::any(BasicBlock *slow, BasicBlock *behind) {
  BasicBlock *go = block("any");
  b.CreateCondBr(all(fits(addresses)), go, slow);
  b.SetInsertPoint(go);
  Value *from =
      b.CreateIntToPtr(b.CreateAdd(addresses, splat(shift)),
                       llvm::FixedVectorType::get(b.getPtrTy(), Lanes));
  llvm::Type *type = llvm::FixedVectorType::get(element, Lanes);
  // Where lanes store to one place, the last one's value stays.
  if (o.is == Op::Load)
    take(b.CreateMaskedGather(type, from, llvm::Align(bytes), spread(b, lanes),
                              llvm::Constant::getNullValue(type)));
  else
    b.CreateMaskedScatter(stored(), from, llvm::Align(bytes), spread(b, lanes));
  b.CreateBr(behind);
}

void Access::write(BasicBlock *slow, BasicBlock *behind) {
  Value *open;
  if (o.space == Op::Shared) {
    window = field(state, offsetof(LaneState, shared));
    open = b.CreateIsNotNull(word(window, offsetof(LaneWindow, version)));
  } else {
    Value *table =
        b.CreateLoad(b.getPtrTy(), field(state, offsetof(LaneState, windows)));
    window = field(table, o.window * sizeof(LaneWindow));
    Value *now =
        b.CreateLoad(b.getPtrTy(), field(state, offsetof(LaneState, version)));
    llvm::LoadInst *version =
        b.CreateAlignedLoad(b.getInt64Ty(), now, llvm::Align(8));
    version->setAtomic(llvm::AtomicOrdering::Acquire);
    open = b.CreateICmpEQ(version, word(window, offsetof(LaneWindow, version)));
  }
  if (o.is == Op::Store)
    open = b.CreateAnd(
        open, b.CreateIsNotNull(b.CreateLoad(
                  b.getInt8Ty(), field(state, offsetof(LaneState, stores)))));
  BasicBlock *look = block("look"), *beside = block("beside"),
             *others = block("others"), *mixed = block("mixed");
  b.CreateCondBr(open, look, slow);
  b.SetInsertPoint(look);
  findAddresses();
  llvm::SmallVector<llvm::Constant *, Lanes> steps;
  for (unsigned l = 0; l != Lanes; ++l)
    steps.push_back(b.getInt64(uint64_t(l) * bytes));
  b.CreateCondBr(
      all(b.CreateICmpEQ(distances, llvm::ConstantVector::get(steps))), beside,
      others);
  b.SetInsertPoint(beside);
  neighbours(slow, behind);
  b.SetInsertPoint(others);
  if (o.is == Op::Load) {
    BasicBlock *one = block("one");
    b.CreateCondBr(all(b.CreateIsNull(distances)), one, mixed);
    b.SetInsertPoint(one);
    same(slow, behind);
  } else {
    b.CreateBr(mixed);
  }
  b.SetInsertPoint(mixed);
  any(slow, behind);
}

} // namespace simulator
