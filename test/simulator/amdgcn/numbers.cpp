// Arithmetic as the GPU does it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After the pseudo-code of "RDNA3 Instruction Set Architecture", chapter 16,
// and "AMD Instinct MI300 Instruction Set Architecture", chapter 12, corrected
// where that contradicts the hardware: the branch of v_div_scale in which both
// 1/den and num/den are denormal scales the denominator down, and v_div_fmas
// rounds once.

#include "numbers.h"

#include <algorithm>
#include <limits>

namespace amdgcn {

using Quad = __float128;

/// A sum whose last bit tells that it is not exact: a later rounding to far
/// fewer bits is then right.
static Quad sumToOdd(Quad a, Quad b) {
  Quad s = a + b;
  Quad bb = s - a;
  Quad error = (a - (s - bb)) + (b - bb);
  if (error == 0)
    return s;
  auto bits = std::bit_cast<unsigned __int128>(s);
  if (bits & 1)
    return s;
  // Towards the exact sum.
  bits = (error > 0) == (s > 0) ? bits + 1 : bits - 1;
  return std::bit_cast<Quad>(bits);
}

static Quad timesPowerOfTwo(Quad q, int scale) {
  Quad two = scale < 0 ? Quad(0.5) : Quad(2);
  for (int i = scale < 0 ? -scale : scale; i; --i)
    q *= two;
  return q;
}

template <class T> static T scaled(T a, T b, T c, int scale) {
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c))
    return arith(std::fma(a, b, c));
  Quad p = Quad(a) * Quad(b);
  if (p == 0 || c == 0) {
    if (p == 0 && c == 0)
      return std::fma(a, b, c); // the zero's sign
    return T(timesPowerOfTwo(p + Quad(c), scale));
  }
  Quad s = sumToOdd(p, Quad(c));
  if (s == 0)
    return std::fma(a, b, c);
  return T(timesPowerOfTwo(s, scale));
}

float scaledFma(float a, float b, float c, int scale) {
  return scaled(a, b, c, scale);
}
double scaledFma(double a, double b, double c, int scale) {
  return scaled(a, b, c, scale);
}

//===----------------------------------------------------------------------===//
// 16-bit floats
//===----------------------------------------------------------------------===//

float floatFromHalf(uint16_t h) {
  uint32_t sign = uint32_t(h & 0x8000) << 16, exponent = h >> 10 & 31,
           mantissa = h & 0x3ff;
  if (exponent == 31)
    return asFloat(sign | 0x7f800000 | mantissa << 13);
  if (exponent)
    return asFloat(sign | (exponent + 112) << 23 | mantissa << 13);
  float tiny = float(mantissa) * 0x1p-24f;
  return asFloat(bitsOf(tiny) | sign);
}

uint16_t halfFromDouble(double d) {
  uint64_t bits = bitsOf(d);
  auto sign = uint16_t(bits >> 48 & 0x8000);
  if (std::isnan(d))
    return uint16_t(sign | 0x7e00 | (bits >> 42 & 0x1ff));
  double a = std::fabs(d);
  if (a >= 65520.0) // rounds beyond the largest
    return uint16_t(sign | 0x7c00);
  if (a < 0x1p-25 || a == 0x1p-25)
    return sign;
  int exponent;
  std::frexp(a, &exponent);
  // The distance of neighbours there.
  int unit = std::max(exponent - 11, -24);
  double steps = std::nearbyint(std::ldexp(a, -unit));
  auto n = uint32_t(steps);
  if (unit == -24)
    return uint16_t(sign | n); // denormal, or the first normal
  // N is 1024 to 2048: the implicit bit adds one to the exponent.
  return uint16_t(sign | ((uint32_t(unit + 24) << 10) + n));
}

