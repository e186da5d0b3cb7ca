// Whether a launch can still go on
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"

#include <algorithm>

namespace ptx {

static void mix(uint64_t &h, const char *data, size_t size) {
  for (; size >= 8; size -= 8, data += 8) {
    uint64_t v;
    memcpy(&v, data, 8);
    h = (h ^ v) * 0x9e3779b97f4a7c15;
    h ^= h >> 29;
  }
}

uint64_t Warp::hash() const {
  uint64_t h = live;
  for (const Group &g : inUse()) {
    if (g.is == Group::Free)
      continue;
    const uint64_t place[] = {g.pc, g.lanes, uint64_t(g.is)};
    mix(h, reinterpret_cast<const char *>(place), sizeof(place));
    for (const Frame *f = g.at; f; f = f->caller)
      mix(h, f->data, f->of->frameBytes / 8 * 8);
  }
  for (uint32_t m = live; m; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctz(m));
    mix(h, local + stack * l + (sp[l] - (LocalTop - stack)), LocalTop - sp[l]);
  }
  return h;
}

bool Warp::circles() {
  // Where it has had no turn since, its state says nothing.
  if (circle.count && executed == circle.executed)
    return circle.is;
  circle.executed = executed;
  const uint64_t h = hash();
  if (circle.count && h == circle.hash)
    circle.is = true;
  else if (++circle.count >= circle.power) {
    circle.hash = h;
    circle.power *= 2;
  }
  return circle.is;
}

void Watch::set(const std::vector<Block *> &blocks, bool on) {
  watching = on;
  confirmed = false;
  last = nullptr;
  seen = happened;
  since = Clock::now();
  for (Block *b : blocks)
    for (unsigned n = 0; n != b->count; ++n) {
      b->warps[n]->circle = {};
      b->warps[n]->watchAccesses();
    }
}

/// Of those that could run.
bool Watch::allCircle(const std::vector<Block *> &blocks) {
  bool all = true;
  for (Block *b : blocks)
    for (unsigned n = 0; n != b->count; ++n)
      if (Warp &w = *b->warps[n]; !w.done() && w.ready() && !w.circle.is)
        all &= w.circles();
  return all;
}

bool Watch::look(const std::vector<Block *> &blocks, double seconds) {
  if (seconds <= 0)
    return false;
  settle();
  const std::chrono::duration<double> passed = Clock::now() - since;
  if (seen != happened) {
    if (watching) {
      set(blocks, false);
      patience = std::min(2 * patience, 60.0); // a long kernel, it seems
    }
    seen = happened;
    since = Clock::now();
    return false;
  }
  if (!watching) {
    if (passed.count() > std::min(patience, seconds))
      set(blocks, true);
    return false;
  }
  if (!allCircle(blocks) || passed.count() < seconds)
    return false;
  if (confirmed)
    return true;
  // A warp may have gone on since it came back to where it was.
  for (Block *b : blocks)
    for (unsigned n = 0; n != b->count; ++n)
      b->warps[n]->circle = {};
  confirmed = true;
  return false;
}

} // namespace ptx
