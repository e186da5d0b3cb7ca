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

/// What lane L of M gave as Value, for each: All[L]. Lanes are 0 to 63.
void exchange(uint64_t M, uint32_t Value, uint32_t *All);
uint64_t activeLanes();
uint32_t laneId();
void yield();

struct SimulatedLanes {
  static constexpr bool CanSleep = false;
  static uint32_t count() { return 64; }
  static uint64_t active() { return activeLanes(); }
  static bool first(uint64_t M) {
    return laneId() == uint32_t(__builtin_ctzll(M));
  }
  static uint32_t broadcast(uint64_t M, uint32_t Value) {
    uint32_t All[64];
    exchange(M, Value, All);
    return All[__builtin_ctzll(M)];
  }
  static uint64_t ballot(uint64_t M, bool B) {
    uint32_t All[64];
    exchange(M, B, All);
    uint64_t Set = 0;
    for (uint64_t Rest = M; Rest; Rest &= Rest - 1)
      if (All[__builtin_ctzll(Rest)])
        Set |= Rest & -Rest;
    return Set;
  }
  static bool any(uint64_t M, bool B) { return ballot(M, B) != 0; }
  template <class F> static uint64_t select(uint64_t M, F &&Keep) {
    return ballot(M, Keep(laneId()));
  }
  template <class F> static void each(uint64_t, F &&Do) { Do(laneId()); }
  static bool among(uint64_t M) { return M >> laneId() & 1; }
  template <class T> struct PerLane {
    T Only{};
    T &operator[](uint32_t) { return Only; }
  };
  static void sync(uint64_t M) { ballot(M, false); }
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
