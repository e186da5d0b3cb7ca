// Calling conventions of functions that may throw or use the exception state
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Conventions.h"
#include "HostCalls.h"
#include "Throwers.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::exceptions {
namespace {

/// As in device-runtime/exceptions/state.h: the pending exception, the handled
/// ones, and the number of those in flight.
StructType *stateType(LLVMContext &context) {
  auto *ptr = PointerType::getUnqual(context);
  return StructType::get(ptr, ptr, Type::getInt32Ty(context));
}

Value *makeState(Function &function) {
  IRBuilder<> builder(&function.getEntryBlock(),
                      function.getEntryBlock().begin());
  AllocaInst *state = builder.CreateAlloca(stateType(function.getContext()),
                                           nullptr, "xcc.exceptions");
  Value *address =
      builder.CreatePointerBitCastOrAddrSpaceCast(state, builder.getPtrTy());
  builder.CreateStore(Constant::getNullValue(state->getAllocatedType()),
                      address);
  return address;
}

void give(IRBuilder<> &builder, Value *state) {
  Module &module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(
      module.getOrInsertFunction(
          "__xcc_give_exceptions",
          FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false)),
      {state});
}

} // namespace

AttributeList withoutPromises(AttributeList list, LLVMContext &context) {
  AttrBuilder kept(context);
  for (Attribute::AttrKind kind :
       {Attribute::SExt, Attribute::ZExt, Attribute::InReg})
    if (list.hasRetAttr(kind))
      kept.addAttribute(kind);
  for (Attribute attribute : list.getRetAttrs())
    list = attribute.isStringAttribute()
               ? list.removeRetAttribute(context, attribute.getKindAsString())
               : list.removeRetAttribute(context, attribute.getKindAsEnum());
  return list.addRetAttributes(context, kept)
      .removeFnAttribute(context, Attribute::Memory);
}

Conventions::Conventions(Module &module, const KernelTable &kernels,
                         bool sharesCode)
    : words(module.getContext(), /*hasTwo=*/!sharesCode), module(module),
      sharesCode(sharesCode) {
  for (const Kernel &kernel : kernels)
    entries.insert(kernel.symbol);
}

bool Conventions::isEntry(const Function &function) const {
  return entries.contains(function.getName());
}

FunctionType *Conventions::typeWith(FunctionType *type, Convention how) const {
  SmallVector<Type *> parameters(type->params());
  if (how.takesState)
    parameters.push_back(PointerType::getUnqual(type->getContext()));
  Type *result = type->getReturnType();
  return FunctionType::get(how.returnsPending ? words.returnType(result)
                                              : result,
                           parameters, type->isVarArg());
}

/// The attributes of a function or call with `count` arguments. A state becomes
/// argument number `at`.
AttributeList Conventions::attributesWith(AttributeList list, Convention how,
                                          unsigned at, unsigned count) const {
  LLVMContext &context = module.getContext();
  AttrBuilder own(context);
  own.addAttribute(Attribute::NonNull).addAttribute(Attribute::NoUndef);
  own.addAttribute(Attribute::NoAlias);
  SmallVector<AttributeSet> parameters;
  for (unsigned i = 0; i <= count; ++i) {
    if (i == at && how.takesState)
      parameters.push_back(AttributeSet::get(context, own));
    if (i == count)
      break;
    AttributeSet set = list.getParamAttrs(i);
    // These attributes describe a result of the C++ type.
    if (how.returnsPending)
      set = set.removeAttribute(context, Attribute::Returned)
                .removeAttribute(context, Attribute::StructRet);
    parameters.push_back(set);
  }
  AttributeSet function =
      list.getFnAttrs().removeAttribute(context, Attribute::Memory);
  if (how.returnsPending)
    function = function.removeAttribute(context, Attribute::AllocSize)
                   .removeAttribute(context, Attribute::AllocKind);
  return AttributeList::get(
      context, function,
      how.returnsPending ? AttributeSet() : list.getRetAttrs(), parameters);
}

