// The first kernel of a process, for each side
#ifndef XCC_BENCH_JIT_FIRST_H
#define XCC_BENCH_JIT_FIRST_H

#include <chrono>
#include <cstdio>

constexpr int Count = 1 << 16;

/// Prints the milliseconds that a call takes.
template <class F> void measure(F call) {
  auto begin = std::chrono::steady_clock::now();
  call();
  std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - begin;
  std::printf("%.3f\n", took.count());
}

#endif
