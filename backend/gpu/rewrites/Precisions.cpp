// Precisions of another size
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++ writes numbers with __convert_from_v, a printf, and hands to a "%.*f"
// a precision of 64 bits (num_put::_M_insert_float) where printf expects an int.
// On the host both are a register. On AMD GPUs variable arguments are adjacent in
// memory, so the number was read four bytes too early.

#include "gpu/stages/BeforePipeline.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::gpu {

void narrowPrecisions(Module &module) {
  Function *convert =
      module.getFunction("_ZSt16__convert_from_vRKP15__locale_structPciPKcz");
  if (!convert)
    return;
  const unsigned fixed = convert->arg_size();
  for (User *user : make_early_inc_range(convert->users())) {
    auto *call = dyn_cast<CallBase>(user);
    // The precision, and the number.
    if (!call || call->getCalledOperand() != convert ||
        call->arg_size() != fixed + 2 ||
        !call->getArgOperand(fixed)->getType()->isIntegerTy(64))
      continue;
    IRBuilder<> builder(call);
    call->setArgOperand(fixed, builder.CreateTrunc(call->getArgOperand(fixed),
                                                   builder.getInt32Ty()));
  }
}

} // namespace xcc::gpu
