// IR in which LLVM 22 makes right code for AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mends.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/TargetParser.h"
#include <map>

using namespace llvm;

namespace xcc::amdgcn {

/// The stack pointer at this place. Where it counts a lane's bytes, it is the
/// address of an empty variable.
static Value *stackTop(IRBuilder<> &builder, unsigned space) {
  Type *word = builder.getInt32Ty();
  // Unknown, or it would be a variable of the frame.
  Value *nothing = builder.CreateCall(
      InlineAsm::get(FunctionType::get(word, false), "s_mov_b32 $0, 0", "=s",
                     /*hasSideEffects=*/true));
  Value *top = builder.CreatePtrToInt(
      builder.CreateAlloca(builder.getInt8Ty(), space, nothing), word);
  // Here, and not where it is needed.
  return builder.CreateCall(
      InlineAsm::get(FunctionType::get(word, {word}, false), "", "=v,0",
                     /*hasSideEffects=*/true),
      {top});
}

/// Moves the stack pointer to `top`, in which all lanes agree.
static void setStackTop(IRBuilder<> &builder, Value *top) {
  Type *word = builder.getInt32Ty();
  top = builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {word}, {top});
  builder.CreateCall(
      InlineAsm::get(FunctionType::get(builder.getVoidTy(), {word}, false),
                     "s_mov_b32 s32, $0", "s,~{s32}",
                     /*hasSideEffects=*/true),
      {top});
}

void mendDynamicAllocas(Module &module, const TargetMachine &machine) {
  const MCSubtargetInfo &has = *machine.getMCSubtargetInfo();
  bool ofLanes = has.checkFeatures("+architected-flat-scratch");
  unsigned logLanes = has.checkFeatures("+wavefrontsize64") ? 6 : 5;
  constexpr uint64_t stackAlign = 16;
  const DataLayout &layout = module.getDataLayout();
  SmallVector<AllocaInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&inst);
          variable && !variable->isStaticAlloca())
        found.push_back(variable);
  for (AllocaInst *variable : found) {
    IRBuilder<> builder(variable->getNextNode());
    builder.SetCurrentDebugLocation(variable->getDebugLoc());
    if (!ofLanes) {
      Value *ofWave = builder.CreatePtrToInt(variable, builder.getInt32Ty());
      Value *ofLane = builder.CreateIntToPtr(
          builder.CreateLShr(ofWave, logLanes), variable->getType());
      variable->replaceUsesWithIf(
          ofLane, [&](Use &use) { return use.getUser() != ofWave; });
      continue;
    }
    Type *word = builder.getInt32Ty();
    auto aligned = [&](Value *value, uint64_t to) {
      return builder.CreateAnd(
          builder.CreateAdd(value, builder.getInt32(to - 1)),
          builder.getInt32(-to));
    };
    Value *address =
        stackTop(builder, variable->getType()->getPointerAddressSpace());
    if (variable->getAlign().value() > stackAlign)
      address = aligned(address, variable->getAlign().value());
    uint64_t each = layout.getTypeAllocSize(variable->getAllocatedType());
    Value *bytes = builder.CreateMul(
        builder.CreateZExtOrTrunc(variable->getArraySize(), word),
        builder.getInt32(each));
    bytes = builder.CreateIntrinsic(Intrinsic::amdgcn_wave_reduce_umax, {word},
                                    {bytes, builder.getInt32(0)});
    setStackTop(builder,
                aligned(builder.CreateAdd(address, bytes), stackAlign));
    Value *mended = builder.CreateIntToPtr(address, variable->getType());
    mended->takeName(variable);
    variable->replaceAllUsesWith(mended);
    variable->eraseFromParent();
  }
}

static bool isPadding(const Type *type) {
  const auto *array = dyn_cast<ArrayType>(type);
  return array && array->getElementType()->isIntegerTy(8) &&
         array->getNumElements() > 64;
}

/// A function type without padding among its parameters, and which stay.
static FunctionType *withoutPadding(FunctionType *old,
                                    SmallVectorImpl<unsigned> &kept) {
  SmallVector<Type *> params;
  for (auto [index, type] : enumerate(old->params()))
    if (!isPadding(type)) {
      params.push_back(type);
      kept.push_back(index);
    }
  return FunctionType::get(old->getReturnType(), params, old->isVarArg());
}

static AttributeList attributesOf(LLVMContext &context, AttributeList old,
                                  ArrayRef<unsigned> kept) {
  SmallVector<AttributeSet> params;
  for (unsigned index : kept)
    params.push_back(old.getParamAttrs(index));
  return AttributeList::get(context, old.getFnAttrs(), old.getRetAttrs(),
                            params);
}

