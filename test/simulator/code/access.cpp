// Loads and stores of host code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "access.h"

#include <llvm/IR/Module.h>

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

namespace {

/// Writes a function's code.
class Access {
public:
  Access(llvm::Function &f, const LaneOperation &o, unsigned registerBytes)
      : f(f), b(BasicBlock::Create(f.getContext(), "begin", &f)), o(o),
        registerBytes(registerBytes), bytes(bytesOf(o.type)),
        element(b.getIntNTy(8 * bytes)), lanes(argument(AccessArgument::Lanes)),
        slow(block("slow")), behind(block("behind")) {}
  void write();

private:
  Value *argument(AccessArgument a) { return f.getArg(unsigned(a)); }
  BasicBlock *block(const char *name) {
    return BasicBlock::Create(f.getContext(), name, &f);
  }
  llvm::Type *elements() { return llvm::FixedVectorType::get(element, Lanes); }
  llvm::Type *registerType() {
    return llvm::FixedVectorType::get(b.getIntNTy(8 * registerBytes), Lanes);
  }
  Value *field(Value *of, size_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), of, offset);
  }
  Value *word(Value *of, size_t offset) {
    return b.CreateLoad(b.getInt64Ty(), field(of, offset));
  }
  Value *splat(Value *v) { return b.CreateVectorSplat(Lanes, v); }
  Value *isOpen();
  Value *all(Value *is);
  Value *fits(Value *address);
  void findAddresses();
  void neighbours();
  void same();
  void any();
  Value *stored();
  void take(Value *loaded);
  void keep(AccessArgument at, Value *value);
  void callSimulator();
  void leave(Value *goesOn);

  llvm::Function &f;
  llvm::IRBuilder<> b;
  const LaneOperation &o;
  const unsigned registerBytes, bytes;
  llvm::Type *const element;
  Value *const lanes;
  BasicBlock *const slow, *const behind;
  Value *result = nullptr; ///< a variable
  Value *window = nullptr, *begin = nullptr, *last = nullptr, *shift = nullptr;
  Value *addresses = nullptr, *first = nullptr, *distances = nullptr;
};

/// Whether something is so for all of the lanes.
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
  addresses = b.CreateAdd(argument(AccessArgument::Addresses),
                          splat(argument(AccessArgument::Offset)));
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
  return b.CreateTrunc(argument(AccessArgument::Value), elements());
}

void Access::take(Value *loaded) {
  const bool sign = o.type == Op::S8 || o.type == Op::S16 || o.type == Op::S32;
  b.CreateStore(sign ? b.CreateSExt(loaded, registerType())
                     : b.CreateZExt(loaded, registerType()),
                result);
}

/// An element for each lane, one beside the other.
void Access::neighbours() {
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
  llvm::Type *type = elements();
  if (o.is == Op::Load)
    take(b.CreateMaskedLoad(type, from, llvm::Align(bytes), spread(b, lanes),
                            llvm::Constant::getNullValue(type)));
  else
    b.CreateMaskedStore(stored(), from, llvm::Align(bytes), spread(b, lanes));
  b.CreateBr(behind);
}

/// One element for all lanes.
void Access::same() {
  BasicBlock *go = block("same");
  b.CreateCondBr(fits(first), go, slow);
  b.SetInsertPoint(go);
  Value *from = b.CreateIntToPtr(b.CreateAdd(first, shift), b.getPtrTy());
  take(splat(b.CreateAlignedLoad(element, from, llvm::Align(bytes))));
  b.CreateBr(behind);
}

void Access::any() {
  BasicBlock *go = block("any");
  b.CreateCondBr(all(fits(addresses)), go, slow);
  b.SetInsertPoint(go);
  Value *from =
      b.CreateIntToPtr(b.CreateAdd(addresses, splat(shift)),
                       llvm::FixedVectorType::get(b.getPtrTy(), Lanes));
  llvm::Type *type = elements();
  // Where lanes store to one place, the last one's value stays.
  if (o.is == Op::Load)
    take(b.CreateMaskedGather(type, from, llvm::Align(bytes), spread(b, lanes),
                              llvm::Constant::getNullValue(type)));
  else
    b.CreateMaskedScatter(stored(), from, llvm::Align(bytes), spread(b, lanes));
  b.CreateBr(behind);
}

