// The standard's parallel algorithms on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc -foffload-stdpar stdpar.cpp. No header of xcc's is included: any C++17
// compiler compiles this file. Variables that the lambdas capture by reference
// are copied to the device, and back before an algorithm returns.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

namespace {

/// Points on a spiral, by the distance from the origin.
struct point {
  double x, y;
};

double distance(const point &p) { return std::sqrt(p.x * p.x + p.y * p.y); }

} // namespace

int main() {
  const std::size_t count = 200000;
  std::vector<double> angles(count);
  std::iota(angles.begin(), angles.end(), 0.0);

  const double step = 0.001;
  std::vector<point> points(count);
  std::transform(std::execution::par_unseq, angles.begin(), angles.end(),
                 points.begin(), [&](double angle) {
                   const double radius = std::fmod(angle * 7919, 1000);
                   return point{radius * std::cos(angle * step),
                                radius * std::sin(angle * step)};
                 });

  std::sort(std::execution::par_unseq, points.begin(), points.end(),
            [](const point &one, const point &other) {
              return distance(one) < distance(other);
            });

  const double mean =
      std::transform_reduce(std::execution::par, points.begin(), points.end(),
                            0.0, std::plus<>(), distance) /
      count;
  const auto near =
      std::count_if(std::execution::par, points.begin(), points.end(),
                    [](const point &p) { return distance(p) < 99.5; });

  std::printf("mean distance %.2f, %td points nearer than 99.5\n", mean, near);
  // GPUs fuse a product and a sum: the last bit of a distance may differ there.
  const bool sorted = std::is_sorted(
      points.begin(), points.end(), [](const point &one, const point &other) {
        return distance(one) < distance(other) - 1e-9;
      });
  // Each of the distances 0 to 999 occurs equally often.
  const bool right = sorted && std::fabs(mean - 499.5) < 0.01;
  if (!right)
    std::printf("wrong\n");
  return !right;
}
