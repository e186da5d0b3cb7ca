// Options and bodies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../codegen/kernels/black_scholes.h"
#include "case.h"

namespace {

/// The reference is the same formula in double, or in long double.
template <class T, class Wide, class Kernel>
Case options(int n, double tolerance, Kernel kernel) {
  auto price = Array<T>(n).fill(
      [](std::size_t i) { return T(5 + 25 * randomFloat(3 * i)); });
  auto strike = Array<T>(n).fill(
      [](std::size_t i) { return T(1 + 99 * randomFloat(3 * i + 1)); });
  auto years = Array<T>(n).fill(
      [](std::size_t i) { return T(0.25 + 9.75 * randomFloat(3 * i + 2)); });
  auto nothing = [](std::size_t) { return T(-1); };
  auto call = Array<T>(n).fill(nothing), put = Array<T>(n).fill(nothing);
  const T rate = T(0.02), volatility = T(0.3);
  return {[=] {
            kernel(n, price.data(), strike.data(), years.data(), rate,
                   volatility, call.data(), put.data());
          },
          [=] {
            auto expected = [&](std::size_t i) {
              return suite::optionPrice<Wide>(price[i], strike[i], years[i],
                                              rate, volatility);
            };
            std::string wrong =
                compare(call.read(), tolerance,
                        [&](std::size_t i) { return expected(i).call; });
            if (!wrong.empty())
              return "call " + wrong;
            return compare(put.read(), tolerance,
                           [&](std::size_t i) { return expected(i).put; });
          },
          double(5 * sizeof(T)) * n};
}
Case blackScholes(Size size) {
  return options<float, double>(size == Size::Check ? 10'007 : 1 << 25, 1e-5,
                                suite::blackScholes);
}
Case blackScholesDouble(Size size) {
  return options<double, long double>(size == Size::Check ? 10'007 : 1 << 24,
                                      1e-13, suite::blackScholesDouble);
}

Case nbody(Size size) {
  const int n = suite::BodyThreads * (size == Size::Check ? 3 : 256);
  auto bodies = Array<suite::Body>(n).fill([](std::size_t i) {
    return suite::Body{100 * randomFloat(4 * i), 100 * randomFloat(4 * i + 1),
                       100 * randomFloat(4 * i + 2),
                       1 + randomFloat(4 * i + 3)};
  });
  auto acceleration = Array<suite::Body>(n).fill(
      [](std::size_t) { return suite::Body{9, 9, 9, 9}; });
  return {[=] { suite::nbody(n, bodies.data(), acceleration.data()); },
          [=] {
            const auto result = acceleration.read();
            std::vector<float> x(n);
            for (int i = 0; i < n; ++i)
              x[i] = result[i].x + 2 * result[i].y + 3 * result[i].z;
            return compare(x, 2e-4, [&](std::size_t i) {
              double a[3] = {};
              for (int j = 0; j < n; ++j) {
                const double d[3] = {double(bodies[j].x) - bodies[i].x,
                                     double(bodies[j].y) - bodies[i].y,
                                     double(bodies[j].z) - bodies[i].z};
                const double r2 =
                    d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-3f;
                for (int k = 0; k < 3; ++k)
                  a[k] += d[k] * bodies[j].mass / (r2 * std::sqrt(r2));
              }
              return a[0] + 2 * a[1] + 3 * a[2];
            });
          }};
}

Case virtualCalls(Size size) {
  const int n = size == Size::Check ? 100'003 : 1 << 24;
  auto kind = Array<int>(n).fill([](std::size_t i) { return hashOf(i) % 3; });
  auto side = Array<float>(n).fill(randomFloat);
  auto out = Array<float>(n).fill(randomFloat);
  return {[=] { suite::virtualCalls(n, kind.data(), side.data(), out.data()); },
          [=] {
            return compare(out.read(), 1e-6, [&](std::size_t i) {
              const double of[] = {1, 3.14159265, 0.4330127};
              return of[kind[i]] * side[i] * side[i];
            });
          },
          12.0 * n};
}

} // namespace

std::vector<CaseEntry> numericCases() {
  return {{"black_scholes", blackScholes},
          {"black_scholes_double", blackScholesDouble},
          {"nbody", nbody},
          {"virtual_calls", virtualCalls}};
}