uint16_t halfFma(float a, float b, float c) {
  // The product is exact; the sum is rounded to odd.
  double p = double(a) * double(b), s = p + double(c);
  if (std::isfinite(s)) {
    double bb = s - p, error = (p - (s - bb)) + (double(c) - bb);
    if (error != 0 && !(bitsOf(s) & 1))
      s = asDouble((error > 0) == (s > 0) ? bitsOf(s) + 1 : bitsOf(s) - 1);
  }
  return halfFromDouble(arith(s));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

namespace {
template <class T> bool denormal(T f) {
  return std::fpclassify(f) == FP_SUBNORMAL;
}
template <class T> bool sameBits(T a, T b) { return bitsOf(a) == bitsOf(b); }
} // namespace

template <class T> static T scaleOf(T value, T den, T num, bool &scaled) {
  using F = Format<T>;
  scaled = false;
  if (isUsualQuotient(den, num))
    return value;
  if (num == 0 || den == 0)
    return std::numeric_limits<T>::quiet_NaN();
  int difference = F::exponent(num) - F::exponent(den);
  bool isDen = sameBits(value, den), isNum = sameBits(value, num);
  if (difference >= F::Far) {
    scaled = true;
    return isDen ? std::ldexp(value, F::Scale) : value;
  }
  if (denormal(den))
    return std::ldexp(value, F::Scale);
  bool inverseTiny = denormal(T(1) / den), quotientTiny = denormal(num / den);
  if (inverseTiny && quotientTiny) {
    scaled = true;
    return isDen ? std::ldexp(value, -F::Scale) : value;
  }
  if (inverseTiny)
    return std::ldexp(value, -F::Scale);
  if (quotientTiny) {
    scaled = true;
    return isNum ? std::ldexp(value, F::Scale) : value;
  }
  if (F::exponent(num) <= F::Tiny)
    return std::ldexp(value, F::Scale);
  return value;
}

template <class T> static T fmasOf(T a, T b, T c, bool isScaled) {
  using F = Format<T>;
  if (!isScaled)
    return arith(std::fma(a, b, c));
  return scaled(a, b, c, F::exponent(c) > F::Bias ? F::Scale : -F::Scale);
}

template <class T> static T fixupOf(T quotient, T den, T num) {
  using F = Format<T>;
  const T infinity = std::numeric_limits<T>::infinity();
  T sign = std::signbit(den) != std::signbit(num) ? T(-1) : T(1);
  if (isUsualQuotient(den, num) && !std::isnan(quotient))
    return std::copysign(quotient, sign);
  if (std::isnan(num))
    return quiet(num);
  if (std::isnan(den))
    return quiet(den);
  if ((den == 0 && num == 0) || (std::isinf(den) && std::isinf(num)))
    return -std::numeric_limits<T>::quiet_NaN();
  if (den == 0 || std::isinf(num))
    return sign * infinity;
  if (std::isinf(den) || num == 0)
    return std::copysign(T(0), sign);
  if (F::exponent(num) - F::exponent(den) < F::Underflow)
    return std::copysign(T(0), sign);
  if (F::exponent(den) == F::Special)
    return sign * infinity;
  if (std::isnan(quotient))
    return sign * infinity;
  return std::copysign(quotient, sign);
}

float divScale(float v, float d, float n, bool &s) {
  return scaleOf(v, d, n, s);
}
double divScale(double v, double d, double n, bool &s) {
  return scaleOf(v, d, n, s);
}
float divFmas(float a, float b, float c, bool s) { return fmasOf(a, b, c, s); }
double divFmas(double a, double b, double c, bool s) {
  return fmasOf(a, b, c, s);
}
float divFixup(float q, float d, float n) { return fixupOf(q, d, n); }
double divFixup(double q, double d, double n) { return fixupOf(q, d, n); }

int32_t toInt32(double d) {
  if (std::isnan(d))
    return 0;
  if (d <= -2147483648.0)
    return INT32_MIN;
  if (d >= 2147483647.0)
    return INT32_MAX;
  return int32_t(d);
}

uint32_t toUint32(double d) {
  if (std::isnan(d) || d <= 0)
    return 0;
  if (d >= 4294967295.0)
    return UINT32_MAX;
  return uint32_t(d);
}

} // namespace amdgcn
