// Mathematical functions of doubles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the CPU device call these in place of the C library's
// (backend/targets/cpu/vector_math.h). Errors are below one unit in the last place
// (docs/math.md). Where the last bit needs it, a number is the sum of two.

#include "functions.h"

using namespace xcc::math;

extern "C" {
// The C library's, for angles that are very large or no numbers.
__attribute__((const)) double sin(double);
__attribute__((const)) double cos(double);

XCC_MATH_FUNCTION double __xcc_math_exp(double x) {
  x = clamped(x, -746, 710);
  const Scaled e = exponential(x, 0);
  return scale(e.value.high, e.exponent);
}
XCC_MATH_FUNCTION double __xcc_math_exp2(double x) {
  x = clamped(x, -1076, 1025);
  // 2^x = 2^n e^(r ln 2), with r ln 2 as a sum.
  const Rounded count = roundToInteger(x);
  const double rest = x - count.value;
  const Pair power = product({rest, 0}, {Ln2, 0x1.abc9e3b39803fp-56});
  const Scaled e = exponential(power.high, power.low);
  return scale(e.value.high, e.exponent + count.integer);
}
}

extern "C" {
XCC_MATH_FUNCTION double __xcc_math_exp10(double x) {
  x = clamped(x, -326, 310);
  const Pair power =
      product({x, 0}, {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53});
  const Scaled e = exponential(power.high, power.low);
  return scale(e.value.high, e.exponent);
}
XCC_MATH_FUNCTION double __xcc_math_expm1(double x) {
  const double given = x;
  x = clamped(x, -60, 710);
  const Scaled e = exponential(x, 0);
  // Of a small x: 1 is taken away before it was added. Of a large one: 2^1024 has
  // no room in a number.
  const double power = powerOfTwo(e.exponent > 1000 ? 0 : e.exponent);
  const Pair less = sum({e.value.high * power, e.value.low * power}, {-1, 0});
  double result = less.high;
  result = e.exponent > 1000 ? scale(e.value.high, e.exponent) : result;
  return given == 0 ? given : result;
}
}

namespace {
/// e^x and its inverse up to 22, where the inverse stops to matter; beyond, half
/// of e^x, which has room where e^x has not.
struct Exponentials {
  Pair rising, falling;
  double halfOfLarge;
};
XCC_MATH Exponentials exponentials(double size) {
  const Scaled e = exponential(size > 711 ? 711 : size, 0);
  const double power = powerOfTwo(size > 22 ? 0 : e.exponent);
  const Pair rising = {e.value.high * power, e.value.low * power};
  return {rising, quotient({1, 0}, rising),
          scale(e.value.high * 0.5, e.exponent)};
}
} // namespace

extern "C" {
XCC_MATH_FUNCTION double __xcc_math_cosh(double x) {
  const double size = __builtin_fabs(x);
  const Exponentials e = exponentials(size);
  const double small = sum(e.rising, e.falling).high * 0.5;
  const double result = size > 22 ? e.halfOfLarge : small;
  return x != x ? x : result;
}
XCC_MATH_FUNCTION double __xcc_math_sinh(double x) {
  const double size = __builtin_fabs(x), square = size * size;
  // Error 2^-76, up to 0.3.
  constexpr double c[] = {0x1.5555555555555p-3,  0x1.1111111111112p-7,
                          0x1.a01a01a019498p-13, 0x1.71de3a5ac608fp-19,
                          0x1.ae642e41671f1p-26, 0x1.61b9426530dccp-33};
  const double small = size + size * square * polynomial(square, c);
  const Exponentials e = exponentials(size);
  const Pair minus = {-e.falling.high, -e.falling.low};
  const double middle = sum(e.rising, minus).high * 0.5;
  double result = size > 22 ? e.halfOfLarge : middle;
  result = size < 0.3 ? small : result;
  return __builtin_copysign(x != x ? x : result, x);
}
}

namespace {
/// Brings denormal numbers into the range of split().
struct Normal {
  double value;
  int32_t exponent;
};
XCC_MATH Normal normalised(double x) {
  const bool isSmall = x < 0x1p-1022;
  return {isSmall ? x * 0x1p54 : x, isSmall ? -54 : 0};
}
/// Of ln m = 2 s + s^3 q(s^2), where s = f / (2 + f) and f = m - 1, q times s^2.
/// Error 2^-58.
XCC_MATH double seriesOf(double s) {
  const double square = s * s;
  constexpr double c[] = {0x1.5555555555592p-1, 0x1.999999997fd6dp-2,
                          0x1.24924941f5572p-2, 0x1.c71c5205d87fap-3,
                          0x1.74663fa802ec5p-3, 0x1.39a1a6a9c6572p-3,
                          0x1.2f063559527edp-3};
  return square * polynomial(square, c);
}
} // namespace

