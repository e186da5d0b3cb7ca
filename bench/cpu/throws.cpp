// What throws and handlers on cold paths cost on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: XCC_CPU_THREADS=1 throws [rounds]. The least time of a launch, in
// microseconds, of 32,768 numbers in the cache: nothing is thrown. In the last row
// a write before the throw may be to what is read, so threads run one by one.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>
#include <xcc/xcc.h>

static void plain(const float *x, float *y) {
  const unsigned i = xcc::global_id();
  y[i] = std::sqrt(x[i]);
}
static void throws(const float *x, float *y) {
  const unsigned i = xcc::global_id();
  if (x[i] < 0)
    throw std::domain_error("negative");
  y[i] = std::sqrt(x[i]);
}
static void catches(const float *x, float *y) {
  const unsigned i = xcc::global_id();
  try {
    if (x[i] < 0)
      throw std::domain_error("negative");
    y[i] = std::sqrt(x[i]);
  } catch (...) {
    y[i] = -1;
  }
}
static void writesBefore(const float *x, float *y) {
  const unsigned i = xcc::global_id();
  y[i] = x[i] + 1;
  if (x[i] < 0)
    throw std::domain_error("negative");
  y[i] = std::sqrt(x[i]);
}

template <auto Kernel> static void time(const char *what, int rounds) {
  constexpr unsigned Count = 32768, Block = 1024, Together = 20;
  std::vector<float> x(Count, 2.5f), y(Count);
  double least = 1e9;
  for (int round = 0; round != rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i != Together; ++i)
      xcc::launch({{Count / Block}, {Block}}, Kernel, x.data(), y.data());
    xcc::synchronize();
    const std::chrono::duration<double, std::micro> took =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count() / Together);
  }
  if (y[Count - 1] != std::sqrt(2.5f))
    std::exit(1);
  std::printf("%-40s %6.1f us\n", what, least);
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 500;
  time<plain>("without a throw", rounds);
  time<throws>("with a throw", rounds);
  time<catches>("with a throw and a handler", rounds);
  time<writesBefore>("with a write before the throw", rounds);
}
