// Lanes that wait for each other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *.sync instruction is done when all lanes of its mask that have not exited
// are at one of the same kind with the same mask, wherever that is; a barrier
// when all threads of the block that have not exited have come to it, or as
// many as it says.

#include "sync.h"
#include "machine.h"

namespace ptx {

using xcc::rt::cuda::LaunchFailed;

/// Lanes at the same place, in the same call, with the same reconvergence
/// points before them are one group.
void Warp::mergeWith(Group *first) {
  for (Group &g : inUse())
    if (&g != first && g.is == Group::Ready && g.pc == first->pc &&
        g.at == first->at && g.next == first->next) {
      first->lanes |= g.lanes;
      g = {};
    }
}

void Warp::waitForLanes(const Inst &i, uint32_t lanes, const uint32_t *masks) {
  Group *g = now;
  uint32_t at = g->pc - 1;
  if (lanes != g->lanes) {
    // Guarded: the others go on behind it.
    splitOff(*g, g->lanes & ~lanes, g->pc, g->next);
    stopped = true;
  }
  uint32_t left = lanes;
  while (left) {
    uint32_t mask = masks[__builtin_ctz(left)], part = 0;
    for (uint32_t m = left; m; m &= m - 1)
      if (masks[__builtin_ctz(m)] == mask)
        part |= m & -m;
    if (part & ~mask) {
      char text[160];
      snprintf(text, sizeof(text),
               "executed by lanes that its mask %#x does not name", mask);
      fault(LaunchFailed, text, part & ~mask);
    }
    left &= ~part;
    // The usual case: all are here.
    if (part == g->lanes && !((mask & live) & ~part)) {
      i.sync->gather(*this, i, part);
      i.sync->finish(*this, i, part, part);
      ++synced;
      return;
    }
    Group *waits = g;
    if (part != g->lanes) {
      waits = newGroup();
      Group copy = *g;
      *waits = copy;
      waits->lanes = part;
      g->lanes &= ~part;
    }
    waits->is = Group::AtSync;
    waits->syncMask = mask;
    waits->pc = at;
  }
  stopped = true;
  trySyncs();
}

/// Are there waiting groups whose lanes are all there now?
void Warp::trySyncs() {
  for (Group &g : inUse()) {
    if (g.is != Group::AtSync)
      continue;
    const SyncOperation *kind = g.at->of->insts[g.pc].sync;
    Group *waiting[WarpSize];
    unsigned count = 0;
    uint32_t here = 0;
    for (Group &other : inUse())
      if (other.is == Group::AtSync && other.syncMask == g.syncMask &&
          other.at->of->insts[other.pc].sync == kind) {
        waiting[count++] = &other;
        here |= other.lanes;
      }
    if (!(g.syncMask & live & ~here))
      complete(here, waiting, count);
  }
}

void Warp::complete(uint32_t mask, Group **waiting, unsigned count) {
  Group *was = now;
  const Inst *wasDoing = doing;
  for (unsigned n = 0; n != count; ++n) {
    enter(*waiting[n]);
    doing = &running->insts[waiting[n]->pc];
    doing->sync->gather(*this, *doing, waiting[n]->lanes);
  }
  for (unsigned n = 0; n != count; ++n) {
    enter(*waiting[n]);
    doing = &running->insts[waiting[n]->pc];
    doing->sync->finish(*this, *doing, waiting[n]->lanes, mask);
  }
  ++synced;
  for (unsigned n = 0; n != count; ++n) {
    waiting[n]->is = Group::Ready;
    ++waiting[n]->pc;
  }
  for (unsigned n = 0; n != count; ++n)
    if (waiting[n]->is == Group::Ready)
      mergeWith(waiting[n]);
  doing = wasDoing;
  now = was;
  if (was->at) {
    running = was->at->of;
    data = was->at->data;
    undefined = was->at->undefined;
    origins = was->at->origins;
    pool = running->pool.data();
  }
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Warp::waitAtBarrier(int number, uint32_t lanes) {
  Group *g = now;
  if (lanes != g->lanes)
    splitOff(*g, g->lanes & ~lanes, g->pc, g->next);
  --g->pc;
  g->is = Group::AtBarrier;
  g->barrier = number;
  Block::Barrier &b = block.barrier(unsigned(number));
  b.arrived[index] |= lanes;
  b.waiting = true;
  block.barriersChanged = true;
  stopped = true;
}

/// Lanes of one warp that came to an aligned barrier on different paths.
void Block::checkAligned(int number) {
  for (unsigned n = 0; n != count; ++n) {
    Warp &w = *warps[n];
    Group *first = nullptr;
    for (Group &g : w.inUse()) {
      if (g.is != Group::AtBarrier || g.barrier != number)
        continue;
      const Inst &i = g.at->of->insts[g.pc];
      if (!first)
        first = &g;
      const Inst &other = first->at->of->insts[first->pc];
      if (&i != &other && (i.aligned || other.aligned)) {
        running = &w;
        w.now = &g;
        w.doing = &i;
        throw Fault{
            LaunchFailed,
            "an aligned barrier for which threads of one warp wait at another "
            "place: " +
                place(grid, other) +
                "; ptxas takes a branch that leads to one for uniform, so "
                "behaviour is undefined (barrier.sync has no such rule)",
            g.lanes};
      }
      if (i.aligned && &g != first)
        grid.note(w,
                  "an aligned barrier that parts of a warp come to one after "
                  "the other");
    }
  }
}

void Block::tryBarriers() {
  barriersChanged = false;
  for (int number = 0; number != 16; ++number) {
    Barrier &b = barriers[number];
    if (!b.waiting)
      continue;
    uint64_t here = b.passing;
    bool all = true, allTrue = true, any = false;
    uint64_t threads = 0;
    for (unsigned n = 0; n != count; ++n) {
      uint32_t lanes = b.arrived[n] & warps[n]->live;
      all &= lanes == warps[n]->live;
      if (lanes && lanes == warps[n]->live)
        here += WarpSize; // counted by warps
      uint32_t said = warps[n]->barrierTrue & lanes;
      allTrue &= said == lanes;
      any |= said != 0;
      threads += unsigned(__builtin_popcount(said));
    }
    if (b.expected ? here < b.expected : !all)
      continue;
    checkAligned(number);
    for (unsigned n = 0; n != count; ++n) {
      Warp &w = *warps[n];
      for (Group &g : w.inUse()) {
        if (g.is != Group::AtBarrier || g.barrier != number)
          continue;
        const Inst &i = g.at->of->insts[g.pc];
        finishBarrier(w, g, i, uint32_t(threads), allTrue, any);
        g.is = Group::Ready;
        ++g.pc;
      }
      for (Group &g : w.inUse())
        if (g.is == Group::Ready)
          w.mergeWith(&g);
      w.barrierTrue = 0;
      b.arrived[n] = 0;
    }
    b.waiting = false;
    b.passing = 0;
    b.expected = 0;
    order();
    grid.watch.progress();
  }
}

} // namespace ptx
