// Phis of one expression
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SamePhis.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace xcc::block {

/// What all values of \p phi are computed as, if that can be computed at the phi
/// as well; else null.
static Instruction *expressionOf(PHINode &phi, const DominatorTree &dt) {
  auto *first = dyn_cast<Instruction>(phi.getIncomingValue(0));
  if (!first || !isa<CastInst, BinaryOperator, GetElementPtrInst>(first) ||
      first->isIntDivRem())
    return nullptr;
  for (Value *v : drop_begin(phi.incoming_values()))
    if (auto *other = dyn_cast<Instruction>(v);
        !other || !first->isIdenticalToWhenDefined(other))
      return nullptr;
  for (Value *v : first->operands())
    if (v == &phi || !dt.dominates(v, &phi))
      return nullptr;
  return first;
}

void joinSamePhis(Function &kernel) {
  DominatorTree dt(kernel);
  SmallVector<PHINode *> phis;
  for (Instruction &i : instructions(kernel))
    if (auto *phi = dyn_cast<PHINode>(&i); phi && phi->getNumIncomingValues())
      phis.push_back(phi);
  for (PHINode *phi : phis) {
    Instruction *one = expressionOf(*phi, dt);
    if (!one)
      continue;
    Instruction *joined = one->clone();
    // The paths' flags may differ.
    for (Value *v : phi->incoming_values())
      joined->andIRFlags(v);
    joined->insertBefore(phi->getParent()->getFirstInsertionPt());
    joined->takeName(phi);
    joined->setDebugLoc(phi->getDebugLoc());
    phi->replaceAllUsesWith(joined);
    phi->eraseFromParent();
  }
}

} // namespace xcc::block