/// Gives the function that pointers lead to a new body, which calls \p now, the
/// one with the convention. It passes the state that the caller has left, or
/// one of its own.
void Conventions::makePointerEntry(Function &function, Function &now,
                                   Convention how) {
  LLVMContext &context = module.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "", &function);
  IRBuilder<> builder(entry);
  builder.CreateUnreachable();
  Value *own = how.takesState ? makeState(function) : nullptr;
  builder.SetInsertPoint(entry->getTerminator());
  Value *given = builder.CreateCall(
      module.getOrInsertFunction("__xcc_take_exceptions", builder.getPtrTy()));
  Value *isGiven = builder.CreateIsNotNull(given);
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  if (how.takesState)
    arguments.push_back(builder.CreateSelect(isGiven, given, own));
  CallInst *call = builder.CreateCall(&now, arguments);
  call->setCallingConv(now.getCallingConv());
  call->setAttributes(now.getAttributes());
  Value *result = call;
  if (how.returnsPending) {
    BasicBlock *thrown = BasicBlock::Create(context, "thrown", &function);
    BasicBlock *leave = BasicBlock::Create(context, "leave", &function);
    BasicBlock *uncaught = BasicBlock::Create(context, "uncaught", &function);
    BasicBlock *done = BasicBlock::Create(context, "done", &function);
    Pending pending = words.pendingOf(builder, call);
    result = function.getReturnType()->isVoidTy()
                 ? nullptr
                 : builder.CreateExtractValue(call, 0);
    builder.CreateCondBr(words.isSome(builder, pending), thrown, done);
    builder.SetInsertPoint(thrown);
    Value *exception = words.exceptionOf(builder, pending);
    builder.CreateCondBr(isGiven, leave, uncaught);
    builder.SetInsertPoint(leave);
    builder.CreateStore(exception, given);
    builder.CreateBr(done);
    builder.SetInsertPoint(uncaught);
    builder.CreateCall(
        module.getOrInsertFunction(
            ThrowThroughName, FunctionType::get(builder.getVoidTy(),
                                                {builder.getPtrTy()}, false)),
        {exception});
    letUnwind(function);
    builder.CreateCall(
        module.getOrInsertFunction(
            UncaughtName, FunctionType::get(builder.getVoidTy(),
                                            {builder.getPtrTy()}, false)),
        {exception});
    builder.CreateUnreachable();
    builder.SetInsertPoint(done);
    entry->getTerminator()->eraseFromParent();
  }
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(result);
  if (!how.returnsPending)
    entry->getTerminator()->eraseFromParent();
}

/// Moves the body to a new function of the convention's type. With \p keep, the
/// old function stays, for pointers.
Function *Conventions::replace(Function &function, Convention how, bool keep) {
  FunctionType *old = function.getFunctionType();
  Function *now = Function::Create(typeWith(old, how), function.getLinkage(),
                                   function.getAddressSpace());
  module.getFunctionList().insert(function.getIterator(), now);
  if (keep)
    now->setName(function.getName() + ".state");
  else
    now->takeName(&function);
  now->copyAttributesFrom(&function);
  // A function that is available externally becomes internal: if it were not
  // inlined, the library's definition would be called by the old convention.
  if (keep || function.hasAvailableExternallyLinkage())
    now->setLinkage(GlobalValue::InternalLinkage);
  now->setAttributes(attributesWith(function.getAttributes(), how,
                                    old->getNumParams(), old->getNumParams()));
  if (!keep)
    now->setComdat(function.getComdat());
  now->splice(now->begin(), &function);
  for (auto [from, to] : zip(function.args(), now->args())) {
    from.replaceAllUsesWith(&to);
    to.takeName(&from);
  }
  now->copyMetadata(&function, 0);
  function.clearMetadata();
  return now;
}

Function *Conventions::apply(Function &function, Convention how,
                             bool isPointedAt) {
  if (how.returnsPending) {
    function.removeFnAttr(Attribute::NoReturn);
    function.setAttributes(
        withoutPromises(function.getAttributes(), module.getContext()));
  }
  if (isEntry(function))
    how.takesState = how.returnsPending = false;
  if (how.isPlain()) {
    if (how.usesState)
      states[&function] = makeState(function);
    return &function;
  }
  const bool keep = sharesCode && isPointedAt;
  if (keep && function.isVarArg())
    module.getContext().emitError(
        "'" + demangle(function.getName()) +
        "' has a variable number of arguments, may throw, and is called "
        "through a pointer in device code that catches exceptions: call it by "
        "its name");
  Function *now = replace(function, how, keep);
  if (keep) {
    function.setPersonalityFn(nullptr);
    function.removeFnAttr(Attribute::Memory);
    behindPointers[&function] = now;
    if (!function.isVarArg())
      makePointerEntry(function, *now, how);
  } else {
    function.replaceAllUsesWith(now);
    function.eraseFromParent();
  }
  if (how.takesState) {
    Argument *state = std::prev(now->arg_end());
    state->setName("xcc.exceptions");
    states[now] = state;
  } else if (how.usesState) {
    states[now] = makeState(*now);
  }
  return now;
}

