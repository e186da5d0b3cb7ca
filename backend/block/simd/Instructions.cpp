// Instructions of the vector form
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instructions.h"
#include "Swaps.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::block::simd {

static bool isDivision(const Instruction &i) {
  return i.getOpcode() == Instruction::UDiv ||
         i.getOpcode() == Instruction::SDiv ||
         i.getOpcode() == Instruction::URem ||
         i.getOpcode() == Instruction::SRem;
}

/// Whether vector elements of type \p t are the same in memory as in a
/// register.
static bool isElement(Type *t) {
  if (auto *integer = dyn_cast<IntegerType>(t)) {
    unsigned bits = integer->getBitWidth();
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
  }
  return t->isFloatTy() || t->isDoubleTy() ||
         (t->isPointerTy() && t->getPointerAddressSpace() == 0);
}

/// A call that only computes.
static bool isPure(const CallInst &call) {
  return call.doesNotAccessMemory() && call.doesNotThrow() &&
         call.willReturn() && !call.isConvergent() && !call.isInlineAsm() &&
         call.getCalledFunction() && !call.hasOperandBundles();
}

bool isDropped(const Instruction &i) {
  auto *call = dyn_cast<IntrinsicInst>(&i);
  return call &&
         (call->getIntrinsicID() == Intrinsic::assume ||
          call->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl);
}

AccessKind accessKindOf(const Instruction &access, const Shapes &shapes) {
  const DataLayout &dl = access.getDataLayout();
  Shape address = shapes.of(getLoadStorePointerOperand(&access));
  if (address.isVarying())
    return AccessKind::Apart;
  if (address.isUniform())
    return AccessKind::Uniform;
  int64_t size = dl.getTypeStoreSize(getLoadStoreType(&access));
  if (address.swap)
    return address.stride == size ? AccessKind::Swapped : AccessKind::Apart;
  return address.stride == size    ? AccessKind::Forward
         : address.stride == -size ? AccessKind::Backward
                                   : AccessKind::Apart;
}

bool isSupported(const Instruction &i, const Shapes &shapes) {
  if (isDropped(i) || isLeaving(i))
    return true;
  if (i.isTerminator())
    return isa<BranchInst>(i);
  if (auto *load = dyn_cast<LoadInst>(&i)) {
    if (!load->isSimple() || load->getPointerAddressSpace() != 0)
      return false;
    return shapes.of(&i).isUniform() ||
           (isElement(i.getType()) && !i.getType()->isIntegerTy(1));
  }
  if (auto *store = dyn_cast<StoreInst>(&i)) {
    Type *t = store->getValueOperand()->getType();
    return store->isSimple() && store->getPointerAddressSpace() == 0 &&
           isElement(t) && !t->isIntegerTy(1);
  }
  if (auto *call = dyn_cast<CallInst>(&i)) {
    if (!isPure(*call) || call->getType()->isVoidTy())
      return false;
  } else if (i.mayReadOrWriteMemory() || isa<AllocaInst, CallBase>(i)) {
    return false;
  }
  if (!shapes.of(&i).isVarying())
    return true;
  if (!isElement(i.getType()))
    return false;
  for (const Value *v : i.operands())
    if (!isa<BasicBlock, Function>(v) && !isElement(v->getType()))
      return false;
  return isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, CastInst,
             FreezeInst, GetElementPtrInst, PHINode, CallInst>(i) &&
         !isa<AddrSpaceCastInst>(i);
}

bool needsActiveLane(const Instruction &i, const Shapes &shapes) {
  if (isDropped(i) || isLeaving(i) || i.isTerminator())
    return false;
  if (i.mayReadOrWriteMemory() || isa<CallInst>(i))
    return true;
  return isDivision(i) && !shapes.of(&i).isVarying();
}

void Instructions::emit(Instruction &i, Value *mask) {
  if (isDropped(i))
    return;
  if (auto *load = dyn_cast<LoadInst>(&i))
    return emitLoad(*load, mask);
  if (auto *store = dyn_cast<StoreInst>(&i))
    return emitStore(*store, mask);
  if (!shapes.of(&i).isVarying())
    return emitOnce(i, mask);
  values.define(i, computed(i, mask));
}

