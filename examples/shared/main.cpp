// Kernels that call a shared library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "curve.h"

#include <xcc/xcc.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int Steps = 1000;

static float place(int step) {
  return float(step) * float(curve::Points - 1) / float(Steps);
}

int main() {
  // The device has its own variable of this name.
  curve::scale = 2;
  xcc::symbol(curve::scale).to_device();

  std::vector<float> heights(Steps);
  xcc::parallel_for(
      Steps, [&](std::size_t i) { heights[i] = curve::at(place(int(i))); });
  xcc::synchronize();

  int wrong = 0;
  for (int i = 0; i < Steps; ++i)
    wrong += std::fabs(heights[std::size_t(i)] - curve::at(place(i))) > 1e-4f;
  std::printf("curve: %d of %d heights are wrong\n", wrong, Steps);
  return wrong ? 1 : 0;
}
