// Vectors and matrices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../codegen/suite.h"
#include "case.h"

#include <algorithm>

namespace {

Array<float> floats(std::size_t n, std::size_t from = 0) {
  return Array<float>(n).fill(
      [=](std::size_t i) { return randomFloat(from + i); });
}

Case saxpy(Size size) {
  const int n = size == Size::Check ? 100'003 : 1 << 26;
  auto x = floats(n), y = floats(n, n);
  return {[=] { suite::saxpy(n, 2.5f, x.data(), y.data()); },
          [=] {
            return compare(y.read(), 1e-6,
                           [&](std::size_t i) { return y[i] + 2.5 * x[i]; });
          },
          12.0 * n};
}

Case triad(Size size) {
  const int n = size == Size::Check ? 100'003 : 1 << 26;
  auto a = floats(n), b = floats(n, n), c = floats(n);
  return {[=] { suite::triad(n, 3.0f, a.data(), b.data(), c.data()); },
          [=] {
            return compare(c.read(), 1e-6,
                           [&](std::size_t i) { return a[i] + 3.0 * b[i]; });
          },
          12.0 * n};
}

Case transpose(Size size) {
  const int width = size == Size::Check ? 96 : 8192;
  const int height = size == Size::Check ? 160 : 8192;
  auto in = floats(std::size_t(width) * height);
  auto out = floats(std::size_t(width) * height);
  return {[=] { suite::transpose(width, height, in.data(), out.data()); },
          [=] {
            return compare(out.read(), 0, [&](std::size_t i) {
              return in[i % height * width + i / height];
            });
          },
          8.0 * width * height};
}

Case matmul(Size size,
            void (*kernel)(int, const float *, const float *, float *)) {
  const int n = size == Size::Check ? 192 : 2048;
  auto a = floats(std::size_t(n) * n), b = floats(std::size_t(n) * n, 99);
  auto c = floats(std::size_t(n) * n);
  return {[=] { kernel(n, a.data(), b.data(), c.data()); },
          [=] {
            return compare(c.read(), 1e-5, [&](std::size_t i) {
              double sum = 0;
              for (int k = 0; k < n; ++k)
                sum += double(a[i / n * n + k]) * b[k * n + i % n];
              return sum;
            });
          }};
}
Case matmulTiled(Size size) { return matmul(size, suite::matmulTiled); }
Case matmulRegister(Size size) { return matmul(size, suite::matmulRegister); }

Case expression(Size size) {
  const int n = size == Size::Check ? 100'004 : 1 << 26;
  auto a = floats(n), b = floats(n, n), out = floats(n);
  const float s = -0.75f;
  return {[=] { suite::expression(n, s, a.data(), b.data(), out.data()); },
          [=] {
            return compare(out.read(), 1e-4, [&](std::size_t i) {
              const double x = a[i], y = b[i];
              return std::sqrt(std::fabs(x * y + s * x)) - s * y + x;
            });
          },
          12.0 * n};
}

Case policies(Size size) {
  const int n = size == Size::Check ? 100'003 : 1 << 26;
  auto a = floats(n), b = floats(n, n), out = floats(n);
  return {[=] {
            suite::policies(n, 2.0f, -0.5f, 0.75f, a.data(), b.data(),
                            out.data());
          },
          [=] {
            return compare(out.read(), 1e-5, [&](std::size_t i) {
              const double v = std::clamp(2.0 * a[i] - b[i], -0.5, 0.75);
              return (((3 * v - 5) * v + 2) * v + 7) * v - 1;
            });
          },
          12.0 * n};
}

Case lambdas(Size size) {
  const int n = size == Size::Check ? 100'003 : 1 << 26;
  auto x = floats(n), y = floats(n, n), out = floats(n);
  return {
      [=] { suite::lambdas(n, 0.25f, 0.5f, x.data(), y.data(), out.data()); },
      [=] {
        return compare(out.read(), 1e-6, [&](std::size_t i) {
          const double d = x[i] - 0.25, e = y[i] - 0.5;
          return d * d + e * e + 0.125;
        });
      },
      12.0 * n};
}

Case matmulNaive(Size size) { return matmul(size, suite::matmulNaive); }

Case matvec(Size size) {
  const int rows = size == Size::Check ? 1'003 : 1 << 16;
  const int columns = size == Size::Check ? 77 : 1 << 12;
  auto a = floats(std::size_t(rows) * columns), x = floats(columns, 9);
  auto y = floats(rows);
  return {[=] { suite::matvec(rows, columns, a.data(), x.data(), y.data()); },
          [=] {
            return compare(y.read(), 1e-5, [&](std::size_t row) {
              double sum = 0;
              for (int k = 0; k < columns; ++k)
                sum += double(a[std::size_t(k) * rows + row]) * x[k];
              return sum;
            });
          },
          4.0 * rows * columns};
}

Case kmeans(Size size) {
  const int points = size == Size::Check ? 1'003 : 1 << 20;
  const int features = size == Size::Check ? 7 : 32, clusters = 5;
  auto point = floats(std::size_t(points) * features);
  auto centre = floats(std::size_t(clusters) * features, 3);
  auto member = Array<int>(points).fill(hashOf);
  return {[=] {
            suite::kmeans(points, features, clusters, point.data(),
                          centre.data(), member.data());
          },
          [=] {
            // Which of two is nearer, rounding may decide.
            auto distance = [&](int i, int c) {
              double sum = 0;
              for (int f = 0; f < features; ++f) {
                const double d =
                    double(point[f * points + i]) - centre[c * features + f];
                sum += d * d;
              }
              return sum;
            };
            const auto result = member.read();
            for (int i = 0; i < points; ++i)
              for (int c = 0; c < clusters; ++c)
                if (unsigned(result[i]) >= unsigned(clusters) ||
                    distance(i, c) < distance(i, result[i]) - 1e-5)
                  return "point " + std::to_string(i) + " is nearer to " +
                         std::to_string(c);
            return std::string();
          },
          4.0 * points * features};
}

} // namespace

std::vector<CaseEntry> denseCases() {
  return {{"saxpy", saxpy},
          {"triad", triad},
          {"transpose", transpose},
          {"matmul_tiled", matmulTiled},
          {"matmul_register", matmulRegister},
          {"matmul_naive", matmulNaive},
          {"matvec", matvec},
          {"kmeans", kmeans},
          {"expression", expression},
          {"policies", policies},
          {"lambdas", lambdas}};
}
