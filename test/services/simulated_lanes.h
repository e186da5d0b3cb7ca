// Warps made of host threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As on a GPU, each thread stands for one lane and what lanes tell each other
// goes through operations that all lanes of a mask take part in. Here each is a
// barrier of threads. Threads outside of a warp are a warp of one lane.

#ifndef XCC_TEST_SERVICES_SIMULATED_LANES_H
#define XCC_TEST_SERVICES_SIMULATED_LANES_H

#include <stdint.h>

namespace xcc::test {

/// What lane L of M gave as value, for each: All[L]. Lanes are 0 to 63.
void exchange(uint64_t m, uint32_t value, uint32_t *all);
uint64_t activeLanes();
uint32_t laneId();
void yield();

struct SimulatedLanes {
  static constexpr bool CanSleep = false;
  static uint32_t count() { return 64; }
  static uint64_t active() { return activeLanes(); }
  static bool first(uint64_t m) {
    return laneId() == uint32_t(__builtin_ctzll(m));
  }
  static uint32_t broadcast(uint64_t m, uint32_t value) {
    uint32_t all[64];
    exchange(m, value, all);
    return all[__builtin_ctzll(m)];
  }
  static uint64_t ballot(uint64_t m, bool b) {
    uint32_t all[64];
    exchange(m, b, all);
    uint64_t set = 0;
    for (uint64_t rest = m; rest; rest &= rest - 1)
      if (all[__builtin_ctzll(rest)])
        set |= rest & -rest;
    return set;
  }
  static bool any(uint64_t m, bool b) { return ballot(m, b) != 0; }
  template <class F> static uint64_t select(uint64_t m, F &&keep) {
    return ballot(m, keep(laneId()));
  }
  template <class F> static void each(uint64_t, F &&action) {
    action(laneId());
  }
  static bool among(uint64_t m) { return m >> laneId() & 1; }
  template <class T> struct PerLane {
    T only{};
    T &operator[](uint32_t) { return only; }
  };
  static void sync(uint64_t m) { ballot(m, false); }
  static void pause() { yield(); }
  static uint32_t hint() {
    return uint32_t(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >>
                    14);
  }
  static void sleep(const uint32_t *, uint32_t, bool) {}
  static void wake(uint32_t *, uint32_t, bool) {}
};

} // namespace xcc::test
#endif // XCC_TEST_SERVICES_SIMULATED_LANES_H
