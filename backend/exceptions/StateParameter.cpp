// Where a function finds the state of its thread's exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StateParameter.h"
#include "Throwers.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::exceptions {
namespace {

/// As device-runtime/exceptions/state.h has it: the pending exception, those
/// that are handled, and the number of those in flight.
StructType *stateType(LLVMContext &context) {
  auto *ptr = PointerType::getUnqual(context);
  return StructType::get(ptr, ptr, Type::getInt32Ty(context));
}

FunctionType *withState(FunctionType *type) {
  SmallVector<Type *> parameters(type->params());
  parameters.push_back(PointerType::getUnqual(type->getContext()));
  return FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

/// The attributes of a call or function whose parameter number `at` is new.
AttributeList withState(AttributeList list, LLVMContext &context, unsigned at,
                        unsigned count) {
  SmallVector<AttributeSet> parameters;
  AttrBuilder own(context);
  own.addAttribute(Attribute::NonNull).addAttribute(Attribute::NoUndef);
  own.addAttribute(Attribute::NoAlias);
  for (unsigned i = 0; i != count; ++i) {
    if (i == at)
      parameters.push_back(AttributeSet::get(context, own));
    parameters.push_back(list.getParamAttrs(i));
  }
  if (at == count)
    parameters.push_back(AttributeSet::get(context, own));
  return AttributeList::get(
      context, list.getFnAttrs().removeAttribute(context, Attribute::Memory),
      list.getRetAttrs(), parameters);
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

StateParameters::StateParameters(Module &module, const KernelTable &kernels,
                                 bool sharesCode)
    : module(module), sharesCode(sharesCode) {
  for (const Kernel &kernel : kernels)
    entries.insert(kernel.symbol);
}

bool StateParameters::isEntry(const Function &function) const {
  return entries.contains(function.getName());
}

/// The function that pointers lead to: the one that has the state, called with
/// what the caller has left, or with a state of its own.
void StateParameters::keepForPointers(Function &function, Function &now) {
  LLVMContext &context = module.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "", &function);
  BasicBlock *uncaught = BasicBlock::Create(context, "uncaught", &function);
  BasicBlock *done = BasicBlock::Create(context, "done", &function);
  IRBuilder<> builder(entry);
  builder.CreateUnreachable();
  Value *own = makeState(function);
  builder.SetInsertPoint(entry->getTerminator());
  Value *given = builder.CreateCall(
      module.getOrInsertFunction("__xcc_take_exceptions", builder.getPtrTy()));
  Value *isGiven = builder.CreateIsNotNull(given);
  Value *state = builder.CreateSelect(isGiven, given, own);
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  arguments.push_back(state);
  CallInst *call = builder.CreateCall(&now, arguments);
  call->setCallingConv(now.getCallingConv());
  call->setAttributes(now.getAttributes());
  Value *escapes = builder.CreateAnd(
      builder.CreateNot(isGiven),
      builder.CreateIsNotNull(builder.CreateLoad(builder.getPtrTy(), own)));
  builder.CreateCondBr(escapes, uncaught, done);
  entry->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(uncaught);
  builder.CreateCall(
      module.getOrInsertFunction(
          "__xcc_uncaught",
          FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false)),
      {own});
  builder.CreateUnreachable();
  builder.SetInsertPoint(done);
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

Function *StateParameters::add(Function &function, bool mayThrow,
                               bool isPointedAt) {
  if (mayThrow) {
    function.removeFnAttr(Attribute::NoReturn);
    function.setAttributes(
        withoutPromises(function.getAttributes(), module.getContext()));
  }
  if (isEntry(function)) {
    states[&function] = makeState(function);
    return &function;
  }
  FunctionType *old = function.getFunctionType();
  Function *now = Function::Create(withState(old), function.getLinkage(),
                                   function.getAddressSpace());
  module.getFunctionList().insert(function.getIterator(), now);
  const bool keep = sharesCode && isPointedAt;
  if (keep && function.isVarArg())
    module.getContext().emitError(
        "'" + demangle(function.getName()) +
        "' has a variable number of arguments, may throw, and is called "
        "through a pointer in device code that catches exceptions: call it by "
        "its name");
  if (keep) {
    now->setName(function.getName() + ".state");
    now->setLinkage(GlobalValue::InternalLinkage);
  } else {
    now->takeName(&function);
  }
  now->copyAttributesFrom(&function);
  now->setAttributes(withState(function.getAttributes(), module.getContext(),
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
  if (keep) {
    function.setPersonalityFn(nullptr);
    function.removeFnAttr(Attribute::Memory);
    behindPointers[&function] = now;
    if (!function.isVarArg())
      keepForPointers(function, *now);
  } else {
    function.replaceAllUsesWith(now);
    function.eraseFromParent();
  }
  Argument *state = now->getArg(old->getNumParams());
  state->setName("xcc.exceptions");
  states[now] = state;
  return now;
}

Value *StateParameters::of(const Function &function) const {
  return states.lookup(&function);
}

CallBase *StateParameters::pass(CallBase &call) const {
  Value *callee = call.getCalledOperand();
  if (Function *now = behindPointers.lookup(dyn_cast<Function>(callee))) {
    callee = now;
  } else if (sharesCode && !isa<Function>(callee)) {
    IRBuilder<> builder(&call);
    builder.CreateCall(module.getOrInsertFunction(
                           "__xcc_give_exceptions",
                           FunctionType::get(builder.getVoidTy(),
                                             {builder.getPtrTy()}, false)),
                       {of(*call.getFunction())});
    return &call;
  }
  FunctionType *old = call.getFunctionType();
  const unsigned at = old->getNumParams();
  SmallVector<Value *> arguments(call.args());
  AttributeList attributes =
      withState(call.getAttributes(), call.getContext(), at, arguments.size());
  arguments.insert(arguments.begin() + at, of(*call.getFunction()));
  SmallVector<OperandBundleDef> bundles;
  call.getOperandBundlesAsDefs(bundles);
  CallBase *now;
  if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
    now = InvokeInst::Create(withState(old), callee, invoke->getNormalDest(),
                             invoke->getUnwindDest(), arguments, bundles, "",
                             call.getIterator());
  } else {
    auto *plain = CallInst::Create(withState(old), callee, arguments, bundles,
                                   "", call.getIterator());
    // A callee of a tail call has no pointers into its caller's frame.
    if (cast<CallInst>(call).isMustTailCall())
      plain->setTailCallKind(CallInst::TCK_MustTail);
    now = plain;
  }
  now->setCallingConv(call.getCallingConv());
  now->setAttributes(attributes);
  now->copyMetadata(call);
  now->takeName(&call);
  call.replaceAllUsesWith(now);
  call.eraseFromParent();
  return now;
}

void StateParameters::resolve(Function &function) const {
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&inst)) {
      const Function *callee = calleeOf(*call);
      if (!callee || callee->getName() != StateName)
        continue;
      call->replaceAllUsesWith(of(function));
      call->eraseFromParent();
    }
}

} // namespace xcc::exceptions
