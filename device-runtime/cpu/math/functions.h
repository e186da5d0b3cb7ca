// What several mathematical functions need
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials have the least largest error in their interval (Remez's exchange
// algorithm, test/math/polynomials.py). The error is relative to the function.

#ifndef XCC_DEVICE_RUNTIME_CPU_MATH_FUNCTIONS_H
#define XCC_DEVICE_RUNTIME_CPU_MATH_FUNCTIONS_H

#include "numbers.h"

namespace xcc::math {

constexpr double Log2E = 0x1.71547652b82fep0;
/// ln 2 in two parts: a product of the first with 20 bits is exact.
constexpr double Ln2High = 0x1.62e42feep-1, Ln2Low = 0x1.a39ef35793c76p-33;
constexpr double Ln2 = 0x1.62e42fefa39efp-1;

//===-- Exponentials ------------------------------------------------------===//

/// e^x = value * 2^exponent, with the value between sqrt(1/2) and sqrt(2).
struct Scaled {
  Pair value;
  int32_t exponent;
};

/// Of x + low, for |x| below 800. Error 2^-57.9 and rounding.
XCC_MATH Scaled exponential(double x, double low) {
  const Rounded count = roundToInteger(x * Log2E);
  const double high = x - count.value * Ln2High;
  const double small = count.value * Ln2Low - low;
  const double rest = high - small;
  const double lost = (high - rest) - small;
  constexpr double c[] = {0x1.000000000000ap-1,  0x1.55555555554fap-3,
                          0x1.555555555087dp-5,  0x1.1111111127befp-7,
                          0x1.6c16c18429e42p-10, 0x1.a01a012a533edp-13,
                          0x1.a0199a0cdab44p-16, 0x1.71df255ea59bep-19,
                          0x1.28ad7268ca8edp-22, 0x1.ad7f57fb72ecdp-26};
  const Pair less = exactSumOrdered(rest, rest * rest * polynomial(rest, c) +
                                              (lost + lost * rest));
  const Pair value = exactSumOrdered(1, less.high);
  return {{value.high, value.low + less.low}, count.integer};
}
/// In two steps, because the exponent may be that of a denormal number.
XCC_MATH double scale(double x, int32_t exponent) {
  const int32_t half = exponent >> 1;
  return x * powerOfTwo(half) * powerOfTwo(exponent - half);
}

/// e^x for a result of type float, |x| below 300. Error 2^-34.
XCC_MATH double exponentialForFloat(double x) {
  const Rounded count = roundToInteger(x * Log2E);
  const double rest = x - count.value * Ln2;
  constexpr double c[] = {0x1.0000003a22582p-1,  0x1.555554433ce58p-3,
                          0x1.55548dc6a4926p-5,  0x1.111270b90ad1ap-7,
                          0x1.6d8d0560ba2d5p-10, 0x1.9f088944ab34bp-13};
  const double value = rest * rest * polynomial(rest, c) + rest + 1;
  return ofBits(bitsOf(value) + (uint64_t(int64_t(count.integer)) << 52));
}

//===-- Logarithms --------------------------------------------------------===//

// With s = (m - 1) / (m + 1), ln m = 2 s + s^3 q(s^2).

/// What a logarithm is of numbers that have none, else \p result.
XCC_MATH double wholeLogarithm(double x, double result) {
  result = x == Infinity ? x : result;
  result = x == 0 ? -Infinity : result;
  return x < 0 || x != x ? __builtin_nan("") : result;
}

/// ln m for a result of type float. Error 2^-37.
XCC_MATH double logarithmForFloat(double mantissa) {
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  constexpr double c[] = {0x1.555554fd92279p-1, 0x1.999a7a9e44989p-2,
                          0x1.2438d2901fe92p-2, 0x1.e2f72b2beb5eap-3};
  return 2 * s + s * square * polynomial(square, c);
}
/// The same with an error of 2^-45, for powers.
XCC_MATH double logarithmForPower(double mantissa) {
  const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
  constexpr double c[] = {0x1.555555561e42fp-1, 0x1.999996a94b03bp-2,
                          0x1.249411eda89a5p-2, 0x1.c62b14e51ca90p-3,
                          0x1.91158a7dc1e67p-3};
  return 2 * s + s * square * polynomial(square, c);
}

//===-- Powers ------------------------------------------------------------===//

/// What x^y is, where that does not follow from |x|^y = size (C23, F.10.4.4).
XCC_MATH double powerOf(double x, double y, double size) {
  const bool isInteger = __builtin_rint(y) == y;
  const bool isOdd = isInteger & (__builtin_rint(y * 0.5) != y * 0.5);
  const double magnitude = __builtin_fabs(x);
  double result = size;
  const bool isEnd = (magnitude == 0) | (magnitude == Infinity);
  const double end = (magnitude == 0) == (y < 0) ? Infinity : 0.0;
  result = isEnd ? end : result;
  const bool isNegated = (bitsOf(x) >> 63 != 0) & isOdd;
  result = isNegated ? -result : result;
  const bool hasNone = (x < 0) & !isInteger & !isEnd;
  result = hasNone ? __builtin_nan("") : result;
  result = __builtin_isunordered(x, y) ? x + y : result;
  const bool isOne =
      (y == 0) | (x == 1) | ((x == -1) & (__builtin_fabs(y) == Infinity));
  return isOne ? 1.0 : result;
}

//===-- Angles ------------------------------------------------------------===//

constexpr double TwoOverPi = 0x1.45f306dc9c883p-1;

/// The number of quarters decides which of both functions, and its sign, is the
/// result.
XCC_MATH double ofQuarter(int32_t quarters, double sine, double cosine) {
  const double chosen = quarters & 1 ? cosine : sine;
  return ofBits(bitsOf(chosen) ^ uint64_t(uint32_t(quarters & 2)) << 62);
}

} // namespace xcc::math

#endif // XCC_DEVICE_RUNTIME_CPU_MATH_FUNCTIONS_H
