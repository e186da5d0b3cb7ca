// Notes about freed memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "freed_notes.h"
#include "formats/freed_note.h"
#include "instrument.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::cpu {

/// Whether this is an allocator's function that frees its first argument.
static bool frees(const Function &function) {
  StringRef name = function.getName();
  return function.isDeclaration() && function.arg_size() &&
         !function.isVarArg() && function.getArg(0)->getType()->isPointerTy() &&
         (name == "free" || name == "realloc" || name.starts_with("_ZdlPv") ||
          name.starts_with("_ZdaPv"));
}

/// Makes a function that calls another one and has the note on its stack during
/// the call.
static Function *makeNoting(Function &callee) {
  Function *made =
      Function::Create(callee.getFunctionType(), GlobalValue::InternalLinkage,
                       "xcc.noting." + callee.getName(), callee.getParent());
  made->setDoesNotThrow();
  made->setUWTableKind(UWTableKind::None);
  made->addFnAttr(Attribute::NoInline);
  IRBuilder<> builder(BasicBlock::Create(callee.getContext(), "", made));
  Type *word = builder.getInt64Ty();
  Type *note = StructType::get(word, builder.getPtrTy());
  Value *place = builder.CreateAlloca(note);
  Value *freed = builder.CreateStructGEP(note, place, 1);
  builder.CreateStore(made->getArg(0), freed, /*isVolatile=*/true);
  builder.CreateStore(builder.getInt64(XCC_FREED_NOTE), place,
                      /*isVolatile=*/true);
  SmallVector<Value *, 3> args;
  for (Argument &argument : made->args())
    args.push_back(&argument);
  CallInst *call = builder.CreateCall(&callee, args);
  call->setCallingConv(callee.getCallingConv());
  // The note must not be found on the stack after the call.
  builder.CreateStore(builder.getInt64(0), place, /*isVolatile=*/true);
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return made;
}

void noteFreed(Module &module) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (frees(function))
      functions.push_back(&function);
  for (Function *function : functions) {
    SmallVector<CallBase *> calls;
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == function &&
          !call->isMustTailCall() && !isInstrumented(*call->getFunction()))
        calls.push_back(call);
    if (calls.empty())
      continue;
    Function *noting = makeNoting(*function);
    for (CallBase *call : calls)
      call->setCalledFunction(noting);
  }
}

} // namespace xcc::cpu
