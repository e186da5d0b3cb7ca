// Operations on lanes as LLVM's instructions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each gives what the simulator's own handler of it gives, bit by bit.

#include "lower.h"

#include <cstddef>

#include <llvm/IR/Intrinsics.h>

namespace simulator {

using llvm::Value;
using llvm::Intrinsic::ID;
using Op = LaneOperation;

namespace {

constexpr uint32_t TheNaN = 0x7fffffff;

bool isFloat(Op::Type t) { return t == Op::F32 || t == Op::F64; }
bool isSigned(Op::Type t) {
  return t == Op::S8 || t == Op::S16 || t == Op::S32 || t == Op::S64;
}
unsigned bitsOf(Op::Type t) {
  switch (t) {
  case Op::Mask:
    return 1;
  case Op::U8:
  case Op::S8:
    return 8;
  case Op::U16:
  case Op::S16:
    return 16;
  case Op::U32:
  case Op::S32:
  case Op::F32:
    return 32;
  default:
    return 64;
  }
}

class Lowering {
public:
  Lowering(llvm::IRBuilder<> &b, Registers &r, const Op &o)
      : b(b), r(r), o(o) {}
  void run();

private:
  llvm::Type *vectorOf(llvm::Type *element) {
    return llvm::FixedVectorType::get(element, Lanes);
  }
  llvm::Type *integers(unsigned bits) { return vectorOf(b.getIntNTy(bits)); }
  llvm::Type *floats(Op::Type t) {
    return vectorOf(t == Op::F32 ? b.getFloatTy() : b.getDoubleTy());
  }
  Value *splat(llvm::Type *of, uint64_t bits) {
    return llvm::ConstantInt::get(of, bits);
  }
  Value *bits(const LaneOperand &from, unsigned width) {
    if (from.is == LaneOperand::Constant)
      return splat(integers(width),
                   width == 64 ? from.bits
                               : from.bits & ((uint64_t(1) << width) - 1));
    Value *v = r.read(from.reg);
    return r.anyNaN(from.reg) ? withOneNaN(b, v) : v;
  }
  Value *bits(const LaneOperand &from) { return bits(from, bitsOf(o.type)); }
  Value *number(const LaneOperand &from, Op::Type t) {
    Value *v = from.is == LaneOperand::Constant ? bits(from, bitsOf(t))
                                                : r.read(from.reg);
    v = b.CreateBitCast(v, floats(t));
    return o.flushes && t == Op::F32 ? flushed(v) : v;
  }
  Value *number(const LaneOperand &from) { return number(from, o.type); }

  Value *isNaN(Value *v) { return b.CreateFCmpUNO(v, v); }
  Value *flushed(Value *v);
  Value *saturated(Value *v);
  void finish(Value *v);
  void finishMask(const LaneOperand &to, Value *v);
  void finishNumber(Value *v, bool computes = true);

  Value *shifted(bool left);
  Value *leastNumber();
  Value *signChanged();
  Value *compared();
  void maskOperation();
  void numberOperation();
  void integerOperation();
  void wide(bool plus);
  void funnel();
  void select();
  void compare();
  void convert();
  Value *toInteger(Value *v);

