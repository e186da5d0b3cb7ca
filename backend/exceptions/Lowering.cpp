// From unwinding to tests and branches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   invoke f(x) to %normal unwind %pad
//
// becomes
//
//   call f(x, state)
//   br (state->pending != null), %pad, %normal
//
// and a call of what may throw where nothing catches is followed by such a test
// and a return. A landing pad takes the pending exception and asks the device
// runtime which of its clauses comes first that matches.

#include "Exceptions.h"
#include "StateParameter.h"
#include "Throwers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace xcc::exceptions {
namespace {

/// Numbers for the types that handlers name, from 1.
class Selectors {
public:
  int of(Value *type) {
    return numbers.insert({type->stripPointerCasts(), numbers.size() + 1})
        .first->second;
  }

private:
  MapVector<Value *, int> numbers;
};

/// A constant as a pointer of the generic address space.
Constant *generic(Constant *pointer) {
  return ConstantExpr::getPointerBitCastOrAddrSpaceCast(
      pointer, PointerType::getUnqual(pointer->getContext()));
}

/// One function's unwinding.
class FunctionLowering {
public:
  FunctionLowering(Function &function, Value *state, bool isEntry,
                   Selectors &selectors)
      : function(function), module(*function.getParent()), state(state),
        isEntry(isEntry), selectors(selectors) {}

  /// `throwing` are the calls that may throw.
  void run(ArrayRef<CallBase *> throwing) {
    for (CallBase *call : throwing)
      test(*call);
    SmallVector<Instruction *> rest;
    for (Instruction &inst : instructions(function))
      if (isa<LandingPadInst, ResumeInst>(inst))
        rest.push_back(&inst);
      else if (auto *call = dyn_cast<IntrinsicInst>(&inst);
               call && call->getIntrinsicID() == Intrinsic::eh_typeid_for)
        rest.push_back(&inst);
    for (Instruction *inst : rest)
      if (auto *pad = dyn_cast<LandingPadInst>(inst))
        lower(*pad);
      else if (auto *resume = dyn_cast<ResumeInst>(inst))
        lower(*resume);
      else
        lowerTypeId(*cast<IntrinsicInst>(inst));
  }

private:
  Function &function;
  Module &module;
  Value *state;
  bool isEntry;
  Selectors &selectors;
  BasicBlock *leave = nullptr;

  Value *isPending(IRBuilder<> &builder) {
    Value *pending = builder.CreateLoad(builder.getPtrTy(), state, "pending");
    return builder.CreateIsNotNull(pending, "thrown");
  }

  /// Where the function returns with a pending exception. A kernel has no
  /// caller: there the launch ends.
  BasicBlock *leaving() {
    if (leave)
      return leave;
    leave = BasicBlock::Create(module.getContext(), "unwind", &function);
    IRBuilder<> builder(leave);
    if (isEntry) {
      CallInst *end = builder.CreateCall(
          module.getOrInsertFunction(
              "__xcc_uncaught", FunctionType::get(builder.getVoidTy(),
                                                  {builder.getPtrTy()}, false)),
          {state});
      end->setDoesNotReturn();
      if (DISubprogram *place = function.getSubprogram())
        end->setDebugLoc(DILocation::get(module.getContext(), 0, 0, place));
      builder.CreateUnreachable();
    } else if (function.getReturnType()->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      builder.CreateRet(Constant::getNullValue(function.getReturnType()));
    }
    return leave;
  }

  void test(CallBase &call) {
    MDNode *unlikely =
        MDBuilder(module.getContext()).createUnlikelyBranchWeights();
    if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
      BasicBlock *normal = invoke->getNormalDest();
      BasicBlock *pad = invoke->getUnwindDest();
      CallInst *plain = createCallMatchingInvoke(invoke);
      plain->takeName(invoke);
      plain->insertBefore(invoke->getIterator());
      invoke->replaceAllUsesWith(plain);
      IRBuilder<> builder(invoke);
      builder.CreateCondBr(isPending(builder), pad, normal, unlikely);
      invoke->eraseFromParent();
      return;
    }
    auto &plain = cast<CallInst>(call);
    if (plain.isMustTailCall())
      return; // its caller returns at once
    BasicBlock *before = call.getParent();
    BasicBlock *after =
        SplitBlock(before, std::next(call.getIterator()),
                   (DominatorTree *)nullptr, nullptr, nullptr, "returned");
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    const Function *callee = calleeOf(call);
    if (callee && callee->getName() == UnwindName) {
      builder.CreateBr(leaving());
      call.eraseFromParent();
      return;
    }
    builder.CreateCondBr(isPending(builder), leaving(), after, unlikely);
  }

  /// A constant table of the clauses, as device-runtime/exceptions/match.cpp
  /// reads it: type, selector, and of a filter how many types follow.
  Constant *tableOf(const LandingPadInst &pad, unsigned &rows) {
    auto *ptr = PointerType::getUnqual(module.getContext());
    auto *i32 = Type::getInt32Ty(module.getContext());
    auto *rowType = StructType::get(ptr, i32, i32);
    SmallVector<Constant *> table;
    auto add = [&](Constant *type, int selector, int count) {
      table.push_back(ConstantStruct::get(
          rowType, {generic(type), ConstantInt::getSigned(i32, selector),
                    ConstantInt::getSigned(i32, count)}));
    };
    for (unsigned i = 0; i != pad.getNumClauses(); ++i) {
      Constant *clause = pad.getClause(i);
      if (pad.isCatch(i)) {
        add(clause, selectors.of(clause), -1);
        continue;
      }
      unsigned count = cast<ArrayType>(clause->getType())->getNumElements();
      add(ConstantPointerNull::get(ptr), -1, count);
      for (unsigned k = 0; k != count; ++k)
        add(clause->getAggregateElement(k), 0, 0);
    }
    rows = table.size();
    auto *type = ArrayType::get(rowType, rows);
    auto *variable = new GlobalVariable(
        module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
        ConstantArray::get(type, table), "xcc.clauses", nullptr,
        GlobalValue::NotThreadLocal,
        module.getDataLayout().getDefaultGlobalsAddressSpace());
    return generic(variable);
  }

