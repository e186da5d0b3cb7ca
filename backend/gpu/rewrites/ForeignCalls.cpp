// Checks calls through pointers for functions of other images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel may find the address of another image's function, or an object with
// its virtual table, in a variable that a library shares or in memory. A GPU
// cannot call code that was generated separately: the number of registers, the
// place of shared memory and the stack of a launch were fixed without it.
// CUDA's modules do not even know each other's addresses. So if a link knows of
// other images, a callee must be one of this image's functions whose address is
// taken. Otherwise the launch ends with an error. These functions are known
// when all other code has been optimised:
//
//     if (!__xcc_is_own_function(callee)) trap();
//     callee(...);

#include "Names.h"
#include "gpu/AddressSpaces.h"
#include "gpu/stages/AfterPipeline.h"
#include "gpu/stages/BeforeLibraries.h"
#include "xcc/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace xcc::gpu {
namespace {

constexpr StringLiteral Text =
    "a function of another image was called through a pointer or as a virtual "
    "function: on a GPU, kernels of a program call its own functions alone, "
    "and "
    "a library's kernels the library's; take the address, or make the object, "
    "in a kernel of the image that makes the call";

/// Makes a function that ends the launch and never returns.
Function *makeEnd(Module &module) {
  IRBuilder<> builder(module.getContext());
  auto *end = Function::Create(FunctionType::get(builder.getVoidTy(), false),
                               GlobalValue::InternalLinkage,
                               "__xcc_end_foreign_call", module);
  end->addFnAttr(Attribute::NoInline);
  end->addFnAttr(Attribute::Cold);
  end->setDoesNotReturn();
  end->setDoesNotThrow();
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", end));
  Constant *none = Constant::getNullValue(builder.getPtrTy());
  FunctionCallee trap = module.getOrInsertFunction(
      "__xcc_trap",
      FunctionType::get(builder.getVoidTy(),
                        {builder.getInt32Ty(), builder.getPtrTy(),
                         builder.getPtrTy(), builder.getInt32Ty()},
                        false));
  auto *text =
      builder.CreateGlobalString(Text, "", GlobalAddressSpace, &module);
  builder.CreateCall(trap,
                     {builder.getInt32(XCC_CPU_TRAP_ABORT),
                      builder.CreateAddrSpaceCast(text, builder.getPtrTy()),
                      none, builder.getInt32(0)});
  builder.CreateUnreachable();
  return end;
}

SmallVector<CallBase *> callsOfUnknown(Module &module) {
  SmallVector<CallBase *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && !call->isInlineAsm() &&
          !isa<Constant>(call->getCalledOperand()))
        calls.push_back(call);
  return calls;
}

/// Defines the test: a search for the address in a list.
void define(Function &isOwn, ArrayRef<Constant *> known) {
  Module &module = *isOwn.getParent();
  LLVMContext &context = module.getContext();
  isOwn.setLinkage(GlobalValue::InternalLinkage);
  isOwn.addFnAttr(Attribute::NoInline);
  isOwn.setMemoryEffects(MemoryEffects::readOnly());
  auto *entry = BasicBlock::Create(context, "", &isOwn);
  IRBuilder<> builder(entry);
  if (known.empty()) {
    builder.CreateRet(builder.getFalse());
    return;
  }
  auto *type = ArrayType::get(builder.getPtrTy(), known.size());
  auto *list = new GlobalVariable(
      module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
      ConstantArray::get(type, known), "__xcc_own_functions", nullptr,
      GlobalValue::NotThreadLocal, GlobalAddressSpace);
  auto *iteration = BasicBlock::Create(context, "iteration", &isOwn);
  auto *next = BasicBlock::Create(context, "next", &isOwn);
  auto *end = BasicBlock::Create(context, "end", &isOwn);
  builder.CreateBr(iteration);
  builder.SetInsertPoint(iteration);
  PHINode *index = builder.CreatePHI(builder.getInt64Ty(), 2);
  Value *place =
      builder.CreateInBoundsGEP(type, list, {builder.getInt64(0), index});
  Value *found = builder.CreateICmpEQ(
      builder.CreateLoad(builder.getPtrTy(), place), isOwn.getArg(0));
  builder.CreateCondBr(found, end, next);
  builder.SetInsertPoint(next);
  Value *following = builder.CreateAdd(index, builder.getInt64(1));
  builder.CreateCondBr(
      builder.CreateICmpEQ(following, builder.getInt64(known.size())), end,
      iteration);
  index->addIncoming(builder.getInt64(0), entry);
  index->addIncoming(following, next);
  builder.SetInsertPoint(end);
  PHINode *result = builder.CreatePHI(builder.getInt1Ty(), 2);
  result->addIncoming(builder.getTrue(), iteration);
  result->addIncoming(builder.getFalse(), next);
  builder.CreateRet(result);
}

} // namespace

void checkForeignCalls(Module &module) {
  if (!module.getModuleFlag(SeveralImagesFlag))
    return;
  SmallVector<CallBase *> calls = callsOfUnknown(module);
  if (calls.empty())
    return;
  LLVMContext &context = module.getContext();
  auto *isOwn = Function::Create(
      FunctionType::get(Type::getInt1Ty(context),
                        {PointerType::getUnqual(context)}, false),
      GlobalValue::ExternalLinkage, OwnFunctionTest, module);
  isOwn->setDoesNotThrow();
  isOwn->setDoesNotAccessMemory();
  isOwn->setWillReturn();
  isOwn->addFnAttr(Attribute::NoCallback);
  isOwn->addFnAttr(Attribute::NoSync);
  Function *end = makeEnd(module);
  MDNode *seldom = MDBuilder(context).createUnlikelyBranchWeights();
  for (CallBase *call : calls) {
    IRBuilder<> builder(call);
    Value *own = builder.CreateCall(isOwn, {call->getCalledOperand()});
    Instruction *otherwise = SplitBlockAndInsertIfThen(
        builder.CreateNot(own), call, /*Unreachable=*/true, seldom);
    CallInst::Create(end->getFunctionType(), end, "", otherwise->getIterator());
  }
}

void listOwnFunctions(Module &module) {
  Function *isOwn = module.getFunction(OwnFunctionTest);
  if (!isOwn || !isOwn->isDeclaration())
    return;
  for (User *user : make_early_inc_range(isOwn->users()))
    if (auto *call = dyn_cast<CallInst>(user);
        call && isa<Function>(call->getArgOperand(0)->stripPointerCasts())) {
      call->replaceAllUsesWith(ConstantInt::getTrue(module.getContext()));
      call->eraseFromParent();
    }
  SmallVector<Constant *> known;
  for (Function &function : module)
    if (!function.isDeclaration() &&
        function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                 /*IgnoreAssumeLikeCalls=*/true,
                                 /*IgnoreLLVMUsed=*/true))
      known.push_back(&function);
  define(*isOwn, known);
}

} // namespace xcc::gpu