  llvm::IRBuilder<> &b;
  Registers &r;
  const Op &o;
};

/// Denormal numbers become zeros.
Value *Lowering::flushed(Value *v) {
  llvm::Type *words = integers(32);
  Value *as = b.CreateBitCast(v, words);
  Value *small = b.CreateICmpULT(b.CreateAnd(as, splat(words, 0x7fffffff)),
                                 splat(words, 0x00800000));
  return b.CreateBitCast(
      b.CreateSelect(small, b.CreateAnd(as, splat(words, 0x80000000)), as),
      v->getType());
}

Value *Lowering::saturated(Value *v) {
  Value *zero = llvm::ConstantFP::get(v->getType(), 0),
        *one = llvm::ConstantFP::get(v->getType(), 1);
  Value *low = b.CreateSelect(b.CreateFCmpOLT(v, one), v, one);
  return b.CreateSelect(b.CreateFCmpOGT(v, zero), low, zero);
}

/// To the register, for those lanes that the guard lets.
void Lowering::finish(Value *v) {
  if (o.guard.is != LaneOperand::None)
    v = b.CreateSelect(spread(b, readMask(b, r, o.guard)), v, r.read(o.to.reg));
  r.write(o.to.reg, v);
}
void Lowering::finishMask(const LaneOperand &to, Value *v) {
  if (o.guard.is != LaneOperand::None) {
    Value *of = readMask(b, r, o.guard);
    v = b.CreateOr(b.CreateAnd(v, of),
                   b.CreateAnd(r.read(to.reg), b.CreateNot(of)));
  }
  r.write(to.reg, v);
}
void Lowering::finishNumber(Value *v, bool computes) {
  const bool single = v->getType()->getScalarType()->isFloatTy();
  if (single && o.flushes)
    v = flushed(v);
  if (o.saturates)
    v = saturated(v);
  Value *as = b.CreateBitCast(v, integers(single ? 32 : 64));
  if (single && computes && !o.saturates && !r.anyNaN(o.to.reg))
    as = withOneNaN(b, as);
  finish(as);
}

Value *Lowering::shifted(bool left) {
  const unsigned width = bitsOf(o.type);
  Value *a = bits(o.a), *n = bits(o.b, 32);
  llvm::Type *type = integers(width);
  Value *fits = b.CreateICmpULT(n, splat(n->getType(), width));
  Value *by = b.CreateZExtOrTrunc(n, type);
  if (left)
    return b.CreateSelect(fits, b.CreateShl(a, by), splat(type, 0));
  if (!isSigned(o.type))
    return b.CreateSelect(fits, b.CreateLShr(a, by), splat(type, 0));
  return b.CreateAShr(a, b.CreateSelect(fits, by, splat(type, width - 1)));
}

/// The smaller or larger one; a number if one is NaN; -0 is less than +0.
Value *Lowering::leastNumber() {
  const bool most = o.is == Op::Max;
  Value *x = number(o.a), *y = number(o.b);
  Value *less = b.CreateFCmpOLT(x, y);
  Value *v = b.CreateSelect(less, most ? y : x, most ? x : y);
  llvm::Type *words = integers(bitsOf(o.type));
  Value *xBits = b.CreateBitCast(x, words), *yBits = b.CreateBitCast(y, words);
  Value *both = most ? b.CreateAnd(xBits, yBits) : b.CreateOr(xBits, yBits);
  v = b.CreateSelect(b.CreateFCmpOEQ(x, y), b.CreateBitCast(both, x->getType()),
                     v);
  v = b.CreateSelect(isNaN(x), y, v);
  v = b.CreateSelect(isNaN(y), x, v);
  Value *none = b.CreateAnd(isNaN(x), isNaN(y));
  return b.CreateSelect(none, llvm::ConstantFP::getQNaN(x->getType()), v);
}

/// Of NaN, the sign is the one that is not meant (nvptx/floating.h).
Value *Lowering::signChanged() {
  const unsigned width = bitsOf(o.type);
  llvm::Type *words = integers(width);
  const uint64_t top = uint64_t(1) << (width - 1);
  Value *given =
      b.CreateBitCast(o.flushes && o.type == Op::F32
                          ? flushed(b.CreateBitCast(bits(o.a), floats(o.type)))
                          : bits(o.a),
                      words);
  Value *sign = splat(words, top);
  Value *v = o.is == Op::Abs ? b.CreateAnd(given, splat(words, top - 1))
                             : b.CreateXor(given, sign);
  Value *quiet = splat(words, width == 32 ? 0x7fc00000 : 0x7ff8000000000000);
  Value *naN =
      b.CreateOr(quiet, o.is == Op::Abs ? sign : b.CreateAnd(given, sign));
  return b.CreateSelect(isNaN(b.CreateBitCast(given, floats(o.type))), naN, v);
}

void Lowering::numberOperation() {
  auto unary = [&](ID id) { return b.CreateUnaryIntrinsic(id, number(o.a)); };
  auto one = [&] { return llvm::ConstantFP::get(floats(o.type), 1); };
  switch (o.is) {
  case Op::Add:
    return finishNumber(b.CreateFAdd(number(o.a), number(o.b)));
  case Op::Sub:
    return finishNumber(b.CreateFSub(number(o.a), number(o.b)));
  case Op::Mul:
    return finishNumber(b.CreateFMul(number(o.a), number(o.b)));
  case Op::Mad:
    return finishNumber(
        b.CreateIntrinsic(llvm::Intrinsic::fma, {floats(o.type)},
                          {number(o.a), number(o.b), number(o.c)}));
  case Op::Div:
    return finishNumber(b.CreateFDiv(number(o.a), number(o.b)));
  case Op::Reciprocal:
    return finishNumber(b.CreateFDiv(one(), number(o.a)));
  case Op::Sqrt:
    return finishNumber(unary(llvm::Intrinsic::sqrt));
  case Op::ReciprocalSqrt: {
    Value *v = b.CreateFPExt(number(o.a), floats(Op::F64));
    v = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, v);
    v = b.CreateFDiv(llvm::ConstantFP::get(floats(Op::F64), 1), v);
    return finishNumber(b.CreateFPTrunc(v, floats(o.type)));
  }
  case Op::Min:
  case Op::Max:
    return finishNumber(leastNumber());
  default: // Neg, Abs
    return finish(signChanged());
  }
}

void Lowering::wide(bool plus) {
  llvm::Type *to = integers(2 * bitsOf(o.type));
  auto extend = [&](const LaneOperand &from) {
    return isSigned(o.type) ? b.CreateSExt(bits(from), to)
                            : b.CreateZExt(bits(from), to);
  };
  Value *v = b.CreateMul(extend(o.a), extend(o.b));
  if (o.is == Op::MulHigh)
    v = b.CreateTrunc(b.CreateLShr(v, splat(to, bitsOf(o.type))),
                      integers(bitsOf(o.type)));
  else if (plus)
    v = b.CreateAdd(v, bits(o.c, 2 * bitsOf(o.type)));
  finish(v);
}

void Lowering::funnel() {
  const bool left = o.is == Op::FunnelLeft;
  finish(b.CreateIntrinsic(left ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr,
                           {integers(32)},
                           {bits(o.b, 32), bits(o.a, 32), bits(o.c, 32)}));
}

void Lowering::integerOperation() {
  auto unary = [&](ID id, Value *v) { return b.CreateUnaryIntrinsic(id, v); };
  auto narrow = [&](Value *v) { return b.CreateTrunc(v, integers(32)); };
  switch (o.is) {
  case Op::Add:
    return finish(b.CreateAdd(bits(o.a), bits(o.b)));
  case Op::Sub:
    return finish(b.CreateSub(bits(o.a), bits(o.b)));
  case Op::Mul:
    return finish(b.CreateMul(bits(o.a), bits(o.b)));
  case Op::Mad:
    return finish(b.CreateAdd(b.CreateMul(bits(o.a), bits(o.b)), bits(o.c)));
  case Op::MulHigh:
  case Op::MulWide:
    return wide(false);
  case Op::MadWide:
    return wide(true);
  case Op::And:
    return finish(b.CreateAnd(bits(o.a), bits(o.b)));
  case Op::Or:
    return finish(b.CreateOr(bits(o.a), bits(o.b)));
  case Op::Xor:
    return finish(b.CreateXor(bits(o.a), bits(o.b)));
  case Op::Not:
    return finish(b.CreateNot(bits(o.a)));
  case Op::ShiftLeft:
  case Op::ShiftRight:
    return finish(shifted(o.is == Op::ShiftLeft));
  case Op::FunnelLeft:
  case Op::FunnelRight:
    return funnel();
  case Op::Neg:
    return finish(b.CreateNeg(bits(o.a)));
  case Op::Abs:
    return finish(
        b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, bits(o.a), b.getFalse()));
  case Op::Min:
    return finish(b.CreateBinaryIntrinsic(
        isSigned(o.type) ? llvm::Intrinsic::smin : llvm::Intrinsic::umin,
        bits(o.a), bits(o.b)));
  case Op::Max:
    return finish(b.CreateBinaryIntrinsic(
        isSigned(o.type) ? llvm::Intrinsic::smax : llvm::Intrinsic::umax,
        bits(o.a), bits(o.b)));
  case Op::Ones:
    return finish(narrow(unary(llvm::Intrinsic::ctpop, bits(o.a))));
  case Op::LeadingZeros:
    return finish(narrow(b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz,
                                                 bits(o.a), b.getFalse())));
  default: // Reverse
    return finish(unary(llvm::Intrinsic::bitreverse, bits(o.a)));
  }
}

