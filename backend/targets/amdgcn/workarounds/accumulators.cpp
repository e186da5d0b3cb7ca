// Values that are kept in accumulation registers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function of gfx90a or gfx942 needs more vector registers than LLVM 22
// gives it, values go to the accumulation registers (AGPRs) of matrix
// instructions and back. In large functions that call others, some lanes then
// read other values. Which pass does so is not known: without the AGPRs the same
// programs are right. Functions get all registers as ordinary ones instead, and
// spill to memory beyond 256.

#include "workarounds.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

/// Whether the call needs such registers: a matrix instruction's intrinsic, or
/// inline assembly.
static bool needsAccumulators(const CallBase &call) {
  if (const auto *text = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return StringRef(text->getConstraintString()).contains('a');
  const Function *callee = call.getCalledFunction();
  return callee && callee->isIntrinsic() &&
         (callee->getName().contains(".mfma.") ||
          callee->getName().contains(".smfmac."));
}

void avoidAccumulators(Module &module) {
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&inst);
          call && needsAccumulators(*call))
        return;
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("amdgpu-agpr-alloc", "0");
}

} // namespace xcc::amdgcn
