// Giving a kernel a new signature
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelBody.h"
#include "Abi.h"
#include "Names.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace xcc::block {

static void setAttributes(Function &f, const Function &kernel) {
  AttrBuilder attrs(f.getContext(), kernel.getAttributes().getFnAttrs());
  // These attributes hold for one thread's code, but not for a block's.
  attrs.removeAttribute(Attribute::Memory);
  attrs.removeAttribute(Attribute::Convergent);
  attrs.removeAttribute(Attribute::NoSync);
  attrs.removeAttribute(Attribute::NoFree);
  attrs.removeAttribute(Attribute::NoCallback);
  attrs.removeAttribute(Attribute::WillReturn);
  attrs.removeAttribute(Attribute::AlwaysInline);
  attrs.removeAttribute(attribute::CPUKernel);
  attrs.removeAttribute(attribute::MaxThreads);
  attrs.removeAttribute(attribute::KernargSize);
  attrs.removeAttribute(attribute::Constants);
  attrs.removeAttribute(attribute::Pointers);
  f.addFnAttrs(attrs);
  f.setDoesNotThrow();
  for (Argument &a : f.args()) {
    f.addParamAttr(a.getArgNo(), Attribute::NoUndef);
    if (!a.getType()->isPointerTy())
      continue;
    f.addParamAttr(a.getArgNo(), Attribute::NoAlias);
    f.addParamAttr(a.getArgNo(), Attribute::NonNull);
    f.addParamAttr(a.getArgNo(),
                   Attribute::getWithAlignment(f.getContext(), Align(8)));
  }
  f.addParamAttr(0, Attribute::ReadOnly);
  f.addDereferenceableParamAttr(0, sizeof(xcc_cpu_group));
}

KernelBody takeBody(Function &kernel, ArrayRef<Type *> params,
                    const Twine &name) {
  LLVMContext &c = kernel.getContext();
  auto *t = FunctionType::get(Type::getVoidTy(c), params, false);
  Function *f = Function::Create(t, GlobalValue::InternalLinkage, name,
                                 kernel.getParent());
  setAttributes(*f, kernel);
  // Only the body of a whole program has handlers.
  if (kernel.hasPersonalityFn())
    f->setPersonalityFn(kernel.getPersonalityFn());
  f->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  f->addFnAttr(BlockFunctionMark);
  f->getArg(0)->setName("group");
  f->splice(f->end(), &kernel);

  KernelBody result;
  result.f = f;
  result.body = &f->getEntryBlock();
  result.entry = BasicBlock::Create(c, "launch", f, result.body);
  IRBuilder<> b(result.entry);
  Instruction *end = b.CreateBr(result.body);
  for (Instruction &i : make_early_inc_range(*result.body))
    if (auto *a = dyn_cast<AllocaInst>(&i);
        a && isa<ConstantInt>(a->getArraySize()))
      a->moveBefore(end->getIterator());

  b.SetInsertPoint(end);
  Argument *old = kernel.getArg(0);
  if (!old->use_empty())
    old->replaceAllUsesWith(GroupFields{f->getArg(0)}.kernarg(b));
  return result;
}

void promoteLocals(Function &f) {
  SmallVector<AllocaInst *, 16> allocas;
  for (Instruction &i : instructions(f))
    if (auto *a = dyn_cast<AllocaInst>(&i); a && a->isStaticAlloca() &&
                                            !a->hasMetadata(KeptOnStack) &&
                                            isAllocaPromotable(a))
      allocas.push_back(a);
  DominatorTree dt(f);
  PromoteMemToReg(allocas, dt);
}

} // namespace xcc::block
