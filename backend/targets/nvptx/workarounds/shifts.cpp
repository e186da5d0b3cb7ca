// Shifts by 64-bit counts
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In PTX, a shift by at least the number of bits gives zero. So LLVM 22 reduces
//
//     n < 32 ? x << n : 0
//
// to the shift alone. But the shift only reads the low 32 bits of its count. If
// n has 64 bits and is larger than 32 bits can hold, the result is wrong. This
// masks the count of such shifts, so that the back end does not recognise the
// pattern.

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
      // Shifts of vectors are always masked: they are split into their
      // elements.
      if (!count->getType()->isVectorTy()) {
        match(count, m_Trunc(m_Value(count)));
        // Scalar shifts are masked only if the count is compared and has more
        // than 32 bits.
        if (count->getType()->getScalarSizeInBits() <= 32 ||
            none_of(count->users(), IsaPred<ICmpInst>))
          continue;
      }
      unsigned bits = instruction.getType()->getScalarSizeInBits();
      if (!isPowerOf2_32(bits))
        continue;
      // A larger count would be undefined.
      IRBuilder<> builder(&instruction);
      instruction.setOperand(
          1, builder.CreateAnd(instruction.getOperand(1), bits - 1));
    }
}

} // namespace xcc::nvptx
