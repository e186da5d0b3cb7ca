// One kernel dispatch while it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dispatch.h"

#include <algorithm>
#include <new>

namespace xcc::rt::cpu {

static uint64_t pack(uint32_t generation, uint32_t next, uint32_t end) {
  return uint64_t(generation) << 32 | next << 16 | end;
}

bool Dispatch::setShares(unsigned count) {
  shares.reset(new (std::nothrow) Share[count]);
  shareCount = shares ? count : 0;
  return shares != nullptr;
}

void Dispatch::cut(uint64_t done) {
  base = done;
  uint64_t left = blocks - done;
  blocksPerGrain = (left + MaxGrains - 1) / MaxGrains;
  grains_ = static_cast<uint32_t>((left + blocksPerGrain - 1) / blocksPerGrain);
}

void Dispatch::open(uint32_t generation) {
  remaining.store(grains_, std::memory_order_relaxed);
  uint32_t next = 0;
  for (unsigned i = 0; i != shareCount; ++i) {
    auto end = static_cast<uint32_t>(uint64_t(grains_) * (i + 1) / shareCount);
    shares[i].word.store(pack(generation, next, end),
                         std::memory_order_release);
    next = end;
  }
}

GrainRange Dispatch::takeFrom(Share &s, uint32_t generation, bool front) {
  uint64_t word = s.word.load(std::memory_order_relaxed);
  while (true) {
    uint32_t next = (word >> 16) & 0xffff, end = word & 0xffff;
    if (uint32_t(word >> 32) != generation || next == end)
      return {};
    // A part of what is left: large steps first, small ones at the end, when
    // they decide how long the others wait.
    uint32_t count = std::max<uint32_t>(1, (end - next) / 4);
    GrainRange r =
        front ? GrainRange{next, next + count} : GrainRange{end - count, end};
    uint64_t rest = front ? pack(generation, next + count, end)
                          : pack(generation, next, end - count);
    if (s.word.compare_exchange_weak(word, rest, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      return r;
  }
}

GrainRange Dispatch::take(unsigned own, uint32_t generation) {
  GrainRange r = takeFrom(shares[own], generation, true);
  for (unsigned i = 1; r.empty() && i < shareCount; ++i) {
    unsigned other = own + i < shareCount ? own + i : own + i - shareCount;
    r = takeFrom(shares[other], generation, false);
  }
  return r;
}

} // namespace xcc::rt::cpu
