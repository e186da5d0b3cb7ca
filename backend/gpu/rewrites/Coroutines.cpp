// The functions that coroutine frames call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A frame contains the addresses of two functions, resume and destroy, which
// are called with the frame. libstdc++'s std::noop_coroutine stores a function
// without parameters there. That works on the host. But a GPU passes arguments
// according to the callee's declaration, and PTX's calls have one argument.

#include "gpu/stages/BeforePipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

void addFramesToNoops(Module &module) {
  for (Function &noop : make_early_inc_range(module)) {
    if (noop.isDeclaration() || noop.arg_size() ||
        !noop.getReturnType()->isVoidTy() ||
        !noop.getName().contains("__dummy_resume_destroy"))
      continue;
    LLVMContext &context = module.getContext();
    Function *made = Function::Create(
        FunctionType::get(Type::getVoidTy(context),
                          {PointerType::getUnqual(context)}, false),
        noop.getLinkage(), noop.getAddressSpace(), "", &module);
    made->copyAttributesFrom(&noop);
    made->setComdat(noop.getComdat());
    made->takeName(&noop);
    IRBuilder<>(BasicBlock::Create(context, "", made)).CreateRetVoid();
    noop.replaceAllUsesWith(made);
    noop.eraseFromParent();
  }
}

} // namespace xcc::gpu
