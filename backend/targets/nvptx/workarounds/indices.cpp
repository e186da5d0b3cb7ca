// Neighbouring indices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a comparison has shown that a signed index is not negative, LLVM's
// optimiser extends it to 64 bits with zeros. The back end finds that a[i + 1]
// is four bytes behind a[i] only if the sum is sign-extended: with a zero
// extension, i itself may be negative. So this changes such an extension back
// to a sign extension.

#include "workarounds.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::nvptx {

/// Whether a value is a sum with a constant that does not wrap.
static bool isSumWithConstant(Value *value, unsigned depth = 3) {
  Value *x, *y;
  return depth && match(value, m_NSWAdd(m_Value(x), m_Value(y))) &&
         (match(y, m_ImmConstant()) || isSumWithConstant(x, depth - 1) ||
          isSumWithConstant(y, depth - 1));
}

void extendSigned(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *wide = dyn_cast<ZExtInst>(&inst);
      if (!wide || !wide->hasNonNeg() ||
          !isSumWithConstant(wide->getOperand(0)))
        continue;
      auto *same = new SExtInst(wide->getOperand(0), wide->getType(), "",
                                wide->getIterator());
      same->takeName(wide);
      same->setDebugLoc(wide->getDebugLoc());
      wide->replaceAllUsesWith(same);
      wide->eraseFromParent();
    }
}

} // namespace xcc::nvptx
