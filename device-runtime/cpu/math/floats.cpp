// Mathematical functions of floats, computed in double precision
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the CPU device call these in place of the C library's
// (backend/targets/cpu/vector_math.h). Errors are about 2^-32 of the result before
// it is rounded to a float, so nearly all results are the nearest floats.

#include "functions.h"

using namespace xcc::math;

extern "C" {
// The C library's, for angles that are very large or no numbers.
__attribute__((const)) float sinf(float);
__attribute__((const)) float cosf(float);
__attribute__((const)) float tanf(float);

XCC_MATH_FUNCTION float __xcc_math_expf(float x) {
  const double wide = clamped(x, -120, 100);
  return float(exponentialForFloat(wide));
}
XCC_MATH_FUNCTION float __xcc_math_exp2f(float x) {
  const double wide = clamped(x, -160, 150);
  return float(exponentialForFloat(wide * Ln2));
}
XCC_MATH_FUNCTION float __xcc_math_exp10f(float x) {
  const double wide = clamped(x, -55, 45);
  return float(exponentialForFloat(wide * 0x1.26bb1bbb55516p1));
}
XCC_MATH_FUNCTION float __xcc_math_expm1f(float x) {
  const double wide = clamped(x, -120, 100);
  const double result = exponentialForFloat(wide) - 1;
  // Too little is left of small results.
  const double small =
      wide + wide * wide * (0.5 + wide * (1.0 / 6 + wide * (1.0 / 24)));
  const float rounded = float(__builtin_fabs(wide) < 0x1p-7 ? small : result);
  return x == 0 ? x : rounded;
}
}

namespace {
/// ln x, and what it is of numbers that have none.
XCC_MATH double logarithm(double x) {
  const Split parts = split(x);
  return wholeLogarithm(x, parts.exponent * Ln2 +
                               logarithmForFloat(parts.mantissa));
}
} // namespace

extern "C" {
XCC_MATH_FUNCTION float __xcc_math_logf(float x) { return float(logarithm(x)); }
XCC_MATH_FUNCTION float __xcc_math_log2f(float x) {
  const Split parts = split(x);
  return float(wholeLogarithm(x, logarithmForFloat(parts.mantissa) * Log2E +
                                     parts.exponent));
}
XCC_MATH_FUNCTION float __xcc_math_log10f(float x) {
  return float(logarithm(x) * 0x1.bcb7b1526e50ep-2);
}
XCC_MATH_FUNCTION float __xcc_math_log1pf(float x) {
  const double wide = x;
  const double small =
      wide - wide * wide * (0.5 - wide * (1.0 / 3 - wide * 0.25));
  const double result = logarithm(1 + wide);
  return float(__builtin_fabs(wide) < 0x1p-9 ? small : result);
}

XCC_MATH_FUNCTION float __xcc_math_powf(float x, float y) {
  const Split parts = split(__builtin_fabs(double(x)));
  const double power =
      clamped(y * (parts.exponent * Ln2 + logarithmForPower(parts.mantissa)),
              -120, 100);
  return float(powerOf(x, y, exponentialForFloat(power)));
}
}

namespace {
struct Reduced {
  double rest; ///< of an angle, between -pi / 4 and pi / 4
  int32_t quarters;
};
/// For |x| up to 2^20: the product with the first part of pi / 2 is exact.
XCC_MATH Reduced reduce(double x) {
  const Rounded count = roundToInteger(x * TwoOverPi);
  return {(x - count.value * 0x1.921fb544p0) -
              count.value * 0x1.0b4611a626331p-34,
          count.integer};
}
/// Errors 2^-37 and 2^-43.
XCC_MATH double sineForFloat(double x) {
  const double square = x * x;
  constexpr double c[] = {-0x1.5555554cb8e35p-3, 0x1.1111089595ac6p-7,
                          -0x1.a00f9d171dfc0p-13, 0x1.6cd836773bf50p-19};
  return x + x * square * polynomial(square, c);
}
XCC_MATH double cosineForFloat(double x) {
  const double square = x * x;
  constexpr double c[] = {0x1.5555554f4da75p-5, -0x1.6c16b8981f73bp-10,
                          0x1.a0111fb4cc3efp-16, -0x1.242abe20dff4ap-22};
  return 1 - square * 0.5 + square * square * polynomial(square, c);
}
XCC_MATH bool isLarge(float x) { return !(__builtin_fabsf(x) <= 0x1p20f); }
} // namespace

