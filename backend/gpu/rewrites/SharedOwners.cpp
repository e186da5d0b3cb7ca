// Checks for the last owner of a host object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the last owner is destroyed, libstdc++'s std::shared_ptr calls virtual
// functions of its control block. If the host made the block, they are host
// code, and the virtual table is in host memory: the kernel would end with an
// illegal address and no explanation. So the device runtime first checks
// whether the block is a copy of a host block, and then ends the launch with a
// message. Blocks that the kernel made work as on the host.

#include "gpu/stages/BeforeLibraries.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

void checkSharedOwners(Module &module) {
  SmallVector<CallBase *> calls;
  for (Function &function : module)
    if (function.getName().starts_with("_ZNSt16_Sp_counted_base") &&
        !function.arg_empty())
      for (Instruction &i : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&i);
            call && call->isIndirectCall() && !call->arg_empty())
          calls.push_back(call);
  if (calls.empty())
    return;
  LLVMContext &context = module.getContext();
  FunctionCallee check = module.getOrInsertFunction(
      "__xcc_last_owner_goes",
      FunctionType::get(Type::getVoidTy(context),
                        {PointerType::getUnqual(context)}, false));
  for (CallBase *call : calls) {
    // Insert the check before the load of the virtual table, which Clang
    // generates just before the call.
    Instruction *at = call;
    auto *function = dyn_cast<Instruction>(call->getCalledOperand());
    if (auto *load = dyn_cast_or_null<LoadInst>(function))
      if (auto *slot = dyn_cast<Instruction>(load->getPointerOperand()))
        if (auto *table = dyn_cast<LoadInst>(slot->getOpcode() ==
                                                     Instruction::GetElementPtr
                                                 ? slot->getOperand(0)
                                                 : slot))
          at = table;
    IRBuilder<> builder(at);
    builder.CreateCall(
        check, {builder.CreatePointerBitCastOrAddrSpaceCast(
                   call->getArgOperand(0), PointerType::getUnqual(context))});
  }
}

} // namespace xcc::gpu
