// A xorshift generator
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison and the host reference use it.

#ifndef XCC_BENCH_CODEGEN_MONTE_CARLO_H
#define XCC_BENCH_CODEGEN_MONTE_CARLO_H

#include "../suite.h"

namespace suite {

/// Marsaglia's xorshift128, seeded by a mix of the thread's number.
struct XorShift {
  std::uint32_t x, y, z, w;

  SUITE_INLINE XorShift(std::uint32_t seed, std::uint32_t thread)
      : x(mix(seed + thread)), y(mix(x + 0x9e3779b9u)), z(mix(y ^ 0x85ebca6bu)),
        w(mix(z) | 1) {}

  SUITE_INLINE static std::uint32_t mix(std::uint32_t v) {
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    v *= 0x846ca68bu;
    return v ^ (v >> 16);
  }
  SUITE_INLINE std::uint32_t next() {
    const std::uint32_t t = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    return w = w ^ (w >> 19) ^ t ^ (t >> 8);
  }
  /// In [0, 1), 24 bits.
  SUITE_INLINE float uniform() { return (next() >> 8) * 0x1p-24f; }
};

/// How many of so many random points lie in the quarter disk.
SUITE_INLINE std::uint32_t pointsInside(std::uint32_t seed,
                                        std::uint32_t thread, int samples) {
  XorShift random(seed, thread);
  std::uint32_t inside = 0;
  for (int i = 0; i < samples; ++i) {
    const float x = random.uniform(), y = random.uniform();
    if (x * x + y * y < 1)
      ++inside;
  }
  return inside;
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_MONTE_CARLO_H