extern "C" {
XCC_MATH_FUNCTION float __xcc_math_sinf(float x) {
  if (__builtin_expect(isLarge(x), 0))
    return sinf(x);
  const Reduced r = reduce(x);
  const float result = float(
      ofQuarter(r.quarters, sineForFloat(r.rest), cosineForFloat(r.rest)));
  return x == 0 ? x : result;
}
XCC_MATH_FUNCTION float __xcc_math_cosf(float x) {
  if (__builtin_expect(isLarge(x), 0))
    return cosf(x);
  const Reduced r = reduce(x);
  return float(
      ofQuarter(r.quarters + 1, sineForFloat(r.rest), cosineForFloat(r.rest)));
}
XCC_MATH_FUNCTION float __xcc_math_tanf(float x) {
  if (__builtin_expect(isLarge(x), 0))
    return tanf(x);
  const Reduced r = reduce(x);
  const double sine = sineForFloat(r.rest), cosine = cosineForFloat(r.rest);
  const bool odd = r.quarters & 1;
  const float result = float((odd ? -cosine : sine) / (odd ? sine : cosine));
  return x == 0 ? x : result;
}

XCC_MATH_FUNCTION float __xcc_math_tanhf(float x) {
  const double size = __builtin_fabs(double(x));
  const double power = exponentialForFloat(size > 12 ? -24 : -2 * size);
  const double square = size * size;
  const double small =
      size -
      size * square * (1.0 / 3 - square * (2.0 / 15 - square * (17.0 / 315)));
  double result = size < 0x1p-5 ? small : (1 - power) / (1 + power);
  result = x != x ? size : result;
  return __builtin_copysignf(float(result), x);
}
XCC_MATH_FUNCTION float __xcc_math_sinhf(float x) {
  const double size = __builtin_fabs(double(x));
  const double power = exponentialForFloat(size > 100 ? 100 : size);
  const double square = size * size;
  const double small =
      size +
      size * square * (1.0 / 6 + square * (1.0 / 120 + square * (1.0 / 5040)));
  double result = size < 0x1p-4 ? small : power * 0.5 - 0.5 / power;
  return __builtin_copysignf(float(x != x ? size : result), x);
}
XCC_MATH_FUNCTION float __xcc_math_coshf(float x) {
  const double size = __builtin_fabs(double(x));
  const double power = exponentialForFloat(size > 100 ? 100 : size);
  return float(x != x ? size : power * 0.5 + 0.5 / power);
}
}

namespace {
/// erfc(x) for x from 0 to 10.2, as e^(-x^2) p(t) / (1 + 2 x), where
/// t = (x - 4) / (x + 4) (Shepherd and Laframboise, 1981). Error 2^-32.
XCC_MATH double complementForFloat(double x) {
  const double t = (x - 4) / (x + 4);
  constexpr double c[] = {
      0x1.3ba5916f19fd3p+0,  -0x1.1df1ad5e4426ep-3,  0x1.f7f5b03e9ade2p-7,
      0x1.16ed1077062c3p-4,  -0x1.9dda53181a32cp-4,  0x1.7fec619ed4f2ap-4,
      -0x1.0fbb4d25dc2b6p-4, 0x1.307e62ba53bdcp-5,   -0x1.0871c31f42650p-6,
      0x1.4cfa1656bc9d7p-8,  -0x1.c0c9a0e52c3d4p-11, -0x1.8eabfae3b8ddbp-12,
      0x1.4855e7363de83p-14};
  return exponentialForFloat(-x * x) * polynomial(t, c) / (1 + 2 * x);
}
} // namespace

extern "C" {
XCC_MATH_FUNCTION float __xcc_math_erff(float x) {
  const double size = __builtin_fabs(double(x)), square = size * size;
  // Error 2^-34, up to 1.
  constexpr double c[] = {0x1.06eba82031250p-3,  -0x1.812746682a6fep-2,
                          0x1.ce2f09abaf385p-4,  -0x1.b829d8c7dbee7p-6,
                          0x1.562b19ab1f085p-8,  -0x1.bcd7dca4b4394p-11,
                          0x1.d8b882d8a180bp-14, -0x1.44cfa88aab43dp-17};
  const double small = size + size * polynomial(square, c);
  const double large = 1 - complementForFloat(size > 5 ? 5 : size);
  const double result = size < 1 ? small : large;
  return __builtin_copysignf(float(x != x ? size : result), x);
}
XCC_MATH_FUNCTION float __xcc_math_erfcf(float x) {
  const double size = __builtin_fabs(double(x));
  const double positive = complementForFloat(size > 10.2 ? 10.2 : size);
  const double result = x < 0 ? 2 - positive : size > 10.2 ? 0 : positive;
  return float(x != x ? size : result);
}
}

//===-- Angles of numbers, roots ------------------------------------------===//

