// Blocks that are executed often become host code: the results are the same from
// the first execution on, with every schedule and with checks. A kernel that
// computes for longer than XCC_SIM_SECONDS is no deadlock.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O2 -std=c++20 -offload-arch=sm_90 -foffload-no-cubin %s -o %t
// RUN: env XCC_SIM_HOT=0 XCC_DEVICE=sim:sm_90 %t > %t.interpreted
// RUN: FileCheck %s < %t.interpreted
// RUN: env XCC_SIM_HOT=1 XCC_DEVICE=sim:sm_90 %t > %t.hot && cmp %t.hot %t.interpreted
// RUN: env XCC_SIM_HOT=1 XCC_SIM_SCHEDULE=random:3 XCC_DEVICE=sim:sm_90 %t > %t.hot && cmp %t.hot %t.interpreted
// RUN: env XCC_SIM_HOT=1 XCC_SIM_SCHEDULE=independent XCC_DEVICE=sim:sm_90 %t > %t.hot && cmp %t.hot %t.interpreted
// RUN: env XCC_SIM_HOT=1 XCC_SIM_CHECK=memory,races XCC_DEVICE=sim:sm_90 %t > %t.hot && cmp %t.hot %t.interpreted
// RUN: env XCC_SIM_HOT=1 XCC_SIM_CHECK=init XCC_DEVICE=sim:sm_90 %t > %t.hot && cmp %t.hot %t.interpreted
// RUN: env XCC_SIM_SECONDS=0.01 XCC_SIM_HOT=0 XCC_DEVICE=sim:sm_90 %t 300 > %t.long
// RUN: FileCheck %s < %t.long --check-prefix=LONG
// CHECK: paths {{[0-9]+}}, orbits {{[0-9.e+-]+}}, tiles {{[0-9]+}}
// LONG: paths

#include <xcc/xcc.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

namespace {
constexpr unsigned Blocks = 8, Threads = 96, All = Blocks * Threads;

/// Lanes leave the loop one by one.
unsigned paths(unsigned rounds) {
  std::vector<unsigned> steps(All);
  xcc::launch({Blocks, Threads}, [to = std::span(steps), rounds] {
    const unsigned i = xcc::block_idx().x * Threads + xcc::thread_idx().x;
    unsigned count = 0;
    for (unsigned r = 0; r != rounds; ++r)
      for (unsigned n = i + 1; n != 1; ++count)
        n = n % 2 ? 3 * n + 1 : n / 2;
    to[i] = count;
  });
  xcc::synchronize();
  unsigned sum = 0;
  for (unsigned each : steps)
    sum += each;
  return sum;
}

float orbits() {
  std::vector<float> at(All);
  xcc::launch({Blocks, Threads}, [to = std::span(at)] {
    const unsigned i = xcc::block_idx().x * Threads + xcc::thread_idx().x;
    float x = float(i) * 0.01f, y = 0.5f;
    for (int n = 0; n != 50; ++n) {
      const float next = x * x - y * y + 0.3f;
      y = 2 * x * y - 0.1f;
      x = next / (1 + x * x); // some overflow, and become NaN
    }
    to[i] = x == x ? x + y : 1.0f;
  });
  xcc::synchronize();
  float sum = 0;
  for (float each : at)
    sum += each;
  return sum;
}

/// Accesses of shared memory, bytes and doubles between barriers.
long tiles() {
  std::vector<double> out(All);
  std::vector<signed char> in(All);
  for (unsigned i = 0; i != All; ++i)
    in[i] = static_cast<signed char>(i * 37);
  xcc::launch({Blocks, Threads}, [from = std::span(in), to = std::span(out)] {
    static xcc::block_shared<int[Threads]> tile;
    const unsigned t = xcc::thread_idx().x,
                   i = xcc::block_idx().x * Threads + t;
    tile[t] = from[i];
    xcc::sync_block();
    double sum = 0;
    for (unsigned n = 0; n != Threads; ++n)
      sum += tile[(t * 5 + n) % Threads] * (n + 1);
    to[i] = sum;
  });
  xcc::synchronize();
  double sum = 0;
  for (unsigned i = 0; i != All; ++i)
    sum += out[i] * (i % 7);
  return long(sum);
}
} // namespace

int main(int argc, char **argv) {
  std::printf("paths %u, orbits %.9g, tiles %ld\n",
              paths(argc > 1 ? unsigned(std::atoi(argv[1])) : 1u),
              double(orbits()), tiles());
}
