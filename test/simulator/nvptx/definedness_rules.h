// What rules have in common
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_NVPTX_DEFINEDNESS_RULES_H
#define XCC_SIMULATOR_NVPTX_DEFINEDNESS_RULES_H

#include "definedness.h"
#include "machine.h"

#include <cstring>

namespace ptx {

/// A register's element of a lane, from the frame or the one of undefined bits.
inline uint64_t elementOf(const char *frame, int32_t at, unsigned bytes,
                          unsigned lane) {
  if (!bytes) {
    uint32_t mask;
    memcpy(&mask, frame + at, 4);
    return mask >> lane & 1;
  }
  uint64_t out = 0;
  memcpy(&out, frame + at + bytes * lane, bytes < 8 ? bytes : 8);
  return out;
}
inline uint64_t undefinedBits(const Warp &w, Rule::Part p, unsigned lane) {
  return p.at < 0 ? 0 : elementOf(w.undefined, p.at, p.bytes, lane);
}
inline uint64_t valueOf(const Warp &w, Rule::Part p, unsigned lane) {
  const uint64_t v = p.at < 0 ? elementOf(w.pool, ~p.at, p.bytes, lane)
                              : elementOf(w.data, p.at, p.bytes, lane);
  return v ^ uint64_t(p.negated);
}
inline void setUndefinedBits(Warp &w, Rule::Part p, unsigned lane,
                             uint64_t bits) {
  if (!p.bytes) {
    uint32_t mask;
    memcpy(&mask, w.undefined + p.at, 4);
    mask = (mask & ~(1u << lane)) | uint32_t(bits & 1) << lane;
    memcpy(w.undefined + p.at, &mask, 4);
    return;
  }
  memcpy(w.undefined + p.at + p.bytes * lane, &bits, p.bytes < 8 ? p.bytes : 8);
}

/// Whether any lane's register has undefined bits, also of lanes that rest.
inline bool hasUndefined(const Warp &w, Rule::Part p) {
  if (p.at < 0)
    return false;
  const char *at = w.undefined + p.at;
  if (!p.bytes) {
    uint32_t mask;
    memcpy(&mask, at, 4);
    return mask;
  }
  uint64_t any = 0;
  for (unsigned n = 0; n != p.bytes * WarpSize / 8; ++n) {
    uint64_t word;
    memcpy(&word, at + 8 * n, 8);
    any |= word;
  }
  return any;
}
inline void setDefined(Warp &w, Rule::Part p, uint32_t lanes) {
  if (p.bytes && lanes == AllLanes) {
    memset(w.undefined + p.at, 0, p.bytes * WarpSize);
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    setUndefinedBits(w, p, unsigned(__builtin_ctz(lanes)), 0);
}

/// The address of an access, which an undefined value may not decide.
inline void checkAddress(Warp &w, Rule::Part address, uint32_t lanes) {
  if (!hasUndefined(w, address))
    return;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctz(m));
    if (!undefinedBits(w, address, l))
      continue;
    w.accuse("decides an address", m & -m, w.originOf(address.at));
    setUndefinedBits(w, address, l, 0);
  }
}

// Of accesses: definedness_memory.cpp.
void trackLoad(Warp &w, const Inst &i, const Rule &r, uint32_t lanes);
void trackStore(Warp &w, const Inst &i, const Rule &r, uint32_t lanes);
void trackAtomic(Warp &w, const Inst &i, const Rule &r, uint32_t lanes);
void trackCopy(Warp &w, const Inst &i, const Rule &r, uint32_t lanes);

/// Rule::kind of an atomic operation.
enum AtomicKind : uint8_t { OtherAtomic, Exchange, CompareAndSwap };

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_DEFINEDNESS_RULES_H
