// Avoids accumulation registers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a function for gfx90a or gfx942 needs more vector registers than LLVM 22
// gives it, values are copied to the accumulation registers (AGPRs) of matrix
// instructions and back. In large functions that call others, some lanes then
// read wrong values. It is not known which pass is wrong. Without AGPRs the
// same programs work. So functions get all registers as ordinary ones, and
// spill to memory if they need more than 256.

#include "workarounds.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc::amdgcn {

/// Whether the call needs such registers: inline assembly, or the intrinsic of
/// a matrix instruction.
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
