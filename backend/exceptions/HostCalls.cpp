// Exceptions that the host's code throws into device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   r = call f(x)
//
// becomes a call of
//
//   f.host(x):                            f.call(data):
//     data = {x}                            data->r = call f(data->x)
//     if (e = __xcc_call_host(f.call, &data))
//       throw e
//     return data.r

#include "HostCalls.h"
#include "Throwers.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace xcc::exceptions {
namespace {

constexpr StringLiteral Mark = "xcc-may-be-hosts";
constexpr StringLiteral PointerMark = "xcc-reaches-pointer";

/// Whether \p callee throws nothing. Functions of the runtimes and the compiler
/// never throw. Of the C library's functions, only those that call back may
/// throw, and of these LLVM knows only qsort.
bool isSilent(const Function &callee, const TargetLibraryInfo &libc) {
  LibFunc known;
  StringRef name = callee.getName();
  return callee.doesNotThrow() || callee.isIntrinsic() ||
         name.starts_with("__xcc_") || name.starts_with("xcc_") ||
         callee.hasFnAttribute(Attribute::ReturnsTwice) ||
         (!name.starts_with("_Z") && libc.getLibFunc(callee, known) &&
          known != LibFunc_qsort);
}

/// Makes the two functions for a call: the one that replaces it, and the one
/// through which exceptions unwind.
class Caller {
public:
  explicit Caller(CallBase &call)
      : call(call), module(*call.getModule()), callee(calleeOf(call)),
        name(callee ? callee->getName() : "pointer") {}

  Function *make() {
    for (Value *argument : call.args())
      types.push_back(argument->getType());
    if (!callee)
      types.push_back(call.getCalledOperand()->getType());
    SmallVector<Type *> fields(types);
    if (!call.getType()->isVoidTy())
      fields.push_back(call.getType());
    data = StructType::get(module.getContext(), fields);
    makeCall();
    makeOuter();
    return outer;
  }

private:
  CallBase &call;
  Module &module;
  Function *const callee;
  const StringRef name;
  SmallVector<Type *> types; ///< of the arguments, then of a called pointer
  StructType *data = nullptr;
  Function *inner = nullptr, *outer = nullptr;

  Function *create(Type *result, ArrayRef<Type *> parameters,
                   StringRef suffix) const {
    Function *made = Function::Create(
        FunctionType::get(result, parameters, /*isVarArg=*/false),
        GlobalValue::InternalLinkage, name + suffix, module);
    made->addFnAttr(Attribute::NoInline);
    // Compile for the caller's machine.
    for (StringRef kind : {"target-cpu", "target-features", "tune-cpu"})
      if (Attribute own = call.getFunction()->getFnAttribute(kind);
          own.isValid())
        made->addFnAttr(own);
    BasicBlock::Create(module.getContext(), "", made);
    return made;
  }

  void makeCall() {
    auto *ptr = PointerType::getUnqual(module.getContext());
    inner = create(Type::getVoidTy(module.getContext()), {ptr}, ".call");
    inner->addFnAttr(UnwoundMark);
    inner->setUWTableKind(UWTableKind::Default);
    IRBuilder<> builder(&inner->getEntryBlock());
    SmallVector<Value *> arguments;
    for (auto [i, type] : enumerate(types))
      arguments.push_back(
          builder.CreateLoad(type, field(builder, inner->getArg(0), i)));
    Value *called = callee ? callee : arguments.pop_back_val();
    CallInst *made =
        builder.CreateCall(call.getFunctionType(), called, arguments);
    made->setCallingConv(call.getCallingConv());
    made->setAttributes(call.getAttributes());
    made->removeFnAttr(Mark);
    made->removeFnAttr(Attribute::NoReturn);
    if (!call.getType()->isVoidTy())
      builder.CreateStore(made, field(builder, inner->getArg(0), types.size()));
    builder.CreateRetVoid();
  }