extern "C" {
XCC_MATH_FUNCTION double __xcc_math_log(double x) {
  const Normal normal = normalised(x);
  const Split parts = split(normal.value);
  const double count = parts.exponent + normal.exponent;
  // 2 s = f - f^2 / 2 + s f^2 / 2: f is exact, and by far the largest part.
  const double f = parts.mantissa - 1, s = f / (2 + f), half = 0.5 * f * f;
  const double result =
      count * Ln2High -
      ((half - (s * (half + seriesOf(s)) + count * Ln2Low)) - f);
  return wholeLogarithm(x, result);
}
}

namespace {
/// ln m with an error of 2^-65, relative to the result.
XCC_MATH Pair logarithm(double mantissa) {
  const double f = mantissa - 1;
  const Pair s = quotient({f, 0}, exactSum(2, f));
  const Pair square = product(s, s);
  constexpr double c[] = {0x1.9999999999b30p-2, 0x1.2492492457d26p-2,
                          0x1.c71c722d6b1b1p-3, 0x1.745ce9e1b26fep-3,
                          0x1.3b1eec5ab2440p-3, 0x1.0f7fe201d342ap-3,
                          0x1.0e42f64b6e58ep-3};
  const Pair series = sum({0x1.5555555555555p-1, 0x1.5555555555555p-55},
                          {square.high * polynomial(square.high, c), 0});
  const Pair cubic = product(product(s, square), series);
  return sum({2 * s.high, 2 * s.low}, cubic);
}
/// ln |x|, of a finite number that is not 0.
XCC_MATH Pair logarithmOf(double x) {
  const Normal normal = normalised(__builtin_fabs(x));
  const Split parts = split(normal.value);
  const double count = parts.exponent + normal.exponent;
  return sum(sum({count * Ln2High, 0}, {count * Ln2Low, 0}),
             logarithm(parts.mantissa));
}
} // namespace