/// Whether the window may be used as it is.
Value *Access::isOpen() {
  Value *state = argument(AccessArgument::State);
  Value *open;
  if (o.space == Op::Shared) {
    open = b.CreateIsNotNull(word(window, offsetof(LaneWindow, version)));
  } else {
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
  return open;
}

/// An operand's value for the simulator: of active lanes.
void Access::keep(AccessArgument at, Value *value) {
  BasicBlock *is = block("keep"), *kept = block("kept");
  Value *offset = argument(at);
  b.CreateCondBr(b.CreateICmpEQ(offset, b.getInt64(NoRegister)), kept, is);
  b.SetInsertPoint(is);
  Value *to =
      b.CreateGEP(b.getInt8Ty(), argument(AccessArgument::Frame), offset);
  Value *old = b.CreateAlignedLoad(value->getType(), to, llvm::Align(32));
  b.CreateAlignedStore(b.CreateSelect(spread(b, lanes), value, old), to,
                       llvm::Align(32));
  b.CreateBr(kept);
  b.SetInsertPoint(kept);
}

void Access::callSimulator() {
  b.SetInsertPoint(slow);
  keep(AccessArgument::AddressAt, argument(AccessArgument::Addresses));
  if (o.is == Op::Store)
    keep(AccessArgument::ValueAt, argument(AccessArgument::Value));
  Value *goesOn = callInstruction(b, argument(AccessArgument::State),
                                  argument(AccessArgument::Instruction), lanes);
  if (o.is == Op::Load) {
    Value *from = b.CreateGEP(b.getInt8Ty(), argument(AccessArgument::Frame),
                              argument(AccessArgument::ValueAt));
    b.CreateStore(b.CreateAlignedLoad(registerType(), from, llvm::Align(32)),
                  result);
  }
  leave(goesOn);
}

void Access::leave(Value *goesOn) {
  if (o.is == Op::Store) {
    b.CreateRet(goesOn);
    return;
  }
  Value *both = llvm::PoisonValue::get(f.getReturnType());
  both = b.CreateInsertValue(both, b.CreateLoad(registerType(), result), 0);
  b.CreateRet(b.CreateInsertValue(both, goesOn, 1));
}

void Access::write() {
  result = b.CreateAlloca(registerType());
  window = argument(AccessArgument::Window);
  BasicBlock *look = block("look"), *beside = block("beside"),
             *others = block("others"), *mixed = block("mixed");
  b.CreateCondBr(isOpen(), look, slow);
  b.SetInsertPoint(look);
  findAddresses();
  llvm::SmallVector<llvm::Constant *, Lanes> steps;
  for (unsigned l = 0; l != Lanes; ++l)
    steps.push_back(b.getInt64(uint64_t(l) * bytes));
  b.CreateCondBr(
      all(b.CreateICmpEQ(distances, llvm::ConstantVector::get(steps))), beside,
      others);
  b.SetInsertPoint(beside);
  neighbours();
  b.SetInsertPoint(others);
  if (o.is == Op::Load) {
    BasicBlock *one = block("one");
    b.CreateCondBr(all(b.CreateIsNull(distances)), one, mixed);
    b.SetInsertPoint(one);
    same();
  } else {
    b.CreateBr(mixed);
  }
  b.SetInsertPoint(mixed);
  any();
  callSimulator();
  b.SetInsertPoint(behind);
  leave(b.getTrue());
}

} // namespace

llvm::Function *accessFunction(llvm::Module &m, const LaneOperation &o,
                               unsigned registerBytes) {
  const std::string name = std::string(o.is == Op::Load ? "load" : "store") +
                           "." + std::to_string(o.type) + "." +
                           std::to_string(o.space) + "." +
                           std::to_string(registerBytes);
  if (llvm::Function *f = m.getFunction(name))
    return f;
  llvm::IRBuilder<> b(m.getContext());
  llvm::Type *p = b.getPtrTy(), *word = b.getInt64Ty();
  llvm::Type *value =
      llvm::FixedVectorType::get(b.getIntNTy(8 * registerBytes), Lanes);
  llvm::SmallVector<llvm::Type *, 10> arguments = {
      p,
      b.getInt32Ty(),
      p,
      word,
      p,
      word,
      word,
      word,
      llvm::FixedVectorType::get(word, Lanes)};
  llvm::Type *out = b.getInt1Ty();
  if (o.is == Op::Store)
    arguments.push_back(value);
  else
    out = llvm::StructType::get(value, out);
  auto *f =
      llvm::Function::Create(llvm::FunctionType::get(out, arguments, false),
                             llvm::Function::InternalLinkage, name, m);
  f->addFnAttr(llvm::Attribute::NoInline);
  useWideVectors(*f);
  Access(*f, o, registerBytes).write();
  return f;
}

} // namespace simulator