void Lowering::maskOperation() {
  Value *x = readMask(b, r, o.a);
  switch (o.is) {
  case Op::And:
    return finishMask(o.to, b.CreateAnd(x, readMask(b, r, o.b)));
  case Op::Or:
    return finishMask(o.to, b.CreateOr(x, readMask(b, r, o.b)));
  case Op::Xor:
    return finishMask(o.to, b.CreateXor(x, readMask(b, r, o.b)));
  case Op::Not:
    return finishMask(o.to, b.CreateNot(x));
  default: // Move
    return finishMask(o.to, x);
  }
}

void Lowering::select() {
  finish(b.CreateSelect(spread(b, readMask(b, r, o.c)), bits(o.a), bits(o.b)));
}

Value *Lowering::compared() {
  using P = llvm::CmpInst;
  if (isFloat(o.type)) {
    static constexpr P::Predicate of[] = {
        P::FCMP_OEQ, P::FCMP_ONE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT,
        P::FCMP_OGE, P::FCMP_UEQ, P::FCMP_UNE, P::FCMP_ULT, P::FCMP_ULE,
        P::FCMP_UGT, P::FCMP_UGE, P::FCMP_ORD, P::FCMP_UNO};
    return b.CreateFCmp(of[o.relation], number(o.a), number(o.b));
  }
  static constexpr P::Predicate of[] = {P::ICMP_EQ,  P::ICMP_NE,  P::ICMP_ULT,
                                        P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
  P::Predicate p = of[o.relation];
  if (isSigned(o.type))
    p = llvm::ICmpInst::getSignedPredicate(p);
  return b.CreateICmp(p, bits(o.a), bits(o.b));
}

void Lowering::compare() {
  Value *is = b.CreateBitCast(compared(), b.getInt32Ty());
  auto joined = [&](Value *v) {
    if (o.join == Op::Alone)
      return v;
    Value *with = readMask(b, r, o.c);
    return o.join == Op::AndWith  ? b.CreateAnd(v, with)
           : o.join == Op::OrWith ? b.CreateOr(v, with)
                                  : b.CreateXor(v, with);
  };
  Value *first = joined(is);
  Value *second =
      o.second.is == LaneOperand::None ? nullptr : joined(b.CreateNot(is));
  finishMask(o.to, first);
  if (second)
    finishMask(o.second, second);
}

/// What is out of range becomes the nearest; NaN zero, or the sign alone.
Value *Lowering::toInteger(Value *v) {
  const unsigned width = bitsOf(o.type);
  llvm::Type *to = integers(width);
  if (o.whole != Op::Zero)
    v = b.CreateUnaryIntrinsic(o.whole == Op::Down ? llvm::Intrinsic::floor
                               : o.whole == Op::Up ? llvm::Intrinsic::ceil
                                                   : llvm::Intrinsic::roundeven,
                               v);
  Value *out = b.CreateIntrinsic(isSigned(o.type) ? llvm::Intrinsic::fptosi_sat
                                                  : llvm::Intrinsic::fptoui_sat,
                                 {to, v->getType()}, {v});
  if (o.from == Op::F64 || width == 64)
    out = b.CreateSelect(isNaN(v), splat(to, uint64_t(1) << (width - 1)), out);
  return out;
}

void Lowering::convert() {
  // A register may be wider than the type that is looked at.
  auto whole = [&](Value *v, unsigned width, bool sign) {
    return sign ? b.CreateSExtOrTrunc(v, integers(width))
                : b.CreateZExtOrTrunc(v, integers(width));
  };
  const unsigned registerBits =
      r.read(o.to.reg)->getType()->getScalarType()->getIntegerBitWidth();
  if (isFloat(o.from)) {
    if (!isFloat(o.type))
      return finish(whole(toInteger(number(o.a, o.from)), registerBits,
                          isSigned(o.type)));
    // Of NaN, a double gets the bits.
    Value *v = o.type == Op::F64 && o.a.is == LaneOperand::Register
                   ? b.CreateBitCast(bits(o.a, bitsOf(o.from)), floats(o.from))
                   : number(o.a, o.from);
    if (o.whole != Op::Exact)
      v = b.CreateUnaryIntrinsic(o.whole == Op::Down ? llvm::Intrinsic::floor
                                 : o.whole == Op::Up ? llvm::Intrinsic::ceil
                                 : o.whole == Op::Zero
                                     ? llvm::Intrinsic::trunc
                                     : llvm::Intrinsic::roundeven,
                                 v);
    if (o.from != o.type)
      v = o.type == Op::F64 ? b.CreateFPExt(v, floats(o.type))
                            : b.CreateFPTrunc(v, floats(o.type));
    return finishNumber(v);
  }
  Value *v = whole(bits(o.a, bitsOf(o.from)), bitsOf(o.from), false);
  if (isFloat(o.type))
    return finishNumber(isSigned(o.from) ? b.CreateSIToFP(v, floats(o.type))
                                         : b.CreateUIToFP(v, floats(o.type)),
                        false);
  v = whole(v, bitsOf(o.type), isSigned(o.from));
  finish(whole(v, registerBits, isSigned(o.type)));
}

void Lowering::run() {
  switch (o.is) {
  case Op::Call:
    return;
  case Op::Compare:
    return compare();
  case Op::Convert:
    return convert();
  case Op::Select:
    return select();
  case Op::Move:
    if (o.type == Op::Mask)
      return maskOperation();
    // Bits of a float that stay one need not be its only NaN.
    if (o.a.is == LaneOperand::Register && r.anyNaN(o.to.reg))
      return finish(r.read(o.a.reg));
    return finish(bits(o.a));
  default:
    return o.type == Op::Mask ? maskOperation()
           : isFloat(o.type)  ? numberOperation()
                              : integerOperation();
  }
}

} // namespace

