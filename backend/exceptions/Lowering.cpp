// From unwinding to tests and branches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   invoke f(x) to %normal unwind %pad
//
// becomes
//
//   {result, pending} = call f(x)
//   br (pending != null), %pad, %normal
//
// and a call that may throw where nothing catches is followed by such a test
// and a return. A landing pad takes the pending exception and calls the device
// runtime to find its first clause that matches.

#include "Conventions.h"
#include "Exceptions.h"
#include "HostCalls.h"
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

/// Removes promises that fail if the callee throws: it may return although it
/// did not before, and has no value then.
void allowReturns(CallBase &call) {
  call.removeFnAttr(Attribute::NoReturn);
  call.setAttributes(withoutPromises(call.getAttributes(), call.getContext()));
  for (unsigned kind :
       {LLVMContext::MD_range, LLVMContext::MD_nonnull, LLVMContext::MD_noundef,
        LLVMContext::MD_dereferenceable,
        LLVMContext::MD_dereferenceable_or_null, LLVMContext::MD_align})
    call.setMetadata(kind, nullptr);
}

/// A call to be changed: its convention, and whether it may throw.
struct Change {
  CallBase *call;
  Convention how;
  bool mayThrow;
};

class FunctionLowering {
public:
  /// `own` is the function's convention.
  FunctionLowering(Function &function, Convention own, bool queriesState,
                   const Conventions &conventions, Selectors &selectors)
      : function(function), module(*function.getParent()), own(own),
        queriesState(queriesState), conventions(conventions),
        words(conventions.words), state(conventions.stateOf(function)),
        selectors(selectors) {}

  void run(ArrayRef<Change> changes) {
    for (const Change &change : changes)
      lower(change);
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
    if (own.returnsPending)
      lowerReturns();
  }

private:
  Function &function;
  Module &module;
  const Convention own;
  const bool queriesState;
  const Conventions &conventions;
  const PendingWords &words;
  Value *state;
  Selectors &selectors;
  BasicBlock *leave = nullptr;
  DenseMap<BasicBlock *, SmallVector<PHINode *, 2>> arrived;

  /// The pending exception at the start of a block that throws lead to.
  SmallVector<PHINode *, 2> &pendingAt(BasicBlock &block) {
    SmallVector<PHINode *, 2> &phis = arrived[&block];
    IRBuilder<> builder(&block, block.begin());
    if (phis.empty())
      for (Type *type : words.types())
        phis.push_back(builder.CreatePHI(type, 2, "pending"));
    return phis;
  }

  void arrive(BasicBlock &block, ArrayRef<Value *> pending, BasicBlock &from) {
    for (auto [phi, word] : zip(pendingAt(block), pending))
      phi->addIncoming(word, &from);
  }

  Value *exceptionAt(BasicBlock &block, IRBuilder<> &builder) {
    auto &phis = pendingAt(block);
    return words.exceptionOf(builder, Pending(phis.begin(), phis.end()));
  }

  /// The block for pending exceptions that nothing in this function catches.
  BasicBlock &leaving() {
    if (!leave) {
      leave = BasicBlock::Create(module.getContext(), "unwind", &function);
      pendingAt(*leave);
      if (!own.returnsPending)
        endLaunch();
    }
    return *leave;
  }

  /// Ends the launch: a kernel has no caller, and the caller of a function that
  /// calls std::set_terminate's handler would not continue.
  void endLaunch() {
    IRBuilder<> builder(leave);
    CallInst *end = builder.CreateCall(
        module.getOrInsertFunction(
            UncaughtName, FunctionType::get(builder.getVoidTy(),
                                            {builder.getPtrTy()}, false)),
        {exceptionAt(*leave, builder)});
    end->setDoesNotReturn();
    if (DISubprogram *place = function.getSubprogram())
      end->setDebugLoc(DILocation::get(module.getContext(), 0, 0, place));
    builder.CreateUnreachable();
  }