void dropPadding(Module &module) {
  LLVMContext &context = module.getContext();
  SmallVector<Function *> functions;
  SmallVector<CallBase *> calls;
  for (Function &function : module) {
    if (any_of(function.getFunctionType()->params(), isPadding))
      functions.push_back(&function);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && any_of(call->getFunctionType()->params(), isPadding))
        calls.push_back(call);
  }
  for (CallBase *old : calls) {
    SmallVector<unsigned> kept;
    FunctionType *type = withoutPadding(old->getFunctionType(), kept);
    for (unsigned i = old->getFunctionType()->getNumParams();
         i < old->arg_size(); ++i)
      kept.push_back(i);
    SmallVector<Value *> args;
    for (unsigned index : kept)
      args.push_back(old->getArgOperand(index));
    SmallVector<OperandBundleDef> bundles;
    old->getOperandBundlesAsDefs(bundles);
    IRBuilder<> builder(old);
    CallBase *call;
    if (auto *invoke = dyn_cast<InvokeInst>(old))
      call = builder.CreateInvoke(type, old->getCalledOperand(),
                                  invoke->getNormalDest(),
                                  invoke->getUnwindDest(), args, bundles);
    else
      call = builder.CreateCall(type, old->getCalledOperand(), args, bundles);
    call->setCallingConv(old->getCallingConv());
    call->setAttributes(attributesOf(context, old->getAttributes(), kept));
    call->copyMetadata(*old);
    call->takeName(old);
    old->replaceAllUsesWith(call);
    old->eraseFromParent();
  }
  for (Function *old : functions) {
    SmallVector<unsigned> kept;
    FunctionType *type = withoutPadding(old->getFunctionType(), kept);
    auto *function =
        Function::Create(type, old->getLinkage(), old->getAddressSpace());
    module.getFunctionList().insert(old->getIterator(), function);
    function->copyAttributesFrom(old);
    function->setComdat(old->getComdat());
    function->setAttributes(attributesOf(context, old->getAttributes(), kept));
    function->takeName(old);
    function->splice(function->begin(), old);
    function->copyMetadata(old, 0);
    for (auto [at, index] : enumerate(kept)) {
      old->getArg(index)->replaceAllUsesWith(function->getArg(at));
      function->getArg(at)->takeName(old->getArg(index));
    }
    for (Argument &arg : old->args())
      arg.replaceAllUsesWith(PoisonValue::get(arg.getType()));
    for (Instruction &inst : make_early_inc_range(instructions(*function)))
      if (auto *store = dyn_cast<StoreInst>(&inst);
          store && isPadding(store->getValueOperand()->getType()) &&
          isa<PoisonValue>(store->getValueOperand()))
        store->eraseFromParent();
    old->replaceAllUsesWith(function);
    old->eraseFromParent();
  }
}

void alignFrames(Module &module) {
  // What every frame is aligned to. Variables of up to 64 bytes are common.
  constexpr uint64_t most = 16, common = 64;
  const DataLayout &layout = module.getDataLayout();
  SmallVector<AllocaInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&inst);
          variable && variable->isStaticAlloca() &&
          variable->getAlign().value() > common)
        found.push_back(variable);
  for (AllocaInst *variable : found) {
    const uint64_t align = variable->getAlign().value();
    const uint64_t size = variable->getAllocationSize(layout)->getFixedValue();
    IRBuilder<> builder(variable);
    auto *room = builder.CreateAlloca(
        ArrayType::get(builder.getInt8Ty(), size + align - most),
        variable->getAddressSpace());
    room->setAlignment(Align(most));
    Type *word = builder.getInt32Ty();
    Value *address = builder.CreatePtrToInt(room, word);
    Value *up =
        builder.CreateAnd(builder.CreateSub(builder.getInt32(0), address),
                          builder.getInt32(align - 1));
    Value *aligned = builder.CreateInBoundsPtrAdd(room, up);
    aligned->takeName(variable);
    for (User *user : make_early_inc_range(variable->users()))
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
        marker->eraseFromParent();
    variable->replaceAllUsesWith(aligned);
    variable->eraseFromParent();
  }
}

