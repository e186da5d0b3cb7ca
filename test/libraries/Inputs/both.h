// A function that fills numbers, on a device and on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_BOTH_H
#define XCC_TEST_BOTH_H

#include <xcc/xcc.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Runs f(numbers) on a device and on the host; the CPU device's numbers are the
/// host's, a GPU's, which has other math functions and contracts, nearly so.
template <class T, class F> void both(const char *what, std::vector<T> numbers, F f) {
  std::vector<T> should = numbers;
  f(should.data());
  xcc::buffer<T> on(numbers.size());
  on.copy_from(numbers.data(), numbers.size());
  xcc::launch({{1}, {1}}, [f, p = on.data()] { f(p); });
  on.copy_to(numbers.data(), numbers.size());
  bool gpu = std::getenv("XCC_DEVICE") != nullptr;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double is = double(numbers[i]), wanted = double(should[i]);
    double error = std::fabs(is - wanted) / (1 + std::fabs(wanted));
    if (gpu && sizeof(T) >= 4 ? error < 1e-5 : is == wanted)
      continue;
    std::printf("%s: number %zu is %.17g, not %.17g\n", what, i, is, wanted);
    std::exit(1);
  }
  std::printf("%s: same\n", what);
}

#endif // XCC_TEST_BOTH_H