extern "C" {
XCC_MATH_FUNCTION double __xcc_math_log2(double x) {
  const Normal normal = normalised(x);
  const Split parts = split(normal.value);
  const Pair part =
      product(logarithm(parts.mantissa), {Log2E, 0x1.777d0ffda0d24p-56});
  const Pair result = sum({double(parts.exponent + normal.exponent), 0}, part);
  return wholeLogarithm(x, result.high);
}
XCC_MATH_FUNCTION double __xcc_math_log10(double x) {
  const Pair result =
      product(logarithmOf(x), {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
  return wholeLogarithm(x, result.high);
}

XCC_MATH_FUNCTION double __xcc_math_pow(double x, double y) {
  const Pair log = logarithmOf(x);
  // Outside, the result is 0 or infinite anyway.
  const double about = y * log.high;
  const bool isSmall = about < -746, isLarge = about > 710;
  // Beyond 2^900 it is x that decides: 1 and -1 are left.
  const bool isOutside = isSmall | isLarge | (__builtin_fabs(y) > 0x1p900);
  const double within = isOutside ? 1 : y;
  const Pair power = product({within, 0}, log);
  const Scaled e = exponential(power.high, power.low);
  double size = scale(e.value.high, e.exponent);
  size = isSmall ? 0 : size;
  size = isLarge ? Infinity : size;
  return powerOf(x, y, size);
}
}

namespace {
/// An angle's distance from the next multiple of pi / 2.
struct Reduced {
  Pair rest;
  int32_t quarters;
};
/// For |x| up to 2^20: products with the first three parts of pi / 2 are exact.
XCC_MATH Reduced reduce(double x) {
#pragma clang fp contract(off)
  const Rounded count = roundToInteger(x * TwoOverPi);
  const double n = count.value;
  const Pair second = exactSum(x - n * 0x1.921fb544p0, -(n * 0x1.0b4611a6p-34));
  const Pair third = exactSum(second.high, -(n * 0x1.3198a2ep-69));
  const double low = (third.low + second.low) - n * 0x1.b839a252049c1p-104;
  return {exactSumOrdered(third.high, low), count.integer};
}
/// Errors 2^-58 and 2^-64.
XCC_MATH double sineOf(Pair x) {
  const double square = x.high * x.high;
  constexpr double c[] = {-0x1.5555555555549p-3,  0x1.111111110f87ap-7,
                          -0x1.a01a019c118b3p-13, 0x1.71de3577abd84p-19,
                          -0x1.ae5e6632f3ebfp-26, 0x1.5d92fef4b3664p-33};
  return x.high + (x.high * square * polynomial(square, c) +
                   (x.low - x.low * (square * 0.5)));
}
XCC_MATH double cosineOf(Pair x) {
  const double square = x.high * x.high, half = square * 0.5;
  constexpr double c[] = {0x1.555555555554cp-5,  -0x1.6c16c16c1517dp-10,
                          0x1.a01a019cb1b57p-16, -0x1.27e4f809eb1e8p-22,
                          0x1.1ee9ebe5b52fcp-29, -0x1.8fae9aca06e95p-37};
  const double high = 1 - half;
  return high + (((1 - high) - half) +
                 (square * square * polynomial(square, c) - x.high * x.low));
}
XCC_MATH bool isLarge(double x) { return !(__builtin_fabs(x) <= 0x1p20); }
} // namespace

extern "C" {
XCC_MATH_FUNCTION double __xcc_math_sin(double x) {
  if (__builtin_expect(isLarge(x), 0))
    return sin(x);
  const Reduced r = reduce(x);
  const double result = ofQuarter(r.quarters, sineOf(r.rest), cosineOf(r.rest));
  return x == 0 ? x : result;
}
XCC_MATH_FUNCTION double __xcc_math_cos(double x) {
  if (__builtin_expect(isLarge(x), 0))
    return cos(x);
  const Reduced r = reduce(x);
  return ofQuarter(r.quarters + 1, sineOf(r.rest), cosineOf(r.rest));
}

XCC_MATH_FUNCTION double __xcc_math_tanh(double x) {
  const double size = __builtin_fabs(x), square = size * size;
  // Error 2^-60, up to 0.3.
  constexpr double c[] = {-0x1.5555555555548p-2,  0x1.111111110ec15p-3,
                          -0x1.ba1ba1b5a450dp-5,  0x1.664f466c1862ep-6,
                          -0x1.226daad171e0bp-7,  0x1.d6a9d7e9ce98bp-9,
                          -0x1.79ed5d453d92ap-10, 0x1.0776f1528d59dp-11};
  const double small = size + size * square * polynomial(square, c);
  // (1 - u) / (1 + u), where u = e^(-2 x).
  const Scaled e = exponential(size > 22 ? -44 : -2 * size, 0);
  const double power = powerOfTwo(e.exponent);
  const Pair u = {e.value.high * power, e.value.low * power};
  const Pair one = {1, 0};
  const Pair large = quotient(sum(one, {-u.high, -u.low}), sum(one, u));
  double result = size < 0.3 ? small : large.high;
  result = x != x ? size : result;
  return __builtin_copysign(result, x);
}

XCC_MATH_FUNCTION double __xcc_math_erf(double x) {
  const double size = __builtin_fabs(x), square = size * size;
  // x + x (c0 + c1 x^2 + ...), up to 1. Error 2^-57.
  constexpr double c[] = {0x1.ce2f21a041017p-4,  -0x1.b82ce31206294p-6,
                          0x1.565bccfa9a519p-8,  -0x1.c02db072f0dc7p-11,
                          0x1.f9a2bf73f9c6ep-14, -0x1.f4ca949dd9667p-17,
                          0x1.b9827b6b9ad4ep-20, -0x1.5c16e5c7481e3p-23,
                          0x1.d784aa856ca97p-27, -0x1.ace0492d2ed2ep-31};
  const Pair c0 = {0x1.06eba8214db68p-3, 0x1.2fa8cf284b6b0p-57};
  const Pair c1 = {-0x1.812746b0379c2p-2, 0x1.5101789abe918p-56};
  const Pair second = exactProduct(size, size);
  const Pair factor =
      sum(c0, product(second, sum(c1, {square * polynomial(square, c), 0})));
  const double small = size + (size * factor.high + size * factor.low);
  // 1 - e^(-x^2) p(t) / (1 + 2 x), where t = (x - 4) / (x + 4) (Shepherd and
  // Laframboise, 1981). Error 2^-57 of the fraction, which is less than 0.16.
  constexpr double d[] = {
      0x1.3ba5916e9fd7fp+0,  -0x1.1df1ad154a28fp-3,  0x1.f7f5df66fd5c4p-7,
      0x1.16ecefcfa561bp-4,  -0x1.9ddb23c3e5ab1p-4,  0x1.7fee004e07b7ep-4,
      -0x1.0fb06dff6658fp-4, 0x1.3079edf518a99p-5,   -0x1.096237e2d32efp-6,
      0x1.49c67ac216cc8p-8,  -0x1.8d4b907a33e3ep-11, -0x1.a1fad026ee87ep-13,
      0x1.3bbff56157ff0p-13, -0x1.94279664907f4p-16, -0x1.4ba3daca4ed2ap-17,
      0x1.0ea600df8084ep-17, 0x1.45798fcb35effp-19};
  const double far = size > 6 ? 6 : size;
  const Pair distance = exactProduct(far, far);
  const Scaled e = exponential(-distance.high, -distance.low);
  const double power = powerOfTwo(e.exponent);
  const Pair fraction =
      quotient(product({e.value.high * power, e.value.low * power},
                       {polynomial((far - 4) / (far + 4), d), 0}),
               exactSum(1, 2 * far));
  const double large = sum({1, 0}, {-fraction.high, -fraction.low}).high;
  double result = size < 1 ? small : large;
  result = x != x ? size : result;
  return __builtin_copysign(result, x);
}
}
