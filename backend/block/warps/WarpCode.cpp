// The code of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpCode.h"
#include "Lanes.h"
#include "block/Intrinsics.h"
#include "block/loops/LoopKernel.h"
#include "block/regions/LiveAcross.h"
#include "block/regions/Regions.h"
#include "block/rewrites/Interchange.h"
#include "block/rewrites/SharedAtomics.h"
#include "block/rewrites/StridedLoops.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

#include "xcc/abi.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace xcc::block {

/// Whether \p v may grow by the same for each lane.
static bool countsLanes(const Value &v, unsigned depth) {
  auto *i = dyn_cast<Instruction>(&v);
  if (!i || depth > 8)
    return true;
  switch (i->getOpcode()) {
  case Instruction::And:
  case Instruction::Xor:
  case Instruction::Select:
  case Instruction::ICmp:
  case Instruction::LShr:
    return false;
  default:
    return isa<PHINode>(i) || all_of(i->operand_values(), [&](const Value *op) {
             return countsLanes(*op, depth + 1);
           });
  }
}

/// Lanes that go round in their warp, (lane + 3) % 32. In a loop of 32 turns
/// LLVM 22's vectorizer takes them for lanes that follow each other.
static bool goesRound(const Instruction &i) {
  const Value *x;
  if (!match(&i, m_And(m_Value(x), m_SpecificInt(XCC_CPU_WARP_SIZE - 1))))
    return false;
  return isa<Instruction>(x) && countsLanes(*x, 0) &&
         intrinsicCalledBy(*cast<Instruction>(x)).kind != IntrinsicKind::Lane;
}

bool makeWarpCode(Function &kernel, uint64_t kernargSize) {
  splitIntoLanes(kernel);
  if (any_of(instructions(kernel), goesRound))
    return false;
  splitAtBarriers(kernel);
  hoistPrologue(kernel, kernargSize, Level::Warp);
  SmallVector<BasicBlock *, 2> repeats = alignStridedLoops(kernel, Level::Warp);
  auto uniform = std::make_unique<Uniformity>(kernel, Level::Warp);
  if (takeTurnsTogether(kernel, *uniform, repeats))
    uniform = std::make_unique<Uniformity>(kernel, Level::Warp);
  SmallVector<BasicBlock *, 4> decided(repeats.begin(), repeats.end());
  for (BasicBlock *latch : findInterchangeable(kernel, *uniform))
    if (!is_contained(decided, latch))
      decided.push_back(latch);
  std::string whyNot;
  std::optional<RegionPlan> plan =
      planRegions(kernel, *uniform, decided, repeats, whyNot);
  if (!plan || !removeWarpBarriers(kernel, *plan))
    return false;
  LiveAcross live = keepLiveAcross(kernel, *plan, *uniform);
  makeSharedAtomicsPlain(kernel, *uniform);
  buildLaneLoops(kernel, *plan, live, *uniform);
  return true;
}

} // namespace xcc::block