  void lower(LandingPadInst &pad) {
    IRBuilder<> builder(pad.getParent(), pad.getParent()->getFirstNonPHIIt());
    builder.SetInsertPoint(&pad);
    Type *ptr = builder.getPtrTy(), *i32 = builder.getInt32Ty();
    Value *exception = builder.CreateLoad(ptr, state, "exception");
    builder.CreateStore(Constant::getNullValue(ptr), state);
    Value *selector = builder.getInt32(0);
    if (pad.getNumClauses()) {
      unsigned rows = 0;
      Constant *table = tableOf(pad, rows);
      selector = builder.CreateCall(
          module.getOrInsertFunction(
              "__xcc_select",
              FunctionType::get(i32, {ptr, ptr, i32}, /*isVarArg=*/false)),
          {exception, table, builder.getInt32(rows)}, "selector");
    }
    Value *both = PoisonValue::get(pad.getType());
    both = builder.CreateInsertValue(both, exception, 0);
    both = builder.CreateInsertValue(both, selector, 1);
    pad.replaceAllUsesWith(both);
    pad.eraseFromParent();
  }

  void lower(ResumeInst &resume) {
    IRBuilder<> builder(&resume);
    builder.CreateStore(builder.CreateExtractValue(resume.getValue(), 0),
                        state);
    builder.CreateBr(leaving());
    resume.eraseFromParent();
  }

  void lowerTypeId(IntrinsicInst &call) {
    call.replaceAllUsesWith(
        ConstantInt::get(call.getType(), selectors.of(call.getArgOperand(0))));
    call.eraseFromParent();
  }
};

/// What is called may return where it did not, and without a value.
void allowReturns(CallBase &call) {
  call.removeFnAttr(Attribute::NoReturn);
  call.setAttributes(withoutPromises(call.getAttributes(), call.getContext()));
  for (unsigned kind :
       {LLVMContext::MD_range, LLVMContext::MD_nonnull, LLVMContext::MD_noundef,
        LLVMContext::MD_dereferenceable,
        LLVMContext::MD_dereferenceable_or_null, LLVMContext::MD_align})
    call.setMetadata(kind, nullptr);
}

void resolveAliases(Module &module) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (isa<Function>(alias.getAliasee()->stripPointerCasts())) {
      alias.replaceAllUsesWith(alias.getAliasee());
      alias.eraseFromParent();
    }
}

/// Clang names a thrown type by a pointer into the space of variables, which
/// our functions do not.
void castArguments(Module &module) {
  for (Function &function : module)
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallBase>(user);
      FunctionType *type = function.getFunctionType();
      if (!call || call->getCalledOperand() != &function ||
          call->getFunctionType() == type || type->isVarArg() ||
          call->arg_size() != type->getNumParams() ||
          call->getType() != type->getReturnType())
        continue;
      IRBuilder<> builder(call);
      for (auto [argument, wanted] : zip(call->args(), type->params()))
        if (argument->getType() != wanted && wanted->isPointerTy())
          argument.set(
              builder.CreatePointerBitCastOrAddrSpaceCast(argument, wanted));
      call->setCalledFunction(&function);
    }
}

} // namespace

void lower(Module &module, const KernelTable &kernels, bool sharesCode) {
  resolveAliases(module);
  castArguments(module);
  const Throwers throwers(module, sharesCode);
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  DenseMap<Function *, SmallVector<CallBase *>> throwing;
  SmallVector<CallBase *> passing;
  for (Function *function : functions) {
    for (Instruction &inst : instructions(*function))
      if (auto *call = dyn_cast<CallBase>(&inst)) {
        if (throwers.needsState(*call))
          passing.push_back(call);
        if (throwers.mayThrow(*call)) {
          allowReturns(*call);
          throwing[function].push_back(call);
        }
      }
  }
  StateParameters states(module, kernels, sharesCode);
  for (Function *&function : functions)
    if (throwers.needsState(*function)) {
      SmallVector<CallBase *> calls = throwing.lookup(function);
      Function *now = states.add(*function, throwers.mayThrow(*function),
                                 throwers.isPointedAt(*function));
      throwing[now] = std::move(calls);
      function = now;
    }
  for (CallBase *call : passing) {
    CallBase *now = states.pass(*call);
    auto &calls = throwing[now->getFunction()];
    replace(calls, call, now);
  }
  Selectors selectors;
  for (Function *function : functions) {
    FunctionLowering(*function, states.of(*function), states.isEntry(*function),
                     selectors)
        .run(throwing[function]);
    states.resolve(*function);
    function->setPersonalityFn(nullptr);
  }
  for (Function &function : module) {
    function.setDoesNotThrow();
    function.setUWTableKind(UWTableKind::None);
  }
}

} // namespace xcc::exceptions
