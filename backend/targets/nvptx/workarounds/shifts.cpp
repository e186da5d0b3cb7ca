// Shifts by numbers of 64 bits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX's shifts by more bits than there are give zero, so of
//
//     n < 32 ? x << n : 0
//
// LLVM 22 leaves the shift alone. That takes its count from 32 bits: where n has
// 64, and bits above the lowest 32, the shift was made. A count without the bits
// that would be too many is none that the back end knows again.

#include "workarounds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::nvptx {

void keepShiftGuards(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      Value *count;
      if (!match(&instruction, m_LogicalShift(m_Value(), m_Value(count))) ||
          isa<Constant>(count))
        continue;
      // The elements of a vector are shifted one by one.
      if (!count->getType()->isVectorTy()) {
        match(count, m_Trunc(m_Value(count)));
        // Compared, and wider than what a shift looks at.
        if (count->getType()->getScalarSizeInBits() <= 32 ||
            none_of(count->users(), IsaPred<ICmpInst>))
          continue;
      }
      unsigned bits = instruction.getType()->getScalarSizeInBits();
      if (!isPowerOf2_32(bits))
        continue;
      // More would be undefined.
      IRBuilder<> builder(&instruction);
      instruction.setOperand(
          1, builder.CreateAnd(instruction.getOperand(1), bits - 1));
    }
}

} // namespace xcc::nvptx
