// What both sides of the algorithms' benchmark share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_ALGORITHMS_SUITE_H
#define XCC_BENCH_ALGORITHMS_SUITE_H
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace suite {
inline constexpr std::size_t count = std::size_t(1) << 24;

inline std::vector<int> keys() {
  std::vector<int> out(count);
  std::uint32_t state = 1;
  for (int &key : out)
    key = int(state = state * 1664525u + 1013904223u);
  return out;
}
inline std::vector<float> numbers() {
  std::vector<float> out;
  for (int key : keys())
    out.push_back(float(key % 1000));
  return out;
}

/// Prints the fastest of some calls, each after one of `before`.
template <class Before, class Call>
void measure(const char *name, int times, Before before, Call call) {
  using clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    before();
    const auto start = clock::now();
    call();
    const double seconds =
        std::chrono::duration<double>(clock::now() - start).count();
    best = seconds < best ? seconds : best;
  }
  std::printf("%s %.9f\n", name, best);
}
template <class Call> void measure(const char *name, Call call) {
  measure(name, 9, [] {}, call);
}
} // namespace suite
#endif