  /// Joins threads that throw and threads that do not in one return, so that a
  /// test is a branch around the code that follows.
  void lowerReturns() {
    SmallVector<ReturnInst *> returns;
    for (BasicBlock &block : function)
      if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator());
          ret && !block.getTerminatingMustTailCall())
        returns.push_back(ret);
    auto *type = cast<StructType>(function.getReturnType());
    const bool hasResult = type->getNumElements() != words.types().size();
    BasicBlock *all =
        leave ? leave
              : BasicBlock::Create(module.getContext(), "return", &function);
    auto &pending = pendingAt(*all);
    IRBuilder<> builder(all);
    PHINode *result = nullptr;
    if (hasResult) {
      builder.SetInsertPoint(all, all->begin());
      result = builder.CreatePHI(type->getElementType(0), 2, "result");
      for (BasicBlock *from : pending[0]->blocks())
        result->addIncoming(PoisonValue::get(result->getType()), from);
      builder.SetInsertPoint(all);
    }
    for (ReturnInst *ret : returns) {
      if (result)
        result->addIncoming(ret->getReturnValue(), ret->getParent());
      arrive(*all, words.none(), *ret->getParent());
      BranchInst::Create(all, ret->getParent())
          ->setDebugLoc(ret->getDebugLoc());
      ret->eraseFromParent();
    }
    if (pred_empty(all)) { // the function never returns
      all->eraseFromParent();
      return;
    }
    builder.CreateRet(words.join(builder, type, result,
                                 Pending(pending.begin(), pending.end())));
  }

  /// Whether a musttail call can stay one.
  bool keepsTail(const Change &change) {
    auto *call = dyn_cast<CallInst>(change.call);
    return call && call->isMustTailCall() && !change.how.usesVariable &&
           change.how.takesState == own.takesState &&
           change.how.returnsPending == own.returnsPending;
  }

  void lowerTail(const Change &change) {
    auto *ret = cast<ReturnInst>(change.call->getParent()->getTerminator());
    MadeCall made = conventions.call(*change.call, change.how);
    made.call->setTailCallKind(CallInst::TCK_MustTail);
    IRBuilder<> builder(ret);
    if (made.call->getType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(made.call);
    ret->eraseFromParent();
    while (made.call->getNextNode() != made.call->getParent()->getTerminator())
      made.call->getParent()->getTerminator()->getPrevNode()->eraseFromParent();
  }

  void lower(const Change &change) {
    CallBase &call = *change.call;
    if (keepsTail(change))
      return lowerTail(change);
    if (call.isMustTailCall())
      cast<CallInst>(call).setTailCallKind(CallInst::TCK_None);
    const Function *callee = calleeOf(call);
    if (callee && callee->getName() == UnwindName)
      return lowerUnwind(call);
    if (change.mayThrow)
      allowReturns(call);
    MadeCall made = conventions.call(call, change.how);
    if (change.mayThrow)
      test(call, made.pending);
    else
      call.eraseFromParent();
  }

  /// Lowers a throw to a jump to the landing pad, or a return.
  void lowerUnwind(CallBase &call) {
    BasicBlock *block = call.getParent();
    IRBuilder<> builder(&call);
    BasicBlock *pad = isa<InvokeInst>(call)
                          ? cast<InvokeInst>(call).getUnwindDest()
                          : &leaving();
    Pending pending = words.of(builder, call.getArgOperand(0));
    if (auto *invoke = dyn_cast<InvokeInst>(&call))
      invoke->getNormalDest()->removePredecessor(block);
    else
      changeToUnreachable(&call);
    block->getTerminator()->eraseFromParent();
    BranchInst::Create(pad, block);
    arrive(*pad, pending, *block);
  }

  /// Branches to the landing pad or returns if the call has thrown.
  void test(CallBase &call, ArrayRef<Value *> pending) {
    MDNode *unlikely =
        MDBuilder(module.getContext()).createUnlikelyBranchWeights();
    BasicBlock *block = call.getParent();
    BasicBlock *normal, *thrown;
    if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
      normal = invoke->getNormalDest();
      thrown = invoke->getUnwindDest();
    } else {
      normal =
          SplitBlock(block, std::next(call.getIterator()),
                     (DominatorTree *)nullptr, nullptr, nullptr, "returned");
      thrown = &leaving();
      block->getTerminator()->eraseFromParent();
    }
    IRBuilder<> builder(block);
    if (call.isTerminator())
      builder.SetInsertPoint(&call);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    builder.CreateCondBr(words.isSome(builder, pending), thrown, normal,
                         unlikely);
    call.eraseFromParent();
    arrive(*thrown, pending, *block);
  }

  /// A constant table of the clauses, as device-runtime/exceptions/match.cpp
  /// reads it: type, selector, and for a filter the number of types that
  /// follow.
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

  /// Changes the number of exceptions in flight. Only a function that queries
  /// it can observe it, and only behind a landing pad.
  void count(IRBuilder<> &builder, int change) {
    if (!queriesState)
      return;
    auto *type = builder.getInt32Ty();
    Value *place = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), state,
        2 * module.getDataLayout().getPointerSize());
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(type, place),
                                          ConstantInt::getSigned(type, change)),
                        place);
  }

  void lower(LandingPadInst &pad) {
    IRBuilder<> builder(&pad);
    Type *ptr = builder.getPtrTy(), *i32 = builder.getInt32Ty();
    Value *exception = exceptionAt(*pad.getParent(), builder);
    count(builder, 1);
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
    count(builder, -1);
    Pending pending =
        words.of(builder, builder.CreateExtractValue(resume.getValue(), 0));
    BasicBlock &leave = leaving();
    builder.CreateBr(&leave);
    arrive(leave, pending, *resume.getParent());
    resume.eraseFromParent();
  }

  void lowerTypeId(IntrinsicInst &call) {
    call.replaceAllUsesWith(
        ConstantInt::get(call.getType(), selectors.of(call.getArgOperand(0))));
    call.eraseFromParent();
  }
};

