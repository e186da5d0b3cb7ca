// Times one side of the CPU comparison
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: suite KERNEL SECONDS    prints the fastest call's seconds

#include "suite.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {
const char *const Names[Kernels] = {
    "saxpy",     "triad",  "stencil",   "nbody",  "matmul",
    "reduction", "dot",    "histogram", "uneven", "rows",
    "through",   "mixed",  "sum",       "warps",  "blocks",
    "product",   "planes", "count",     "root",   "exp"};

bool close(double value, double expected) {
  return std::fabs(value - expected) <= 1e-3 * (1 + std::fabs(expected));
}

/// Spot checks against plain loops: a fast wrong answer is no answer.
bool right(Kernel kernel, const Data &d, const std::vector<float> &a,
           const std::vector<float> &b, const std::vector<float> &c) {
  for (int sample = 0; sample < 100; ++sample) {
    int i = int(sample * 41947LL % VectorLength);
    switch (kernel) {
    case Saxpy:
      if (!close(d.b[i], b[i] + 2.0f * a[i]))
        return false;
      break;
    case Triad:
      if (!close(d.c[i], a[i] + 3.0f * b[i]))
        return false;
      break;
    case Stencil: {
      int x = i % GridSide, y = i / GridSide;
      if (x == 0 || y == 0 || x == GridSide - 1 || y == GridSide - 1)
        break;
      if (!close(d.b[i], 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - GridSide] +
                                 a[i + GridSide])))
        return false;
      break;
    }
    case NBody: {
      int n = i % Bodies;
      double f = 0;
      for (int j = 0; j < Bodies; ++j) {
        double dx = d.bodies[j].x - d.bodies[n].x;
        double dy = d.bodies[j].y - d.bodies[n].y;
        double dz = d.bodies[j].z - d.bodies[n].z;
        double r = dx * dx + dy * dy + dz * dz + 1e-3;
        f += dx * d.bodies[j].mass / (r * std::sqrt(r));
      }
      if (!close(d.force[3 * n], f))
        return false;
      if (sample == 3)
        return true;
      break;
    }
    case MatMul:
    case Product: {
      int row = i % MatrixSide, col = (i / 7) % MatrixSide;
      double sum = 0;
      for (int k = 0; k < MatrixSide; ++k)
        sum += double(a[row * MatrixSide + k]) * b[k * MatrixSide + col];
      if (!close(d.c[row * MatrixSide + col], sum))
        return false;
      break;
    }
    case Reduce: {
      double sum = 0;
      for (int k = 0; k < ReduceLength; ++k)
        sum += d.reduceIn[k];
      return close(*d.reduceOut, sum);
    }
    case Dot: {
      double sum = 0;
      for (int k = 0; k < VectorLength; ++k)
        sum += double(a[k]) * b[k];
      return close(*d.reduceOut, sum);
    }
    case Histogram: {
      std::vector<std::uint32_t> bins(Bins);
      for (int k = 0; k < Text; ++k)
        ++bins[d.text[k]];
      return std::memcmp(bins.data(), d.bins, Bins * sizeof(bins[0])) == 0;
    }
    case Uneven: {
      int n = i % UnevenLength;
      float x = a[n];
      for (int k = 0; n < UnevenWork && k < UnevenSteps; ++k)
        x = x * 0.5f + std::sqrt(x);
      if (!close(d.c[n], x))
        return false;
      break;
    }
    case Rows:
    case Through:
    case Mixed:
      if (!close(d.b[i], 2.0f * a[i] + 1))
        return false;
      break;
    case SumInt: {
      double sum = 0;
      for (int k = 0; k < ReduceLength; ++k)
        sum += d.reduceIn[k];
      return close(*d.reduceOut, sum);
    }
    case WarpRows: {
      int row = i % RowsOfWarps;
      double sum = 0;
      for (int k = 0; k < RowWidth; ++k)
        sum += d.reduceIn[row * RowWidth + k];
      if (!close(d.c[row], sum))
        return false;
      break;
    }
    case BlockRows: {
      const float *row = a.data() + i / RowWidth * RowWidth;
      double sum = 0, squares = 0;
      for (int k = 0; k < RowWidth; ++k) {
        sum += row[k];
        squares += double(row[k]) * row[k];
      }
      double mean = sum / RowWidth, variance = squares / RowWidth - mean * mean;
      if (!close(d.c[i], (a[i] - mean) / std::sqrt(variance)))
        return false;
      break;
    }
    case Planes: {
      constexpr int n = CubeSide, plane = n * n;
      int at = i % (n * plane), x = at % n, y = at / n % n, z = at / plane;
      if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1)
        break;
      if (!close(d.b[at],
                 0.5f * a[at] +
                     0.1f * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] +
                             a[at - plane] + a[at + plane])))
        return false;
      break;
    }
    case CountIf:
      return d.bins[0] == std::count_if(d.reduceIn, d.reduceIn + ReduceLength,
                                        [](float v) { return v > 0.5f; });
    case RootIf:
      if (!close(d.c[i], a[i] > 0.5f ? std::sqrt(double(a[i]) + b[i]) : b[i]))
        return false;
      break;
    case Exp:
      if (!close(d.c[i], std::exp(-a[i])))
        return false;
      break;
    case Kernels:
      return false;
    }
  }
  return true;
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s KERNEL SECONDS\n", argv[0]);
    return 2;
  }
  int kernel = 0;
  while (kernel < Kernels && std::strcmp(argv[1], Names[kernel]) != 0)
    ++kernel;
  if (kernel == Kernels) {
    std::fprintf(stderr, "unknown kernel '%s'\n", argv[1]);
    return 2;
  }

  std::vector<float> a(VectorLength), b(VectorLength), c(VectorLength);
  std::vector<float> in(ReduceLength), force(3 * Bodies);
  std::vector<Body> bodies(Bodies);
  std::vector<std::uint8_t> text(Text);
  std::vector<std::uint32_t> bins(Bins);
  std::uint32_t seed = 12345;
  auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (float &v : a)
    v = float(random() % 1000) / 1000;
  for (float &v : b)
    v = float(random() % 1000) / 1000;
  for (float &v : in)
    v = float(random() % 1000) / 1000;
  for (Body &v : bodies)
    v = {float(random() % 1000), float(random() % 1000), float(random() % 1000),
         1 + float(random() % 10)};
  for (std::uint8_t &v : text)
    v = std::uint8_t(random() % 96 + 32);
  float sum = 0;

  const std::vector<float> a0 = a, b0 = b, c0 = c;
  Data data{a.data(),      b.data(),     c.data(),    in.data(),  &sum,
            bodies.data(), force.data(), text.data(), bins.data()};
  run(Kernel(kernel), data);
  if (!right(Kernel(kernel), data, a0, b0, c0)) {
    std::fprintf(stderr, "%s: wrong result\n", argv[1]);
    return 1;
  }
  using clock = std::chrono::steady_clock;
  const double budget = std::atof(argv[2]);
  double best = 1e30, total = 0;
  for (int i = 0; total < budget || i < 3; ++i) {
    auto start = clock::now();
    run(Kernel(kernel), data);
    double took = std::chrono::duration<double>(clock::now() - start).count();
    best = std::min(best, took);
    total += took;
  }
  std::printf("%.9f\n", best);
}