void mendStackPointers(Module &module, const TargetMachine &machine) {
  if (!machine.getMCSubtargetInfo()->checkFeatures("+architected-flat-scratch"))
    return;
  SmallVector<IntrinsicInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && (call->getIntrinsicID() == Intrinsic::stacksave ||
                   call->getIntrinsicID() == Intrinsic::stackrestore))
        found.push_back(call);
  for (IntrinsicInst *call : found) {
    IRBuilder<> builder(call);
    if (call->getIntrinsicID() == Intrinsic::stacksave) {
      Type *pointer = call->getType();
      call->replaceAllUsesWith(builder.CreateIntToPtr(
          stackTop(builder, pointer->getPointerAddressSpace()), pointer));
    } else {
      setStackTop(builder, builder.CreatePtrToInt(call->getArgOperand(0),
                                                  builder.getInt32Ty()));
    }
    call->eraseFromParent();
  }
}

/// Whether a value is the address of a variable of the frame, or made of one.
static bool isOfFrame(const Value *value, unsigned depth = 0) {
  if (isa<AllocaInst>(value))
    return true;
  const auto *made = dyn_cast<Instruction>(value);
  return depth < 6 && made &&
         (isa<GetElementPtrInst, CastInst, BinaryOperator, FreezeInst>(made)) &&
         any_of(
             made->operands(),
             [&](const Use &operand) { return isOfFrame(operand, depth + 1); });
}

void mendFrameChoices(Module &module) {
  SmallVector<SelectInst *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *choice = dyn_cast<SelectInst>(&inst);
          choice && choice->getCondition()->getType()->isIntegerTy(1) &&
          (isOfFrame(choice->getTrueValue()) ||
           isOfFrame(choice->getFalseValue())))
        found.push_back(choice);
  for (SelectInst *choice : found) {
    IRBuilder<> builder(choice);
    Type *word = builder.getInt32Ty();
    Value *condition = builder.CreateCall(
        InlineAsm::get(FunctionType::get(word, {word}, false), "", "=v,0",
                       /*hasSideEffects=*/false),
        {builder.CreateZExt(choice->getCondition(), word)});
    choice->setCondition(builder.CreateIsNotNull(condition));
  }
}

void splitQuotients(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *vector = dyn_cast<FixedVectorType>(inst.getType());
      if (!vector || !inst.isIntDivRem())
        continue;
      IRBuilder<> builder(&inst);
      Value *result = PoisonValue::get(vector);
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        result = builder.CreateInsertElement(
            result,
            builder.CreateBinOp(
                cast<BinaryOperator>(inst).getOpcode(),
                builder.CreateExtractElement(inst.getOperand(0), i),
                builder.CreateExtractElement(inst.getOperand(1), i)),
            i);
      inst.replaceAllUsesWith(result);
      inst.eraseFromParent();
    }
}

void mendQuotients(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<BinaryOperator *> quotients;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (inst.getOpcode() == Instruction::SDiv)
        quotients.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *quotient : quotients) {
    Value *n = quotient->getOperand(0), *d = quotient->getOperand(1);
    Type *type = quotient->getType();
    unsigned width = type->getIntegerBitWidth();
    // A freeze hides what is known from us and not from the code generator.
    auto frozen = [](Value *x) {
      while (auto *freeze = dyn_cast<FreezeInst>(x))
        x = freeze->getOperand(0);
      return x;
    };
    unsigned bits = std::max(ComputeMaxSignificantBits(frozen(n), layout),
                             ComputeMaxSignificantBits(frozen(d), layout));
    if (width > 64 || bits >= width || bits > (width == 64 ? 32u : 24u) ||
        computeKnownBits(n, layout).isNonNegative() ||
        computeKnownBits(d, layout).isNonNegative() ||
        (isa<ConstantInt>(d) && !cast<ConstantInt>(d)->isMinusOne()))
      continue;
    IRBuilder<> builder(quotient);
    Type *i32 = builder.getInt32Ty();
    n = builder.CreateSExtOrTrunc(n, i32);
    if (bits < 24) {
      n = builder.CreateCall(
          InlineAsm::get(FunctionType::get(i32, {i32}, false), "", "=v,0",
                         /*hasSideEffects=*/false),
          {n});
      n = builder.CreateTrunc(n, builder.getIntNTy(bits + 1));
      quotient->setOperand(0, builder.CreateSExtOrTrunc(n, type));
      continue;
    }
    d = builder.CreateSExtOrTrunc(d, i32);
    Value *sign = builder.CreateAShr(builder.CreateXor(n, d), 31);
    auto magnitude = [&](Value *x) {
      return builder.CreateBinaryIntrinsic(Intrinsic::abs, x,
                                           builder.getFalse());
    };
    Value *result = builder.CreateUDiv(magnitude(n), magnitude(d));
    result = builder.CreateZExtOrTrunc(result, type);
    sign = builder.CreateSExtOrTrunc(sign, type);
    result = builder.CreateSub(builder.CreateXor(result, sign), sign);
    quotient->replaceAllUsesWith(result);
    quotient->eraseFromParent();
  }
}

