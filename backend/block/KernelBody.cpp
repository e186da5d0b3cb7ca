// Giving a kernel a new signature
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelBody.h"
#include "Abi.h"
#include "Names.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

static void setAttributes(Function &F, const Function &Kernel) {
  AttrBuilder Attrs(F.getContext(), Kernel.getAttributes().getFnAttrs());
  // Facts about one thread's code, not about a block's.
  Attrs.removeAttribute(Attribute::Memory);
  Attrs.removeAttribute(Attribute::Convergent);
  Attrs.removeAttribute(Attribute::NoSync);
  Attrs.removeAttribute(Attribute::NoFree);
  Attrs.removeAttribute(Attribute::NoCallback);
  Attrs.removeAttribute(Attribute::WillReturn);
  Attrs.removeAttribute(Attribute::AlwaysInline);
  Attrs.removeAttribute(attribute::CPUKernel);
  Attrs.removeAttribute(attribute::MaxThreads);
  Attrs.removeAttribute(attribute::KernargSize);
  F.addFnAttrs(Attrs);
  F.setDoesNotThrow();
  for (Argument &A : F.args()) {
    F.addParamAttr(A.getArgNo(), Attribute::NoUndef);
    if (!A.getType()->isPointerTy())
      continue;
    F.addParamAttr(A.getArgNo(), Attribute::NoAlias);
    F.addParamAttr(A.getArgNo(), Attribute::NonNull);
    F.addParamAttr(A.getArgNo(),
                   Attribute::getWithAlignment(F.getContext(), Align(8)));
  }
  F.addParamAttr(0, Attribute::ReadOnly);
  F.addDereferenceableParamAttr(0, sizeof(xcc_cpu_group));
}

KernelBody takeBody(Function &Kernel, ArrayRef<Type *> Params,
                    const Twine &Name) {
  LLVMContext &C = Kernel.getContext();
  auto *T = FunctionType::get(Type::getVoidTy(C), Params, false);
  Function *F = Function::Create(T, GlobalValue::InternalLinkage, Name,
                                 Kernel.getParent());
  setAttributes(*F, Kernel);
  F->setSubprogram(Kernel.getSubprogram());
  Kernel.setSubprogram(nullptr);
  F->getArg(0)->setName("group");
  F->splice(F->end(), &Kernel);

  KernelBody Result;
  Result.F = F;
  Result.Body = &F->getEntryBlock();
  Result.Entry = BasicBlock::Create(C, "launch", F, Result.Body);
  IRBuilder<> B(Result.Entry);
  Instruction *End = B.CreateBr(Result.Body);
  for (Instruction &I : make_early_inc_range(*Result.Body))
    if (auto *A = dyn_cast<AllocaInst>(&I);
        A && isa<ConstantInt>(A->getArraySize()))
      A->moveBefore(End->getIterator());

  B.SetInsertPoint(End);
  Argument *Old = Kernel.getArg(0);
  if (!Old->use_empty())
    Old->replaceAllUsesWith(GroupFields{F->getArg(0)}.kernarg(B));
  return Result;
}

} // namespace xcc::block
