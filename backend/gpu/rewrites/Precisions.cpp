// Workaround: precisions that libstdc++ passes to printf
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++ prints numbers with __convert_from_v, a printf. It passes a 64-bit
// precision to "%.*f" (num_put::_M_insert_float), where printf expects an int.
// On the host, both use one register. On AMD GPUs, variable arguments are
// adjacent in memory, so the number would be read four bytes too early.

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
    // The two variable arguments are the precision and the number.
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
