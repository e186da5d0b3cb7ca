// The price of an option
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison and the host reference use these formulas.

#ifndef XCC_BENCH_CODEGEN_BLACK_SCHOLES_H
#define XCC_BENCH_CODEGEN_BLACK_SCHOLES_H

#include "../suite.h"
#include <cmath>

namespace suite {

template <class T> struct Option {
  T call, put;
};

/// The cumulative normal distribution: Abramowitz and Stegun, 26.2.17.
template <class T> SUITE_INLINE T cumulativeNormal(T d) {
  const T k = T(1) / (T(1) + T(0.2316419) * std::fabs(d));
  T tail = T(0.39894228040143267794) * std::exp(T(-0.5) * d * d) *
           (k * (T(0.319381530) +
                 k * (T(-0.356563782) +
                      k * (T(1.781477937) +
                           k * (T(-1.821255978) + k * T(1.330274429))))));
  return d > 0 ? T(1) - tail : tail;
}

template <class T>
SUITE_INLINE Option<T> optionPrice(T price, T strike, T years, T rate,
                                   T volatility) {
  const T root = std::sqrt(years);
  const T d1 = (std::log(price / strike) +
                (rate + T(0.5) * volatility * volatility) * years) /
               (volatility * root);
  const T d2 = d1 - volatility * root;
  const T n1 = cumulativeNormal(d1), n2 = cumulativeNormal(d2);
  const T discounted = strike * std::exp(-rate * years);
  return {price * n1 - discounted * n2,
          discounted * (T(1) - n2) - price * (T(1) - n1)};
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_BLACK_SCHOLES_H
