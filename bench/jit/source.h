// What both compilers of run-time source are given
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_JIT_SOURCE_H
#define XCC_BENCH_JIT_SOURCE_H

#include <chrono>
#include <cstdio>
#include <string>

/// A text that no text before was: \p kernels of them.
inline std::string textOf(const char *before, const char *index, int number) {
  std::string all;
  for (int i = 0; i != 4; ++i)
    all += std::string(before) + " void kernel" + std::to_string(i) +
           "(float a, float *x, const float *y, int n) {\n  int i = " + index +
           ";\n  if (i < n) {\n    float s = " + std::to_string(number) +
           ";\n    for (int j = 0; j < " + std::to_string(i + 3) +
           "; ++j) s = s * a + sqrtf(y[i] + j);\n    x[i] += s;\n  }\n}\n";
  return all;
}

/// The milliseconds of the first compile, and the least of some after it.
template <class Compile> void measure(Compile compile) {
  double first = 0, least = 0;
  for (int i = 0; i != 11; ++i) {
    auto begin = std::chrono::steady_clock::now();
    compile(i);
    double ms = std::chrono::duration<double, std::milli>(
                    std::chrono::steady_clock::now() - begin)
                    .count();
    if (i == 0)
      first = ms;
    else if (i == 1 || ms < least)
      least = ms;
  }
  std::printf("%.2f %.2f\n", first, least);
}

#endif // XCC_BENCH_JIT_SOURCE_H
