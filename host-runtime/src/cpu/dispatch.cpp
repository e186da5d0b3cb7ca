// One kernel dispatch while it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dispatch.h"

#include <algorithm>
#include <new>

namespace xcc::rt::cpu {

static uint64_t pack(uint32_t Generation, uint32_t Next, uint32_t End) {
  return uint64_t(Generation) << 32 | Next << 16 | End;
}

bool Dispatch::setShares(unsigned Count) {
  Shares.reset(new (std::nothrow) Share[Count]);
  ShareCount = Shares ? Count : 0;
  return Shares != nullptr;
}

void Dispatch::cut(uint64_t Done) {
  Base = Done;
  uint64_t Left = Blocks - Done;
  BlocksPerGrain = (Left + MaxGrains - 1) / MaxGrains;
  Grains = static_cast<uint32_t>((Left + BlocksPerGrain - 1) / BlocksPerGrain);
}

void Dispatch::open(uint32_t Generation) {
  Remaining.store(Grains, std::memory_order_relaxed);
  uint32_t Next = 0;
  for (unsigned I = 0; I != ShareCount; ++I) {
    auto End = static_cast<uint32_t>(uint64_t(Grains) * (I + 1) / ShareCount);
    Shares[I].Word.store(pack(Generation, Next, End),
                         std::memory_order_release);
    Next = End;
  }
}

GrainRange Dispatch::takeFrom(Share &S, uint32_t Generation, bool Front) {
  uint64_t Word = S.Word.load(std::memory_order_relaxed);
  while (true) {
    uint32_t Next = (Word >> 16) & 0xffff, End = Word & 0xffff;
    if (uint32_t(Word >> 32) != Generation || Next == End)
      return {};
    // A part of what is left: large steps first, small ones at the end, when
    // they decide how long the others wait.
    uint32_t Count = std::max<uint32_t>(1, (End - Next) / 4);
    GrainRange R =
        Front ? GrainRange{Next, Next + Count} : GrainRange{End - Count, End};
    uint64_t Rest = Front ? pack(Generation, Next + Count, End)
                          : pack(Generation, Next, End - Count);
    if (S.Word.compare_exchange_weak(Word, Rest, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      return R;
  }
}

GrainRange Dispatch::take(unsigned Own, uint32_t Generation) {
  GrainRange R = takeFrom(Shares[Own], Generation, true);
  for (unsigned I = 1; R.empty() && I < ShareCount; ++I) {
    unsigned Other = Own + I < ShareCount ? Own + I : Own + I - ShareCount;
    R = takeFrom(Shares[Other], Generation, false);
  }
  return R;
}

} // namespace xcc::rt::cpu
