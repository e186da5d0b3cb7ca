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

/// Whether the lanes' words lie one behind the other.
[[gnu::always_inline]] static inline bool areInRow(const uint64_t *at,
                                                   unsigned lanes) {
  uint64_t apart = 0;
  for (unsigned l = 0; l != lanes; ++l)
    apart |= (at[l] - at[0]) ^ 4 * l;
  return !apart;
}
XCC_SIMULATOR_WIDE static bool areInRowWide(const uint64_t *at,
                                            unsigned lanes) {
  return areInRow(at, lanes);
}

uint8_t *wholeRow(const Wave &w, const uint64_t *at, const Reached &all) {
  if (w.exec() != w.full || all.perLane ||
      at[w.lanes - 1] - at[0] != 4 * (w.lanes - 1))
    return nullptr;
  return (wide ? areInRowWide(at, w.lanes) : areInRow(at, w.lanes))
             ? all.of(at[0], 0)
             : nullptr;
}

/// Loads of words for all lanes, from shared memory of so many bytes.
template <unsigned Lanes>
XCC_SIMULATOR_WIDE static bool readSharedWords(const uint8_t *lds, size_t bytes,
                                               const uint32_t *at,
                                               uint32_t offset, uint32_t *to) {
  const auto last = uint32_t(bytes - 4);
  uint32_t outside = 0, apart = 0;
  for (unsigned l = 0; l != Lanes; ++l) {
    outside |= at[l] + offset > last;
    apart |= (at[l] - at[0]) ^ 4 * l;
  }
  if (outside)
    return false;
  if (!apart) {
    memcpy(to, lds + uint32_t(at[0] + offset), Lanes * 4);
    return true;
  }
  // The addresses may be in the register that is loaded.
  for (unsigned l = 0; l != Lanes; ++l) {
    uint32_t word;
    memcpy(&word, lds + uint32_t(at[l] + offset), 4);
    to[l] = word;
  }
  return true;
}

bool readSharedWords(Wave &w, const uint32_t *at, uint32_t offset,
                     uint32_t *to) {
  const auto &lds = w.group.lds;
  if (!wide || w.isShadow() || w.exec() != w.full || w.group.races.on() ||
      w.group.zones.on() || lds.size() < 4)
    return false;
  return w.lanes == 32
             ? readSharedWords<32>(lds.data(), lds.size(), at, offset, to)
             : readSharedWords<64>(lds.data(), lds.size(), at, offset, to);
}

static bool reachLdsFrom(Wave &w, const uint64_t *at, unsigned bytes,
                         uint64_t base, Reached &out) {
  auto &lds = w.group.lds;
  if (w.isShadow() || w.group.races.on() || w.group.zones.on() ||
      !areWithin(w, at, bytes, base, lds.size()))
    return false;
  out = {reinterpret_cast<uint64_t>(lds.data()) - base, 0};
  return true;
}

static bool reachScratchFrom(Wave &w, const uint64_t *at, unsigned bytes,
                             uint64_t base, Reached &out) {
  const uint64_t all = w.group.d.privateSize;
  if (w.isShadow() || w.zones.on() || !areWithin(w, at, bytes, base, all))
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
  if (w.group.d.races || w.isShadow())
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
