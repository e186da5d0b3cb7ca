// Products of eight 64-bit integers, which LLVM 22 cannot select
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wide_products.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace xcc::cpu {

static bool isWide(const Value *value) {
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  return vector && vector->getNumElements() == 8 &&
         (vector->getElementType()->isIntegerTy(64) ||
          vector->getElementType()->isPointerTy());
}

void allowWideProducts(Module &module, const TargetMachine &machine) {
  constexpr StringLiteral width = "min-legal-vector-width";
  for (Function &function : module) {
    if (function.isDeclaration() ||
        !machine.getSubtargetImpl(function)->checkFeatures(
            "+avx512ifma,+prefer-256-bit"))
      continue;
    // An address of several threads is a product too.
    if (any_of(instructions(function), [](const Instruction &inst) {
          return isWide(&inst) || any_of(inst.operand_values(), isWide);
        }))
      function.addFnAttr(width, "512");
  }
}

} // namespace xcc::cpu