void mendLongQuotients(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<Instruction *> quotients;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (inst.getOpcode() == Instruction::UDiv ||
          inst.getOpcode() == Instruction::URem)
        quotients.push_back(&inst);
  for (Instruction *quotient : quotients) {
    auto bits = [&](const Value *x) {
      while (auto *freeze = dyn_cast<FreezeInst>(x))
        x = freeze->getOperand(0);
      return computeKnownBits(x, layout).countMaxActiveBits();
    };
    Value *n = quotient->getOperand(0), *d = quotient->getOperand(1);
    Type *type = quotient->getType();
    if (type->getScalarSizeInBits() > 64 || bits(n) != 24 || bits(d) > 24)
      continue;
    IRBuilder<> builder(quotient);
    // Nothing, of which nobody knows it.
    Type *word = builder.getInt32Ty();
    Value *zero = builder.CreateCall(
        InlineAsm::get(FunctionType::get(word, false), "v_mov_b32 $0, 0", "=v",
                       /*hasSideEffects=*/false));
    Type *scalar = type->getScalarSizeInBits() > 32 ? builder.getInt64Ty()
                                                    : builder.getInt32Ty();
    Type *wide = type->getWithNewType(scalar);
    zero = builder.CreateZExt(zero, scalar);
    if (auto *vector = dyn_cast<FixedVectorType>(type))
      zero = builder.CreateVectorSplat(vector->getNumElements(), zero);
    n = builder.CreateOr(builder.CreateZExt(n, wide), zero);
    d = builder.CreateZExt(d, wide);
    Value *result = quotient->getOpcode() == Instruction::UDiv
                        ? builder.CreateUDiv(n, d)
                        : builder.CreateURem(n, d);
    quotient->replaceAllUsesWith(builder.CreateTrunc(result, type));
    quotient->eraseFromParent();
  }
}

void mendUnoptimised(Module &module) {
  SmallVector<BinaryOperator *> quotients;
  SmallVector<IntrinsicInst *> swaps;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      unsigned bits = inst.getType()->isIntegerTy()
                          ? inst.getType()->getIntegerBitWidth()
                          : 0;
      if (inst.isIntDivRem() && (bits == 32 || bits == 64))
        quotients.push_back(cast<BinaryOperator>(&inst));
      else if (auto *call = dyn_cast<IntrinsicInst>(&inst);
               call && call->getIntrinsicID() == Intrinsic::bswap && bits == 64)
        swaps.push_back(call);
    }
  for (BinaryOperator *quotient : quotients)
    for (Use &operand : quotient->operands()) {
      if (isa<Constant>(operand))
        continue;
      IRBuilder<> builder(quotient);
      Type *type = operand->getType();
      operand = builder.CreateCall(
          InlineAsm::get(FunctionType::get(type, {type}, false), "", "=v,0",
                         /*hasSideEffects=*/false),
          {operand});
    }
  for (IntrinsicInst *swap : swaps) {
    IRBuilder<> builder(swap);
    Type *half = builder.getInt32Ty(), *whole = swap->getType();
    Value *from = swap->getArgOperand(0);
    Value *low = builder.CreateTrunc(from, half);
    Value *high = builder.CreateTrunc(builder.CreateLShr(from, 32), half);
    low = builder.CreateUnaryIntrinsic(Intrinsic::bswap, low);
    high = builder.CreateUnaryIntrinsic(Intrinsic::bswap, high);
    swap->replaceAllUsesWith(
        builder.CreateOr(builder.CreateShl(builder.CreateZExt(low, whole), 32),
                         builder.CreateZExt(high, whole)));
    swap->eraseFromParent();
  }
}

/// Shuffles of a module, those together that may go through one loop: with the
/// same lanes, and with values that are there at the first.
static SmallVector<SmallVector<CallInst *, 2>> shuffleGroups(Module &module) {
  SmallVector<SmallVector<CallInst *, 2>> groups;
  auto joins = [](const CallInst *call, const CallInst *first) {
    const auto *value = dyn_cast<Instruction>(call->getArgOperand(0));
    return call->getParent() == first->getParent() &&
           call->getArgOperand(1) == first->getArgOperand(1) &&
           (!value || value->getParent() != first->getParent() ||
            value->comesBefore(first));
  };
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && call->getIntrinsicID() == Intrinsic::amdgcn_wave_shuffle) {
        if (groups.empty() || !joins(call, groups.back().front()))
          groups.emplace_back();
        groups.back().push_back(call);
      }
  return groups;
}

