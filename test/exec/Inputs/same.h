// A function's results on a device and on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests of language and library run the same function on both and compare.

#ifndef XCC_TEST_SAME_H
#define XCC_TEST_SAME_H

#include <xcc/xcc.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

/// f(0), ..., f(n - 1), computed by n threads of a device.
template <class F> auto on_device(std::size_t n, F f) {
  using T = decltype(f(std::size_t(0)));
  xcc::buffer<T> out(n);
  xcc::parallel_for(n, [f, p = out.data()](std::size_t i) { p[i] = f(i); });
  // Not std::vector<bool>, which has no array to copy to.
  std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>> result(n);
  out.copy_to(reinterpret_cast<T *>(result.data()), n);
  return result;
}

/// Ends the program unless it holds.
inline void check(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

/// Ends the program unless device and host give equal results for 0 ... n - 1.
template <class F> void same(const char *what, std::size_t n, F f) {
  auto result = on_device(n, f);
  for (std::size_t i = 0; i < n; ++i)
    if (!(result[i] == f(i))) {
      std::printf("FAILED: %s differs at %zu\n", what, i);
      std::exit(1);
    }
  std::printf("%s: same\n", what);
}

#endif // XCC_TEST_SAME_H
