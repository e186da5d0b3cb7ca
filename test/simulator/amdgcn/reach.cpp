// Where the addresses of all lanes lead to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wave's lanes mostly reach one allocation, and mostly may. So they are looked
// at together, and one by one only when some may not.

#include "access.h"
#include "dispatch.h"

namespace amdgcn {

/// Whether an active lane's address is not one of count from first on.
[[gnu::always_inline]] static inline bool
someOutside(const uint64_t *at, unsigned lanes, uint64_t active, uint64_t first,
            uint64_t count) {
  uint64_t outside = 0;
  for (unsigned l = 0; l != lanes; ++l)
    outside |= uint64_t(at[l] - first >= count) & active >> l;
  return outside & 1;
}
XCC_SIMULATOR_WIDE static bool someOutsideWide(const uint64_t *at,
                                               unsigned lanes, uint64_t active,
                                               uint64_t first, uint64_t count) {
  return someOutside(at, lanes, active, first, count);
}

static bool areWithin(const Wave &w, const uint64_t *at, unsigned bytes,
                      uint64_t first, uint64_t size) {
  if (size < bytes)
    return false;
  const uint64_t count = size - bytes + 1;
  return !(wide ? someOutsideWide(at, w.lanes, w.exec(), first, count)
                : someOutside(at, w.lanes, w.exec(), first, count));
}

static bool reachLdsFrom(Wave &w, const uint64_t *at, unsigned bytes,
                         uint64_t base, Reached &out) {
  auto &lds = w.group.lds;
  if (w.group.races.on() || !areWithin(w, at, bytes, base, lds.size()))
    return false;
  out = {reinterpret_cast<uint64_t>(lds.data()) - base, 0};
  return true;
}

static bool reachScratchFrom(Wave &w, const uint64_t *at, unsigned bytes,
                             uint64_t base, Reached &out) {
  const uint64_t all = w.group.d.privateSize;
  if (!areWithin(w, at, bytes, base, all))
    return false;
  out = {reinterpret_cast<uint64_t>(w.scratch(0, 0, 1)) - base, all};
  return true;
}

bool reachLds(Wave &w, const uint64_t *at, unsigned bytes, Reached &out) {
  return reachLdsFrom(w, at, bytes, 0, out);
}

bool reachScratch(Wave &w, const uint64_t *at, unsigned bytes, Reached &out) {
  return reachScratchFrom(w, at, bytes, 0, out);
}

bool reachGlobal(Wave &w, const uint64_t *at, unsigned bytes, Access how,
                 Reached &out) {
  if (w.group.d.races)
    return false;
  const uint64_t first = at[__builtin_ctzll(w.exec())];
  const auto *range = w.group.d.memory.rangeOf(first, bytes, how);
  if (!range || !areWithin(w, at, bytes, range->base, range->bytes))
    return false;
  out = {range->shift, 0};
  return true;
}

bool reachFlat(Wave &w, const uint64_t *at, unsigned bytes, Access how,
               Reached &out) {
  const uint64_t first = at[__builtin_ctzll(w.exec())];
  if (first >> 32 == SharedBase >> 32)
    return reachLdsFrom(w, at, bytes, SharedBase, out);
  // Others have to set the scratch up, which is checked lane by lane.
  if (first >> 32 == PrivateBase >> 32)
    return archOf(w).architectedScratch &&
           reachScratchFrom(w, at, bytes, PrivateBase, out);
  return reachGlobal(w, at, bytes, how, out);
}

} // namespace amdgcn