/// Reads from the own half of the wave, then in a loop what lies in the other.
static void shuffleByHalves(ArrayRef<CallInst *> group) {
  CallInst *first = group.front();
  BasicBlock *before = first->getParent();
  BasicBlock *after = before->splitBasicBlock(first);
  BasicBlock *loop = BasicBlock::Create(first->getContext(), "halves",
                                        before->getParent(), after);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(first->getDebugLoc());
  auto make = [&](Intrinsic::ID id, ArrayRef<Type *> types,
                  ArrayRef<Value *> args) {
    return builder.CreateIntrinsic(id, types, args);
  };
  Type *word = builder.getInt32Ty(), *mask = builder.getInt64Ty();
  Constant *zero = builder.getInt32(0), *all = builder.getInt32(~0u);
  Value *lane = builder.CreateAnd(first->getArgOperand(1), 63);
  Value *address = builder.CreateShl(lane, 2);
  SmallVector<Value *> own;
  for (CallInst *call : group)
    own.push_back(make(Intrinsic::amdgcn_ds_bpermute, {},
                       {address, call->getArgOperand(0)}));
  Value *self = make(Intrinsic::amdgcn_mbcnt_lo, {}, {all, zero});
  self = make(Intrinsic::amdgcn_mbcnt_hi, {}, {all, self});
  Value *other = builder.CreateICmpNE(
      builder.CreateAnd(builder.CreateXor(lane, self), 32), zero);
  Value *wanting = make(Intrinsic::amdgcn_ballot, {mask}, {other});
  builder.CreateCondBr(builder.CreateIsNotNull(wanting), loop, after);

  builder.SetInsertPoint(loop);
  PHINode *rest = builder.CreatePHI(mask, 2);
  rest->addIncoming(wanting, before);
  SmallVector<PHINode *> results;
  for (Value *value : own) {
    results.push_back(builder.CreatePHI(word, 2));
    results.back()->addIncoming(value, before);
  }
  Value *lowest = builder.CreateTrunc(
      builder.CreateBinaryIntrinsic(Intrinsic::cttz, rest, builder.getTrue()),
      word);
  Value *from = make(Intrinsic::amdgcn_readlane, {word}, {lane, lowest});
  Value *here = builder.CreateICmpEQ(lane, from);
  SmallVector<Value *> next;
  for (auto [call, result] : zip(group, results)) {
    Value *read = make(Intrinsic::amdgcn_readlane, {word},
                       {call->getArgOperand(0), from});
    next.push_back(builder.CreateSelect(here, read, result));
    result->addIncoming(next.back(), loop);
  }
  Value *left = builder.CreateAnd(
      rest, builder.CreateNot(make(Intrinsic::amdgcn_ballot, {mask}, {here})));
  rest->addIncoming(left, loop);
  builder.CreateCondBr(builder.CreateIsNotNull(left), loop, after);

  builder.SetInsertPoint(after, after->begin());
  for (unsigned i = 0; i != group.size(); ++i) {
    PHINode *result = builder.CreatePHI(word, 2);
    result->addIncoming(own[i], before);
    result->addIncoming(next[i], loop);
    group[i]->replaceAllUsesWith(result);
  }
  for (CallInst *call : group)
    call->eraseFromParent();
}

void mendWideShuffles(Module &module, const TargetMachine &machine) {
  const MCSubtargetInfo &has = *machine.getMCSubtargetInfo();
  if (!has.checkFeatures("+gfx10") || has.checkFeatures("+gfx11-insts") ||
      !has.checkFeatures("+wavefrontsize64"))
    return;
  for (ArrayRef<CallInst *> group : shuffleGroups(module))
    shuffleByHalves(group);
}

void chooseOptions() {
  static const bool done = [] {
    auto &all = cl::getRegisteredOptions();
    for (auto [name, value] : {std::pair("disable-promote-alloca-to-lds", true),
                               {"amdgpu-remove-redundant-endcf", false}})
      if (auto found = all.find(name); found != all.end())
        static_cast<cl::opt<bool> *>(found->second)->setInitialValue(value);
    return true;
  }();
  (void)done;
}

} // namespace xcc::amdgcn
