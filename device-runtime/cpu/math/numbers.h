// Parts of floating-point numbers, and sums and products without rounding
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of this folder have no branches except for very large angles, so
// that the vectoriser can run them for all threads of a vector. They choose
// between values that are both computed. Conversions from floating point to
// integers are avoided, because NaNs have none.

#ifndef XCC_DEVICE_RUNTIME_CPU_MATH_NUMBERS_H
#define XCC_DEVICE_RUNTIME_CPU_MATH_NUMBERS_H

#include <stdint.h>

#define XCC_MATH static inline __attribute__((always_inline))
/// Inlined into each caller: a call would have to be made for each thread.
#define XCC_MATH_FUNCTION __attribute__((always_inline))

namespace xcc::math {

constexpr double Infinity = __builtin_inf();

XCC_MATH uint64_t bitsOf(double x) { return __builtin_bit_cast(uint64_t, x); }
XCC_MATH double ofBits(uint64_t x) { return __builtin_bit_cast(double, x); }

/// x between both; a NaN stays one.
XCC_MATH double clamped(double x, double low, double high) {
  const double below = x > high ? high : x;
  return below < low ? low : below;
}

/// 2^n, for n from -1022 to 1023.
XCC_MATH double powerOfTwo(int32_t n) {
  return ofBits(uint64_t(uint32_t(n + 1023)) << 52);
}

/// The integer next to x, for |x| below 2^31.
struct Rounded {
  double value;
  int32_t integer;
};
XCC_MATH Rounded roundToInteger(double x) {
  // The sum has no room for a fraction; its low bits are the integer.
  const double sum = x + 0x1.8p52;
  return {sum - 0x1.8p52, int32_t(uint32_t(bitsOf(sum)))};
}

/// x = mantissa * 2^exponent, with the mantissa between sqrt(1/2) and sqrt(2), for
/// positive numbers that are not denormal.
struct Split {
  double mantissa;
  int32_t exponent;
};
XCC_MATH Split split(double x) {
  const uint64_t bits = bitsOf(x);
  const int32_t exponent =
      int32_t(uint32_t(bits >> 32) - 0x3fe6a09eu) >> 20; // sqrt(1/2)
  return {ofBits(bits - (uint64_t(int64_t(exponent)) << 52)), exponent};
}

/// A sum of two numbers, the second below half a unit in the last place of the first.
struct Pair {
  double high, low;
};

/// a + b (Knuth).
XCC_MATH Pair exactSum(double a, double b) {
#pragma clang fp contract(off)
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// The same for |a| >= |b| (Dekker).
XCC_MATH Pair exactSumOrdered(double a, double b) {
#pragma clang fp contract(off)
  const double sum = a + b;
  return {sum, (a - sum) + b};
}

/// a * b, for |a| and |b| below 2^900. Processors without fused multiply-adds split
/// the numbers into halves (Veltkamp, Dekker), with the same result.
XCC_MATH Pair exactProduct(double a, double b) {
#pragma clang fp contract(off)
  const double product = a * b;
#ifdef XCC_MATH_fma
  return {product, __builtin_fma(a, b, -product)};
#else
  const double scaledA = a * 0x1.0000002p27, scaledB = b * 0x1.0000002p27;
  const double highA = scaledA - (scaledA - a), lowA = a - highA;
  const double highB = scaledB - (scaledB - b), lowB = b - highB;
  return {product, ((highA * highB - product) + highA * lowB + lowA * highB) +
                       lowA * lowB};
#endif
}

XCC_MATH Pair product(Pair a, Pair b) {
#pragma clang fp contract(off)
  const Pair high = exactProduct(a.high, b.high);
  return exactSumOrdered(high.high,
                         high.low + (a.high * b.low + a.low * b.high));
}
XCC_MATH Pair sum(Pair a, Pair b) {
#pragma clang fp contract(off)
  const Pair high = exactSum(a.high, b.high);
  return exactSumOrdered(high.high, high.low + (a.low + b.low));
}
/// a / b, for |a|, |b| and the quotient far from the ends of the range.
XCC_MATH Pair quotient(Pair a, Pair b) {
#pragma clang fp contract(off)
  const double high = a.high / b.high;
  const Pair back = exactProduct(high, b.high);
  const double rest = ((a.high - back.high) - back.low) + a.low - high * b.low;
  return exactSumOrdered(high, rest / b.high);
}

/// c[0] + c[1] x + ... + c[n - 1] x^(n - 1), by Horner's rule.
template <int N> XCC_MATH double polynomial(double x, const double (&c)[N]) {
  double sum = c[N - 1];
#pragma clang loop unroll(full)
  for (int i = N - 2; i >= 0; --i)
    sum = sum * x + c[i];
  return sum;
}

} // namespace xcc::math

#endif // XCC_DEVICE_RUNTIME_CPU_MATH_NUMBERS_H
