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

namespace {
/// The decoded word of a share.
struct Grains {
  explicit Grains(uint64_t word)
      : generation(uint32_t(word >> 32)), next((word >> 16) & 0xffff),
        end(word & 0xffff) {}
  uint32_t generation, next, end;
  bool none(uint32_t of) const { return generation != of || next == end; }
};
} // namespace

GrainRange Dispatch::takeFront(Share &s, uint32_t generation, uint32_t most) {
  uint64_t word = s.word.load(std::memory_order_relaxed);
  while (true) {
    Grains g(word);
    if (g.none(generation))
      return {};
    // Take only a part of the share, so that others can steal the rest.
    uint32_t left = g.end - g.next;
    // A late thread may read the next dispatch's leastGrains here; its exchange
    // then fails.
    uint32_t count =
        std::min(left, std::max(std::min(left / 2, most),
                                leastGrains.load(std::memory_order_relaxed)));
    if (s.word.compare_exchange_weak(
            word, pack(generation, g.next + count, g.end),
            std::memory_order_acquire, std::memory_order_relaxed))
      return {g.next, g.next + count};
  }
}

GrainRange Dispatch::stealBack(Share &s, uint32_t generation) {
  uint64_t word = s.word.load(std::memory_order_seq_cst);
  while (true) {
    Grains g(word);
    if (g.none(generation))
      return {};
    uint32_t count = (g.end - g.next + 1) / 2;
    if (s.word.compare_exchange_weak(
            word, pack(generation, g.next, g.end - count),
            std::memory_order_acquire, std::memory_order_relaxed))
      return {g.end - count, g.end};
  }
}

/// Moves grains into a share. Fails if the share is not empty: several threads
/// that synchronise use the same share.
bool Dispatch::refill(Share &s, uint32_t generation, const GrainRange &r) {
  uint64_t word = s.word.load(std::memory_order_relaxed);
  Grains g(word);
  return g.generation == generation && g.next == g.end &&
         s.word.compare_exchange_strong(word, pack(generation, r.first, r.last),
                                        std::memory_order_seq_cst,
                                        std::memory_order_relaxed);
}

GrainRange Dispatch::take(unsigned own, uint32_t generation, uint32_t &most,
                          bool &refilled) {
  GrainRange r = takeFront(shares[own], generation, most);
  // The times of own grains do not predict those of another's share.
  if (r.empty())
    most = leastGrains.load(std::memory_order_relaxed);
  for (unsigned i = 1; r.empty() && i < shareCount; ++i) {
    unsigned other = own + i < shareCount ? own + i : own + i - shareCount;
    r = stealBack(shares[other], generation);
    if (r.size() > most &&
        refill(shares[own], generation, {r.first + most, r.last})) {
      r.last = r.first + most;
      refilled = true;
    }
  }
  return r;
}

bool Dispatch::recycle(unsigned own, uint32_t generation, const GrainRange &r) {
  Share &s = shares[own];
  uint64_t word = s.word.load(std::memory_order_relaxed);
  Grains g(word);
  // Put the grains back only right before the rest of the share.
  return g.generation == generation && g.next == r.last && g.next != g.end &&
         s.word.compare_exchange_strong(word, pack(generation, r.first, g.end),
                                        std::memory_order_seq_cst,
                                        std::memory_order_relaxed);
}

} // namespace xcc::rt::cpu