Value *readMask(llvm::IRBuilder<> &b, Registers &r, const LaneOperand &o) {
  Value *v = o.is == LaneOperand::Constant ? b.getInt32(o.bits ? ~0u : 0u)
                                           : r.read(o.reg);
  return o.negated ? b.CreateNot(v) : v;
}

Value *spread(llvm::IRBuilder<> &b, Value *mask) {
  return b.CreateBitCast(mask,
                         llvm::FixedVectorType::get(b.getInt1Ty(), Lanes));
}

Value *withOneNaN(llvm::IRBuilder<> &b, Value *bits) {
  Value *v =
      b.CreateBitCast(bits, llvm::FixedVectorType::get(b.getFloatTy(), Lanes));
  return b.CreateSelect(b.CreateFCmpUNO(v, v),
                        llvm::ConstantInt::get(bits->getType(), TheNaN), bits);
}

Value *callInstruction(llvm::IRBuilder<> &b, Value *state, Value *instruction,
                       Value *lanes) {
  Value *at = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), state,
                                           offsetof(LaneState, call));
  auto *type = llvm::FunctionType::get(
      b.getInt1Ty(), {b.getPtrTy(), b.getInt64Ty(), b.getInt32Ty()}, false);
  llvm::CallInst *done = b.CreateCall(type, b.CreateLoad(b.getPtrTy(), at),
                                      {state, instruction, lanes});
  done->addRetAttr(llvm::Attribute::ZExt);
  return done;
}

void useWideVectors(llvm::Function &f) {
  f.addFnAttr(llvm::Attribute::NoUnwind);
  f.addFnAttr("min-legal-vector-width", "512");
  f.addFnAttr("prefer-vector-width", "512");
}

void lower(llvm::IRBuilder<> &b, Registers &r, const LaneOperation &o) {
  Lowering(b, r, o).run();
}

} // namespace simulator
