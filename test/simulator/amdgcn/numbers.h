// Arithmetic as the GPU does it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_NUMBERS_H
#define XCC_TEST_SIMULATOR_AMDGCN_NUMBERS_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace amdgcn {

/// A 16-bit float, as its bits.
struct Half {
  uint16_t bits;
};

uint16_t halfFromDouble(double d); ///< to nearest, ties to even
float floatFromHalf(uint16_t h);   ///< exact

inline uint32_t bitsOf(float f) { return std::bit_cast<uint32_t>(f); }
inline uint64_t bitsOf(double d) { return std::bit_cast<uint64_t>(d); }
inline float asFloat(uint32_t b) { return std::bit_cast<float>(b); }
inline double asDouble(uint64_t b) { return std::bit_cast<double>(b); }

/// The NaN that an invalid operation gives is positive here, negative on x86.
inline float arith(float f) {
  return bitsOf(f) == 0xffc00000u ? asFloat(0x7fc00000u) : f;
}
inline double arith(double d) {
  return bitsOf(d) == 0xfff8000000000000u ? asDouble(0x7ff8000000000000u) : d;
}

inline float flushed(float f) {
  return (bitsOf(f) & 0x7f800000) ? f : asFloat(bitsOf(f) & 0x80000000);
}

inline bool isSignaling(float f) {
  return (bitsOf(f) & 0x7fc00000) == 0x7f800000 && (bitsOf(f) & 0x3fffff);
}
inline bool isSignaling(double d) {
  return (bitsOf(d) & 0x7ff8000000000000) == 0x7ff0000000000000 &&
         (bitsOf(d) & 0x7ffffffffffff);
}
inline float quiet(float f) { return asFloat(bitsOf(f) | 0x400000); }
inline double quiet(double d) { return asDouble(bitsOf(d) | 0x8000000000000); }

/// minNum and maxNum with the order -0 < +0; a signaling NaN wins, quieted.
template <class T> T minNum(T a, T b) {
  if (isSignaling(a))
    return quiet(a);
  if (isSignaling(b))
    return quiet(b);
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T> T maxNum(T a, T b) {
  if (isSignaling(a))
    return quiet(a);
  if (isSignaling(b))
    return quiet(b);
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// Likewise, but any NaN wins.
template <class T> T minimum(T a, T b) {
  return std::isnan(a) ? quiet(a) : std::isnan(b) ? quiet(b) : minNum(a, b);
}
template <class T> T maximum(T a, T b) {
  return std::isnan(a) ? quiet(a) : std::isnan(b) ? quiet(b) : maxNum(a, b);
}

template <class T> T medianNum(T a, T b, T c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return minNum(minNum(a, b), c);
  return maxNum(minNum(a, b), minNum(maxNum(a, b), c));
}

/// What v_cmp_class tests, a bit for each kind of number.
template <class T> uint32_t classOf(T f) {
  bool minus = std::signbit(f);
  switch (std::fpclassify(f)) {
  case FP_NAN:
    return isSignaling(f) ? 1 : 2;
  case FP_INFINITE:
    return minus ? 1 << 2 : 1 << 9;
  case FP_NORMAL:
    return minus ? 1 << 3 : 1 << 8;
  case FP_SUBNORMAL:
    return minus ? 1 << 4 : 1 << 7;
  default:
    return minus ? 1 << 5 : 1 << 6;
  }
}

/// a * b + c, times a power of two, rounded once.
float scaledFma(float a, float b, float c, int scale);
double scaledFma(double a, double b, double c, int scale);
uint16_t halfFma(float a, float b, float c);

/// Of floats, for the rules of division.
template <class T> struct Format;
template <> struct Format<float> {
  static constexpr int Bias = 127, Scale = 64, Far = 96, Tiny = 23,
                       Underflow = -150, Special = 255;
  static int exponent(float f) { return int(bitsOf(f) >> 23 & 0xff); }
};
template <> struct Format<double> {
  static constexpr int Bias = 1023, Scale = 128, Far = 768, Tiny = 53,
                       Underflow = -1075, Special = 2047;
  static int exponent(double d) { return int(bitsOf(d) >> 52 & 0x7ff); }
};
/// Normal numbers whose quotient and inverse are far from the borders, as nearly
/// all are: none of the rules applies.
template <class T> bool isUsualQuotient(T den, T num) {
  using F = Format<T>;
  const int d = F::exponent(den), n = F::exponent(num);
  // No branches: all lanes are asked at once.
  return bool((d > 0) & (d < 2 * F::Bias - 4) & (n > F::Tiny) &
              (n < F::Special) & (n - d < F::Far) & (n - d > 4 - F::Bias));
}

// The three steps of a division (v_div_scale, v_div_fmas, v_div_fixup).
float divScale(float value, float den, float num, bool &scaled);
double divScale(double value, double den, double num, bool &scaled);
float divFmas(float a, float b, float c, bool scaled);
double divFmas(double a, double b, double c, bool scaled);
float divFixup(float quotient, float den, float num);
double divFixup(double quotient, double den, double num);

/// Conversions that saturate; a NaN gives 0.
int32_t toInt32(double d);
uint32_t toUint32(double d);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_NUMBERS_H