void Instructions::emitOnce(Instruction &i, Value *mask) {
  Instruction *once = i.clone();
  for (Use &u : once->operands())
    u = values.scalar(u);
  // Lane 0 may be inactive, so flags may not hold for it. The other lanes'
  // values are computed from its value.
  if (mask && !shapes.of(&i).isUniform())
    once->dropPoisonGeneratingFlags();
  b.Insert(once, i.getName());
  values.define(i, once);
}

static void describe(Instruction *made, const Instruction &access) {
  for (unsigned kind : {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                        LLVMContext::MD_noalias, LLVMContext::MD_nontemporal,
                        LLVMContext::MD_invariant_load})
    if (MDNode *node = access.getMetadata(kind))
      made->setMetadata(kind, node);
  made->setDebugLoc(access.getDebugLoc());
}

Value *Instructions::backwards(Value *v) {
  SmallVector<int> order;
  for (unsigned lane = lanes; lane-- != 0;)
    order.push_back(lane);
  return b.CreateShuffleVector(v, order);
}

/// Converts \p v, the lanes' elements of an access to \p pointer, from the
/// order of lanes to that of memory, or back.
Value *Instructions::inMemoryOrder(Value *v, Value *pointer, AccessKind kind) {
  switch (kind) {
  case AccessKind::Backward:
    return backwards(v);
  case AccessKind::Swapped:
    return swapLanes(v, const_cast<Value *>(shapes.of(pointer).swap), target,
                     b);
  default:
    return v;
  }
}

Value *Instructions::firstAddress(Value *pointer, AccessKind kind,
                                  Type *element) {
  Value *address = values.scalar(pointer);
  int64_t size = f.getDataLayout().getTypeStoreSize(element);
  if (kind == AccessKind::Backward)
    return b.CreatePtrAdd(address, b.getInt64(-size * int64_t(lanes - 1)));
  if (kind == AccessKind::Swapped) {
    Value *first = values.firstSwapped(shapes.of(pointer), b.getInt64Ty());
    return b.CreatePtrAdd(address, b.CreateMul(first, b.getInt64(-size)));
  }
  return address;
}

void Instructions::emitLoad(LoadInst &load, Value *mask) {
  AccessKind kind = accessKindOf(load, shapes);
  Type *t = load.getType();
  if (kind == AccessKind::Uniform) {
    LoadInst *once =
        b.CreateAlignedLoad(t, values.scalar(load.getPointerOperand()),
                            load.getAlign(), load.getName());
    describe(once, load);
    return values.define(load, once);
  }
  if (kind == AccessKind::Apart)
    return values.define(load, rows.contains(load) ? rows.emit(load, mask)
                                                   : gather(load, mask));
  VectorType *all = values.vectorOf(t);
  Value *pointer = load.getPointerOperand();
  Value *address = firstAddress(pointer, kind, t);
  Instruction *loaded;
  if (mask)
    loaded = b.CreateMaskedLoad(all, address, load.getAlign(),
                                inMemoryOrder(mask, pointer, kind),
                                Constant::getNullValue(all));
  else
    loaded = b.CreateAlignedLoad(all, address, load.getAlign());
  describe(loaded, load);
  values.define(load, inMemoryOrder(loaded, pointer, kind));
}

Value *Instructions::gather(LoadInst &load, Value *mask) {
  Type *t = load.getType();
  VectorType *all = values.vectorOf(t);
  Value *addresses = values.vector(load.getPointerOperand());
  if (target.isLegalMaskedGather(all, load.getAlign())) {
    Instruction *loaded = b.CreateMaskedGather(
        all, addresses, load.getAlign(), values.maskOrAll(mask),
        mask ? Constant::getNullValue(all) : nullptr);
    describe(loaded, load);
    return loaded;
  }
  // Inactive lanes load from a stack slot, which is always readable.
  if (mask) {
    AllocaInst *&spare = spares[t];
    if (!spare) {
      spare =
          new AllocaInst(t, f.getDataLayout().getAllocaAddrSpace(), nullptr,
                         load.getAlign(), "spare", f.getEntryBlock().begin());
      IRBuilder<> entry(f.getEntryBlock().getTerminator());
      entry.CreateStore(Constant::getNullValue(t), spare);
    }
    addresses =
        b.CreateSelect(mask, addresses, b.CreateVectorSplat(lanes, spare));
  }
  Value *result = PoisonValue::get(all);
  for (unsigned lane = 0; lane != lanes; ++lane) {
    LoadInst *loaded = b.CreateAlignedLoad(
        t, b.CreateExtractElement(addresses, lane), load.getAlign());
    loaded->setDebugLoc(load.getDebugLoc());
    result = b.CreateInsertElement(result, loaded, lane);
  }
  return result;
}

