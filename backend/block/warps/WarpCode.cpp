// The code of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpCode.h"
#include "Lanes.h"
#include "block/loops/LoopKernel.h"
#include "block/regions/LiveAcross.h"
#include "block/regions/Regions.h"
#include "block/rewrites/Interchange.h"
#include "block/rewrites/SharedAtomics.h"
#include "block/rewrites/StridedLoops.h"

using namespace llvm;

namespace xcc::block {

bool makeWarpCode(Function &kernel, uint64_t kernargSize) {
  splitIntoLanes(kernel);
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