namespace {
constexpr double Pi = 0x1.921fb54442d18p+1;

/// The arc tangent of above / below, which are not negative.
XCC_MATH double arcTangent(double above, double below) {
  // tan(a + b), for a of 0, pi / 4 or pi / 2.
  const bool isSteep = above > 2.414213562373095 * below;
  const bool isMiddle = above > 0.4142135623730951 * below;
  const double top = isSteep ? -below : isMiddle ? above - below : above;
  const double bottom = isSteep ? above : isMiddle ? above + below : below;
  const double offset = isSteep ? Pi / 2 : isMiddle ? Pi / 4 : 0;
  const double x = top / bottom, square = x * x;
  // Error 2^-40.
  constexpr double c[] = {-0x1.5555554ef7f13p-2, 0x1.999992110a900p-3,
                          -0x1.2490c5f94a66fp-3, 0x1.c6d24d84176fbp-4,
                          -0x1.7085eac5bfb66p-4, 0x1.1e696ee262ebdp-4,
                          -0x1.36d76b304ea33p-5};
  return offset + (x + x * square * polynomial(square, c));
}

/// asin(x), for x from 0 to 0.5. Error 2^-40.
XCC_MATH double arcSine(double x) {
  const double square = x * x;
  constexpr double c[] = {0x1.555555478ee8ap-3,  0x1.333340c7a1b82p-4,
                          0x1.6db24b52c6db1p-5,  0x1.f283e605a9a4bp-6,
                          0x1.662fa495e2a8ep-6,  0x1.52913f9cee75dp-6,
                          0x1.faf6cc0315d0cp-10, 0x1.0dfc8bb31fd5bp-5};
  return x + x * square * polynomial(square, c);
}
/// Of numbers above 0.5, asin(x) = pi / 2 - 2 asin(sqrt((1 - x) / 2)).
struct ArcSine {
  double angle; ///< asin of x, or of the root
  bool isOfRoot;
};
XCC_MATH ArcSine arcSineOf(double size) {
  const bool isOfRoot = size > 0.5;
  const double root = __builtin_sqrt((1 - size) * 0.5);
  return {arcSine(isOfRoot ? root : size), isOfRoot};
}
} // namespace

extern "C" {
XCC_MATH_FUNCTION float __xcc_math_atanf(float x) {
  const double size = __builtin_fabs(double(x));
  const double result = arcTangent(size > 1e30 ? 1e30 : size, 1);
  return __builtin_copysignf(float(x != x ? size : result), x);
}
XCC_MATH_FUNCTION float __xcc_math_atan2f(float y, float x) {
  double above = __builtin_fabs(double(y)), below = __builtin_fabs(double(x));
  // Two infinities are as long as each other, and 0 / 0 is 0.
  const bool areInfinite = (above == Infinity) & (below == Infinity);
  above = areInfinite ? 1 : above;
  below = areInfinite | ((above == 0) & (below == 0)) ? 1 : below;
  above = above == Infinity ? 0x1p400 : above;
  below = below == Infinity ? 0x1p400 : below;
  const double angle = arcTangent(above, below);
  const bool isLeft = __builtin_signbit(x);
  const double result = isLeft ? Pi - angle : angle;
  return __builtin_isunordered(x, y) ? x + y
                                     : __builtin_copysignf(float(result), y);
}
XCC_MATH_FUNCTION float __xcc_math_asinf(float x) {
  const ArcSine s = arcSineOf(__builtin_fabs(double(x)));
  const double result = s.isOfRoot ? Pi / 2 - 2 * s.angle : s.angle;
  return __builtin_copysignf(float(result), x);
}
XCC_MATH_FUNCTION float __xcc_math_acosf(float x) {
  const ArcSine s = arcSineOf(__builtin_fabs(double(x)));
  const double fromEnd = x < 0 ? Pi - 2 * s.angle : 2 * s.angle;
  const double fromMiddle = Pi / 2 - (x < 0 ? -s.angle : s.angle);
  return float(s.isOfRoot ? fromEnd : fromMiddle);
}

XCC_MATH_FUNCTION float __xcc_math_asinhf(float x) {
  const double size = __builtin_fabs(double(x)), square = size * size;
  const double small = size - size * square * (1.0 / 6 - square * (3.0 / 40));
  const double result = logarithm(size + __builtin_sqrt(square + 1));
  return __builtin_copysignf(float(size < 0x1p-6 ? small : result), x);
}
XCC_MATH_FUNCTION float __xcc_math_acoshf(float x) {
  const double wide = x;
  const double result = logarithm(wide + __builtin_sqrt(wide * wide - 1));
  return float(wide < 1 ? __builtin_nan("") : result);
}
XCC_MATH_FUNCTION float __xcc_math_atanhf(float x) {
  const double size = __builtin_fabs(double(x)), square = size * size;
  const double small = size + size * square * (1.0 / 3 + square * (1.0 / 5));
  const double result = 0.5 * logarithm((1 + size) / (1 - size));
  return __builtin_copysignf(float(size < 0x1p-6 ? small : result), x);
}
XCC_MATH_FUNCTION float __xcc_math_cbrtf(float x) {
  const double size = __builtin_fabs(double(x));
  const Split parts = split(size);
  const double power =
      (parts.exponent * Ln2 + logarithmForPower(parts.mantissa)) * (1.0 / 3);
  const double result = exponentialForFloat(power);
  const bool isItself = (size == 0) | (size == Infinity) | (x != x);
  return isItself ? x : __builtin_copysignf(float(result), x);
}
XCC_MATH_FUNCTION float __xcc_math_hypotf(float x, float y) {
  const double wideX = x, wideY = y;
  const double result = __builtin_sqrt(wideX * wideX + wideY * wideY);
  const bool isInfinite = (__builtin_fabsf(x) == __builtin_inff()) |
                          (__builtin_fabsf(y) == __builtin_inff());
  return isInfinite ? __builtin_inff() : float(result);
}
}