/// All lanes store to one place, so only the last active lane's value is
/// stored.
void Instructions::storeLast(StoreInst &store, Value *mask) {
  Value *v = store.getValueOperand();
  Value *last;
  if (shapes.of(v).isUniform()) {
    last = values.scalar(v);
  } else {
    Value *index = b.getInt32(lanes - 1);
    if (mask) {
      Value *bits = values.bits(mask);
      Value *behind = b.CreateBinaryIntrinsic(
          Intrinsic::ctlz, bits, ConstantInt::getTrue(bits->getContext()));
      index = b.CreateSub(index, b.CreateZExtOrTrunc(behind, b.getInt32Ty()));
    }
    last = b.CreateExtractElement(values.vector(v), index);
  }
  describe(b.CreateAlignedStore(last, values.scalar(store.getPointerOperand()),
                                store.getAlign()),
           store);
}

void Instructions::emitStore(StoreInst &store, Value *mask) {
  AccessKind kind = accessKindOf(store, shapes);
  if (kind == AccessKind::Uniform)
    return storeLast(store, mask);
  Value *v = values.vector(store.getValueOperand());
  Type *t = store.getValueOperand()->getType();
  if (kind != AccessKind::Apart) {
    Value *pointer = store.getPointerOperand();
    Value *address = firstAddress(pointer, kind, t);
    v = inMemoryOrder(v, pointer, kind);
    Instruction *made =
        mask ? static_cast<Instruction *>(
                   b.CreateMaskedStore(v, address, store.getAlign(),
                                       inMemoryOrder(mask, pointer, kind)))
             : b.CreateAlignedStore(v, address, store.getAlign());
    return describe(made, store);
  }
  Value *addresses = values.vector(store.getPointerOperand());
  if (mask || target.isLegalMaskedScatter(v->getType(), store.getAlign()))
    return describe(b.CreateMaskedScatter(v, addresses, store.getAlign(),
                                          values.maskOrAll(mask)),
                    store);
  for (unsigned lane = 0; lane != lanes; ++lane)
    describe(b.CreateAlignedStore(b.CreateExtractElement(v, lane),
                                  b.CreateExtractElement(addresses, lane),
                                  store.getAlign()),
             store);
}

/// The operands are lane numbers plus multiples of the number of lanes. The
/// lane numbers decide if the multiples are equal. They are constants, or known
/// before the thread loop.
Value *Instructions::comparedLanes(ICmpInst &compare) {
  auto start = [&](unsigned n) {
    Value *first = values.scalar(compare.getOperand(n));
    return b.CreateAnd(
        first, ConstantInt::get(first->getType(), -int64_t(lanes), true));
  };
  auto number = [&](unsigned n) {
    return values.laneNumbers(shapes.of(compare.getOperand(n)));
  };
  Value *x = start(0), *y = start(1);
  Value *byLane = b.CreateICmp(compare.getPredicate(), number(0), number(1));
  Value *byStart = b.CreateICmp(compare.getPredicate(), x, y);
  return b.CreateSelect(b.CreateICmpEQ(x, y), byLane,
                        b.CreateVectorSplat(lanes, byStart));
}

/// Inactive lanes divide by 1.
Value *Instructions::divided(Instruction &i, Value *mask) {
  Value *by = values.vector(i.getOperand(1));
  if (mask && !isa<ConstantInt>(i.getOperand(1)))
    by = b.CreateSelect(mask, by, ConstantInt::get(by->getType(), 1));
  return b.CreateBinOp(Instruction::BinaryOps(i.getOpcode()),
                       values.vector(i.getOperand(0)), by);
}

Value *Instructions::address(GetElementPtrInst &gep) {
  SmallVector<Value *> indices;
  for (Value *v : gep.indices())
    indices.push_back(values.natural(v));
  // One operand has to be a vector for the result to be one.
  auto affine = [&](Value *v) {
    Shape s = shapes.of(v);
    return !s.isVarying() && !s.isUniform();
  };
  Value *base = gep.getPointerOperand();
  for (auto [n, v] : enumerate(gep.indices()))
    if (affine(v))
      indices[n] = values.vector(v);
  return b.CreateGEP(gep.getSourceElementType(),
                     affine(base) ? values.vector(base) : values.natural(base),
                     indices);
}

