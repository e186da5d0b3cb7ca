// Floating-point formats and rounding
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_NVPTX_NUMBERS_H
#define XCC_SIMULATOR_NVPTX_NUMBERS_H

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>

namespace ptx {

enum class Rounding : uint8_t { Nearest, Zero, Down, Up, Away };

/// While it lives, the host rounds so.
class RoundingScope {
public:
  explicit RoundingScope(Rounding r) : changed(r != Rounding::Nearest) {
    if (changed)
      fesetround(r == Rounding::Zero   ? FE_TOWARDZERO
                 : r == Rounding::Down ? FE_DOWNWARD
                                       : FE_UPWARD);
  }
  ~RoundingScope() {
    if (changed)
      fesetround(FE_TONEAREST);
  }

private:
  bool changed;
};

/// A whole number, in the host's usual rounding mode.
inline double roundWhole(double v, Rounding r) {
  switch (r) {
  case Rounding::Nearest:
    return std::nearbyint(v);
  case Rounding::Zero:
    return std::trunc(v);
  case Rounding::Down:
    return std::floor(v);
  case Rounding::Up:
    return std::ceil(v);
  case Rounding::Away:
    return std::round(v);
  }
  return v;
}

/// A number in a format of so many exponent and mantissa bits; NaN becomes the
/// canonical one, with all bits of the mantissa set.
template <int ExponentBits, int MantissaBits>
uint32_t narrow(double v, Rounding r) {
  constexpr int least = 2 - (1 << (ExponentBits - 1));
  constexpr uint32_t infinity = ((1u << ExponentBits) - 1) << MantissaBits;
  uint32_t sign = uint32_t(std::signbit(v)) << (ExponentBits + MantissaBits);
  if (std::isnan(v))
    return (1u << (ExponentBits + MantissaBits)) - 1;
  double a = std::fabs(v);
  if (std::isinf(a))
    return sign | infinity;
  if (a == 0)
    return sign;
  int exponent;
  std::frexp(a, &exponent);
  exponent = exponent - 1 < least ? least : exponent - 1;
  int unit = exponent - MantissaBits;
  if (sign && r == Rounding::Down)
    r = Rounding::Up;
  else if (sign && r == Rounding::Up)
    r = Rounding::Down;
  uint64_t units = uint64_t(roundWhole(std::ldexp(a, -unit), r));
  if (units < uint64_t(1) << MantissaBits)
    return sign | uint32_t(units);
  uint64_t out = (uint64_t(exponent - least + 1) << MantissaBits) +
                 (units - (uint64_t(1) << MantissaBits));
  if (out >= infinity)
    return sign | (r == Rounding::Zero || r == Rounding::Down ? infinity - 1
                                                              : infinity);
  return sign | uint32_t(out);
}

template <int ExponentBits, int MantissaBits> double widen(uint32_t bits) {
  constexpr int least = 2 - (1 << (ExponentBits - 1));
  uint32_t mantissa = bits & ((1u << MantissaBits) - 1);
  int exponent = int(bits >> MantissaBits & ((1u << ExponentBits) - 1));
  double v;
  if (exponent == (1 << ExponentBits) - 1)
    v = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    v = std::ldexp(double(mantissa), least - MantissaBits);
  else
    v = std::ldexp(double(mantissa + (1u << MantissaBits)),
                   exponent - 1 + least - MantissaBits);
  bool sign = bits >> (ExponentBits + MantissaBits) & 1;
  return sign ? -v : v;
}

/// The storage of .f16 and .bf16, and how to come and go.
struct Half {
  uint16_t bits;
  static constexpr uint16_t NaN = 0x7fff, Sign = 0x8000;
  static double wide(uint16_t b) { return widen<5, 10>(b); }
  static uint16_t of(double v, Rounding r = Rounding::Nearest) {
    return uint16_t(narrow<5, 10>(v, r));
  }
};
struct Brain {
  uint16_t bits;
  static constexpr uint16_t NaN = 0x7fff, Sign = 0x8000;
  static double wide(uint16_t b) { return widen<8, 7>(b); }
  static uint16_t of(double v, Rounding r = Rounding::Nearest) {
    return uint16_t(narrow<8, 7>(v, r));
  }
};

/// a * b + c with the last bit set if it is inexact: rounding it again to a
/// short format gives what rounding once would.
inline double fusedToOdd(double a, double b, double c) {
  double p = a * b; // exact for short formats
  double s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
  if (error == 0 || !std::isfinite(s))
    return s;
  uint64_t bits = std::bit_cast<uint64_t>(s);
  if (!(bits & 1))
    bits = (error > 0) == (s > 0) ? bits + 1 : bits - 1;
  return std::bit_cast<double>(bits);
}

inline float flush(float v) {
  return std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v;
}
inline float saturate(float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
inline double saturate(double v) { return v > 0 ? (v < 1 ? v : 1.0) : 0.0; }
/// Single precision has one NaN.
inline float canonical(float v) {
  return v == v ? v : std::bit_cast<float>(0x7fffffffu);
}
inline double canonical(double v) { return v; }

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_NUMBERS_H
