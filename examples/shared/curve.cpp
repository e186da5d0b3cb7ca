// A curve through points
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "curve.h"

#include <algorithm>
#include <vector>

float curve::scale = 1;

namespace {

/// Runs before main on the host, and before the first kernel on a device.
std::vector<float> makeHeights() {
  std::vector<float> heights;
  for (int i = 0; i < curve::Points; ++i)
    heights.push_back(float(i * (curve::Points - i)));
  return heights;
}
const std::vector<float> heights = makeHeights();

float height(int i) {
  return heights[std::size_t(std::clamp(i, 0, curve::Points - 1))];
}

} // namespace

// Catmull and Rom's spline.
float curve::at(float x) {
  int i = int(x);
  float t = x - float(i), a = height(i - 1), b = height(i), c = height(i + 1),
        d = height(i + 2);
  return scale * (b + t / 2 *
                          (c - a +
                           t * (2 * a - 5 * b + 4 * c - d +
                                t * (3 * (b - c) + d - a))));
}