Value *Instructions::computed(Instruction &i, Value *mask) {
  auto operand = [&](unsigned n) { return values.vector(i.getOperand(n)); };
  if (auto *gep = dyn_cast<GetElementPtrInst>(&i))
    return address(*gep);
  if (auto *call = dyn_cast<CallInst>(&i))
    return called(*call, mask);
  if (isDivision(i))
    return divided(i, mask);
  if (auto *compare = dyn_cast<ICmpInst>(&i);
      compare && shapes.comparesLanes(*compare))
    return comparedLanes(*compare);
  Value *made;
  if (auto *compare = dyn_cast<CmpInst>(&i)) {
    made = b.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (isa<SelectInst>(i)) {
    Value *condition = i.getOperand(0);
    made = b.CreateSelect(shapes.of(condition).isUniform()
                              ? values.scalar(condition)
                              : operand(0),
                          operand(1), operand(2));
  } else if (auto *cast = dyn_cast<CastInst>(&i)) {
    made = b.CreateCast(cast->getOpcode(), operand(0),
                        values.vectorOf(i.getType()));
  } else if (isa<FreezeInst>(i)) {
    made = b.CreateFreeze(operand(0));
  } else if (isa<UnaryOperator>(i)) {
    made = b.CreateUnOp(Instruction::UnaryOps(i.getOpcode()), operand(0));
  } else {
    made = b.CreateBinOp(Instruction::BinaryOps(i.getOpcode()), operand(0),
                         operand(1));
  }
  if (auto *instruction = dyn_cast<Instruction>(made);
      instruction && instruction->getOpcode() == i.getOpcode())
    instruction->copyIRFlags(&i);
  return made;
}

Value *Instructions::called(CallInst &call, Value *mask) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (id == Intrinsic::not_intrinsic || !isTriviallyVectorizable(id))
    return laneByLane(call, mask);
  SmallVector<Value *> arguments;
  SmallVector<Type *> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, &target))
    types.push_back(values.vectorOf(call.getType()));
  for (auto [n, v] : enumerate(call.args())) {
    bool once = isVectorIntrinsicWithScalarOpAtArg(id, n, &target);
    arguments.push_back(once ? values.scalar(v) : values.vector(v));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, n, &target))
      types.push_back(arguments.back()->getType());
  }
  CallInst *made = b.CreateCall(
      Intrinsic::getOrInsertDeclaration(f.getParent(), id, types), arguments);
  if (isa<FPMathOperator>(made))
    made->copyFastMathFlags(&call);
  return made;
}

Value *Instructions::calledOnLane(CallInst &call, unsigned lane,
                                  Value *result) {
  auto *made = cast<CallInst>(call.clone());
  for (Use &u : made->args())
    u = shapes.of(u).isUniform()
            ? values.scalar(u)
            : b.CreateExtractElement(values.vector(u), lane);
  b.Insert(made);
  return b.CreateInsertElement(result, made, lane);
}

Value *Instructions::laneByLane(CallInst &call, Value *mask) {
  Value *result = PoisonValue::get(values.vectorOf(call.getType()));
  // The arguments are computed before any lane's branch.
  for (Value *v : call.args())
    shapes.of(v).isUniform() ? values.scalar(v) : values.vector(v);
  for (unsigned lane = 0; lane != lanes; ++lane) {
    if (!mask) {
      result = calledOnLane(call, lane, result);
      continue;
    }
    LLVMContext &c = f.getContext();
    auto *active = BasicBlock::Create(c, "lane", &f);
    auto *next = BasicBlock::Create(c, "lane.next", &f);
    BasicBlock *before = b.GetInsertBlock();
    b.CreateCondBr(b.CreateExtractElement(mask, lane), active, next);
    b.SetInsertPoint(active);
    Value *with = calledOnLane(call, lane, result);
    b.CreateBr(next);
    b.SetInsertPoint(next);
    PHINode *both = b.CreatePHI(result->getType(), 2);
    both->addIncoming(result, before);
    both->addIncoming(with, active);
    result = both;
  }
  return result;
}

} // namespace xcc::block::simd