Value *Conventions::stateOf(const Function &function) const {
  return states.lookup(&function);
}

/// Leaves the state for a call through a pointer, and returns it.
Value *Conventions::addStateParameter(CallBase &call) const {
  Value *state = stateOf(*call.getFunction());
  IRBuilder<> builder(&call);
  give(builder, state);
  return state;
}

Pending Conventions::takePending(CallInst &now, Value *state) const {
  IRBuilder<> builder(now.getParent(), std::next(now.getIterator()));
  // The variable still holds the state if the callee did not take it.
  Constant *null = Constant::getNullValue(builder.getPtrTy());
  give(builder, null);
  Value *pending = builder.CreateLoad(builder.getPtrTy(), state, "pending");
  // A caller that has passed on the same state would take the exception for its
  // own.
  builder.CreateStore(null, state);
  return {pending};
}

MadeCall Conventions::call(CallBase &call, Convention how) const {
  Value *callee = call.getCalledOperand();
  if (Function *now = behindPointers.lookup(dyn_cast<Function>(callee)))
    callee = now;
  FunctionType *old = call.getFunctionType();
  Value *state = how.usesVariable ? addStateParameter(call) : nullptr;
  SmallVector<Value *> arguments(call.args());
  AttributeList attributes = attributesWith(
      call.getAttributes(), how, old->getNumParams(), arguments.size());
  if (how.takesState)
    arguments.insert(arguments.begin() + old->getNumParams(),
                     stateOf(*call.getFunction()));
  SmallVector<OperandBundleDef> bundles;
  call.getOperandBundlesAsDefs(bundles);
  auto *now = CallInst::Create(typeWith(old, how), callee, arguments, bundles,
                               "", call.getIterator());
  now->setCallingConv(call.getCallingConv());
  now->setAttributes(attributes);
  if (isa<CallInst>(call))
    now->copyMetadata(call);
  else
    now->setDebugLoc(call.getDebugLoc());
  Pending pending;
  Value *result = now;
  if (how.usesVariable)
    pending = takePending(*now, state);
  if (how.returnsPending) {
    IRBuilder<> builder(now->getParent(), std::next(now->getIterator()));
    builder.SetCurrentDebugLocation(now->getDebugLoc());
    pending = words.pendingOf(builder, now);
    result = old->getReturnType()->isVoidTy()
                 ? nullptr
                 : builder.CreateExtractValue(now, 0);
  }
  if (!call.getType()->isVoidTy()) {
    result->takeName(&call);
    call.replaceAllUsesWith(result);
  }
  return {now, pending};
}

void Conventions::resolve(Function &function) const {
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&inst)) {
      const Function *callee = calleeOf(*call);
      if (!callee || callee->getName() != StateName)
        continue;
      call->replaceAllUsesWith(stateOf(function));
      call->eraseFromParent();
    }
}

void Conventions::addStateParameters() const {
  Function *uncaught = module.getFunction(UncaughtName);
  if (!uncaught)
    return;
  for (User *user : make_early_inc_range(uncaught->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledOperand() != uncaught ||
        call->arg_size() == uncaught->arg_size())
      continue;
    Function &caller = *call->getFunction();
    Value *own = stateOf(caller);
    SmallVector<Value *> arguments(call->args());
    arguments.push_back(own ? own : makeState(caller));
    auto *made = CallInst::Create(uncaught, arguments, "", call->getIterator());
    made->setCallingConv(uncaught->getCallingConv());
    made->copyMetadata(*call);
    call->eraseFromParent();
  }
}

} // namespace xcc::exceptions