  void makeOuter() {
    outer = create(call.getType(), types, ".host");
    LLVMContext &context = module.getContext();
    IRBuilder<> builder(&outer->getEntryBlock());
    auto *ptr = builder.getPtrTy();
    Value *place = builder.CreateAlloca(data);
    for (auto [i, argument] : enumerate(outer->args()))
      builder.CreateStore(&argument, field(builder, place, i));
    CallInst *pending = builder.CreateCall(
        module.getOrInsertFunction("__xcc_call_host",
                                   FunctionType::get(ptr, {ptr, ptr}, false)),
        {inner, place});
    if (!callee)
      pending->addFnAttr(Attribute::get(context, PointerMark));
    BasicBlock *thrown = BasicBlock::Create(context, "thrown", outer);
    BasicBlock *done = BasicBlock::Create(context, "done", outer);
    builder.CreateCondBr(builder.CreateIsNotNull(pending), thrown, done);
    builder.SetInsertPoint(thrown);
    builder.CreateCall(
        module.getOrInsertFunction(
            UnwindName, FunctionType::get(builder.getVoidTy(), {ptr}, false)),
        {pending});
    builder.CreateUnreachable();
    builder.SetInsertPoint(done);
    if (call.getType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(builder.CreateLoad(
          call.getType(), field(builder, place, types.size())));
  }

  Value *field(IRBuilder<> &builder, Value *place, unsigned number) const {
    return builder.CreateStructGEP(data, place, number);
  }
};

/// Equal for calls that the same function can make.
struct Key {
  const Value *callee; ///< null: a pointer
  FunctionType *type;
  AttributeList attributes;
  SmallVector<Type *> arguments;
  explicit Key(const CallBase &call)
      : callee(calleeOf(call)), type(call.getFunctionType()),
        attributes(call.getAttributes()) {
    for (const Value *argument : call.args())
      arguments.push_back(argument->getType());
  }
  bool operator<(const Key &other) const {
    return std::tuple(callee, type, attributes.getRawPointer(), arguments) <
           std::tuple(other.callee, other.type,
                      other.attributes.getRawPointer(), other.arguments);
  }
};

void replace(CallBase &call, Function &outer) {
  const bool isPointer = !calleeOf(call);
  SmallVector<Value *> arguments(call.args());
  if (isPointer)
    arguments.push_back(call.getCalledOperand());
  IRBuilder<> builder(&call);
  CallBase *made;
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    made = builder.CreateInvoke(&outer, invoke->getNormalDest(),
                                invoke->getUnwindDest(), arguments);
  else
    made = builder.CreateCall(&outer, arguments);
  made->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(made);
  made->takeName(&call);
  call.eraseFromParent();
}

} // namespace

void markHostCalls(Module &module) {
  const TargetLibraryInfoImpl known(module.getTargetTriple());
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call || call->isInlineAsm() || call->isMustTailCall() ||
          call->doesNotThrow() || call->hasOperandBundles())
        continue;
      const Function *callee = calleeOf(*call);
      if (!callee || (callee->isDeclaration() &&
                      !isSilent(*callee, TargetLibraryInfo(known, &function))))
        call->addFnAttr(Attribute::get(module.getContext(), Mark));
    }
}

void catchHostCalls(Module &module) {
  SmallVector<CallBase *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst); call && call->hasFnAttr(Mark))
        if (const Function *callee = calleeOf(*call);
            !callee || callee->isDeclaration())
          calls.push_back(call);
  std::map<Key, Function *> made;
  for (CallBase *call : calls) {
    Function *&outer = made[Key(*call)];
    if (!outer)
      outer = Caller(*call).make();
    replace(*call, *outer);
  }
}

void letUnwind(Function &function) {
  function.removeFnAttr(Attribute::NoUnwind);
  function.addFnAttr(UnwoundMark);
  function.setUWTableKind(UWTableKind::Default);
}

bool reachesPointer(const CallBase &call) {
  return call.hasFnAttr(PointerMark);
}

} // namespace xcc::exceptions
