// Kernels of a program whose main runs on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"
#include "Initialisers.h"
#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <cstddef>

using namespace llvm;

namespace xcc {
namespace {

/// The fields of xcc_program_arguments that kernels read.
const KernelParam Params[] = {
    {"argc", "int", 4, 4, offsetof(xcc_program_arguments, argc),
     XCC_PARAM_VALUE},
    {"argv", "char **", 8, 8, offsetof(xcc_program_arguments, argv),
     XCC_PARAM_POINTER},
    {"envp", "char **", 8, 8, offsetof(xcc_program_arguments, envp),
     XCC_PARAM_POINTER},
    {"status", "unsigned int *", 8, 8, offsetof(xcc_program_arguments, status),
     XCC_PARAM_POINTER}};

class ProgramBuilder {
public:
  ProgramBuilder(Module &module, const Target &target, KernelTable &kernels)
      : module(module), target(target), kernels(kernels) {}

  Error run() {
    Function *main = module.getFunction("main");
    if (!main || main->isDeclaration())
      return createStringError("nothing in this link defines 'main', which "
                               "-foffload-main runs on the device");
    FunctionList first = takeList(module, "llvm.global_ctors");
    FunctionList last = takeList(module, "llvm.global_dtors");
    if (target.runsHostPrograms())
      keepAsItIs();
    else
      first = reduceInitialisers(module, first,
                                 [](FunctionList all) { return all; });
    makeEntry(XCC_SYMBOL_BEGIN, "constructors of the program", 1);
    for (Function *function : first)
      call(*function);
    builder->CreateRetVoid();
    makeEntry(XCC_SYMBOL_START, "main", 0);
    callMain(*main);
    builder->CreateRetVoid();
    makeEntry(XCC_SYMBOL_END, "destructors of the program", 1);
    callLast(last);
    builder->CreateRetVoid();
    if (!target.runsHostPrograms())
      makeExit(last);
    return Error::success();
  }

private:
  Module &module;
  const Target &target;
  KernelTable &kernels;
  std::optional<IRBuilder<>> builder;
  SmallVector<Value *, 4> arguments; ///< of the entry that is built

  void makeEntry(StringRef symbol, StringRef name, unsigned maxThreads) {
    Function *entry =
        makeKernel(module, target, symbol, name, kernels, maxThreads, Params);
    builder.emplace(&entry->front());
    arguments = argumentsOf(*entry, target, Params, *builder);
  }

  /// Calls main or a constructor with the parameters that it declares, of argc,
  /// argv and envp. The GNU C library passes the same to constructors.
  CallInst *call(Function &function) {
    // Keep the program's functions separate: their variables live as long as
    // they do, and a debugger shows their frames.
    if (!function.hasFnAttribute(Attribute::AlwaysInline))
      function.addFnAttr(Attribute::NoInline);
    SmallVector<Value *, 4> given;
    for (auto [index, parameter] : enumerate(function.args())) {
      Type *type = parameter.getType();
      Value *value = index < 3 ? arguments[index] : nullptr;
      if (!value || value->getType()->isPointerTy() != type->isPointerTy())
        value = PoisonValue::get(type);
      else if (type->isIntegerTy())
        value = builder->CreateSExtOrTrunc(value, type);
      given.push_back(value);
    }
    CallInst *made = builder->CreateCall(&function, given);
    made->setCallingConv(function.getCallingConv());
    return made;
  }

  void callMain(Function &main) {
    Value *result = call(main);
    Value *status = builder->getInt32(0);
    if (result->getType()->isIntegerTy())
      status = builder->CreateAnd(
          builder->CreateZExtOrTrunc(result, builder->getInt32Ty()), 255);
    builder->CreateAtomicRMW(AtomicRMWInst::UMax, arguments[3], status,
                             Align(4), AtomicOrdering::Monotonic);
  }

  /// Calls the functions of atexit (the host's C library does so itself) and
  /// destructors.
  void callLast(const FunctionList &last) {
    if (!target.runsHostPrograms())
      builder->CreateCall(module.getOrInsertFunction(XCC_SYMBOL_RUN_EXITS,
                                                     builder->getVoidTy()));
    for (Function *function : reverse(last))
      call(*function);
  }

  /// Defines exit: the calling thread runs the device's part, the host the
  /// rest.
  void makeExit(const FunctionList &last) {
    Function *exit = module.getFunction("exit");
    if (!exit || !exit->isDeclaration() || exit->arg_size() != 1 ||
        !exit->getArg(0)->getType()->isIntegerTy(32))
      return;
    builder.emplace(BasicBlock::Create(module.getContext(), "", exit));
    arguments.assign({builder->getInt32(0),
                      ConstantPointerNull::get(builder->getPtrTy()),
                      ConstantPointerNull::get(builder->getPtrTy())});
    callLast(last);
    FunctionCallee process = module.getOrInsertFunction(
        "__xcc_exit_process", builder->getVoidTy(), builder->getInt32Ty());
    builder->CreateCall(process, {exit->getArg(0)});
    builder->CreateUnreachable();
  }

  /// Prepares a program on the CPU device: units see each other's definitions
  /// as in a host link, and the image, which is a library, gets its own handle.
  void keepAsItIs() {
    module.addModuleFlag(Module::Override, HostProgramFlag, 1);
    for (GlobalValue &value : module.global_values())
      if (!value.isDeclarationForLinker())
        value.setDSOLocal(true);
    auto *pointer = PointerType::getUnqual(module.getContext());
    GlobalVariable *handle = module.getGlobalVariable("__dso_handle");
    if (handle && !handle->isDeclaration())
      return;
    auto *made =
        new GlobalVariable(module, pointer, true, GlobalValue::ExternalLinkage,
                           ConstantPointerNull::get(pointer));
    made->setVisibility(GlobalValue::HiddenVisibility);
    made->setDSOLocal(true);
    if (handle) {
      handle->replaceAllUsesWith(made);
      made->takeName(handle);
      handle->eraseFromParent();
    } else {
      made->setName("__dso_handle"); // the C library's static part needs it
    }
    made->setInitializer(made);
  }
};

} // namespace

Error makeProgram(Module &module, const Target &target, KernelTable &kernels) {
  return ProgramBuilder(module, target, kernels).run();
}

} // namespace xcc