void resolveAliases(Module &module) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (isa<Function>(alias.getAliasee()->stripPointerCasts())) {
      alias.replaceAllUsesWith(alias.getAliasee());
      alias.eraseFromParent();
    }
}

/// Casts arguments: Clang names a thrown type by a pointer into the address
/// space of variables, but our functions take generic pointers.
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

/// Marks parts of throws and handlers as cold. Threads that come there leave
/// their vectors (block/simd/ColdPaths.h).
void markCold(CallBase &call) {
  const Function *callee = calleeOf(call);
  const bool isKnown =
      callee && (callee->getName() == "__cxa_allocate_exception" ||
                 callee->getName() == "__cxa_begin_catch");
  if (isKnown)
    call.setIsNoInline();
  if (isKnown || call.doesNotReturn())
    call.addFnAttr(Attribute::Cold);
}

} // namespace

void lower(Module &module, const KernelTable &kernels, bool sharesCode) {
  resolveAliases(module);
  castArguments(module);
  if (sharesCode)
    catchHostCalls(module);
  const Throwers throwers(module, sharesCode);
  Conventions conventions(module, kernels, sharesCode);
  struct Plan {
    Function *function;
    Convention own;
    bool queriesState;
    SmallVector<Change> changes;
  };
  // The C++ types decide everything, so plan before the first one changes.
  std::vector<Plan> plans;
  for (Function &function : module) {
    if (function.isDeclaration() || isUnwound(function))
      continue;
    const bool isEntry = conventions.isEntry(function);
    Plan plan{&function, {}, throwers.queriesState(function), {}};
    plan.own.takesState = !isEntry && throwers.takesState(function);
    plan.own.returnsPending = !isEntry && throwers.returnsPending(function);
    plan.own.usesState = throwers.usesState(function);
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst)) {
        if (sharesCode)
          markCold(*call);
        Convention how;
        how.takesState = throwers.takesState(*call);
        how.returnsPending = throwers.returnsPending(*call);
        how.usesVariable = throwers.usesVariable(*call);
        const bool isTail = call->isMustTailCall() && !plan.own.isPlain();
        if (!how.isPlain() || throwers.mayThrow(*call) || isTail)
          plan.changes.push_back({call, how, throwers.mayThrow(*call)});
      }
    plans.push_back(std::move(plan));
  }
  for (Plan &plan : plans)
    plan.function = conventions.apply(*plan.function, plan.own,
                                      throwers.isPointedAt(*plan.function));
  Selectors selectors;
  for (const Plan &plan : plans) {
    FunctionLowering(*plan.function, plan.own, plan.queriesState, conventions,
                     selectors)
        .run(plan.changes);
    conventions.resolve(*plan.function);
    plan.function->setPersonalityFn(nullptr);
  }
  conventions.addStateParameters();
  if (Function *function = module.getFunction(ThrowThroughName))
    letUnwind(*function);
  for (Function &function : module) {
    if (isUnwound(function))
      continue;
    function.setDoesNotThrow();
    function.setUWTableKind(UWTableKind::None);
  }
}

} // namespace xcc::exceptions
