// libstdc++'s parallel algorithms, which TBB runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "suite.h"
#include <algorithm>
#include <execution>
#include <numeric>

volatile float float_result;
volatile unsigned int_result;

int main() {
  using std::execution::par;
  const std::vector<int> keys = suite::keys();
  std::vector<int> to(keys.size());
  const std::vector<float> numbers = suite::numbers();
  std::vector<float> squares(numbers.size());
  suite::measure("transform", [&] {
    std::transform(par, numbers.begin(), numbers.end(), squares.begin(),
                   [](float v) { return v * v + 1; });
  });
  suite::measure("reduce_float", [&] {
    float_result = std::reduce(par, numbers.begin(), numbers.end(), 0.0f);
  });
  suite::measure("reduce_int", [&] {
    int_result = std::reduce(par, keys.begin(), keys.end(), 0u);
  });
  suite::measure("inclusive_scan", [&] {
    std::inclusive_scan(par, keys.begin(), keys.end(), to.begin(),
                        [](unsigned a, unsigned b) { return int(a + b); });
  });
  suite::measure("copy_if", [&] {
    std::copy_if(par, keys.begin(), keys.end(), to.begin(),
                 [](int v) { return v > 0; });
  });
  suite::measure(
      "sort", 3, [&] { to = keys; },
      [&] { std::sort(par, to.begin(), to.end()); });
}
