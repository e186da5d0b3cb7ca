// <xcc/algorithm.h> on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "suite.h"
#include <xcc/algorithm.h>
#include <xcc/xcc.h>

int main() {
  const std::vector<int> given = suite::keys();
  xcc::buffer<int> keys(given), to(given.size());
  xcc::buffer<float> numbers(suite::numbers()), squares(given.size());
  suite::measure("transform", [&] {
    xcc::transform(numbers, squares.data(), [](float v) { return v * v + 1; });
  });
  suite::measure("reduce_float", [&] { (void)xcc::reduce(numbers, 0.0f); });
  suite::measure("reduce_int", [&] { (void)xcc::reduce(keys, 0u); });
  suite::measure("inclusive_scan", [&] {
    xcc::inclusive_scan(keys, to.data(),
                        [](unsigned a, unsigned b) { return int(a + b); });
  });
  suite::measure("copy_if", [&] {
    xcc::copy_if(keys, to.data(), [](int v) { return v > 0; });
  });
  suite::measure(
      "sort", 3, [&] { to.copy_from(given); }, [&] { xcc::sort(to); });
}
