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
  explicit RoundingScope(Rounding R) : Changed(R != Rounding::Nearest) {
    if (Changed)
      fesetround(R == Rounding::Zero   ? FE_TOWARDZERO
                 : R == Rounding::Down ? FE_DOWNWARD
                                       : FE_UPWARD);
  }
  ~RoundingScope() {
    if (Changed)
      fesetround(FE_TONEAREST);
  }

private:
  bool Changed;
};

/// A whole number, in the host's usual rounding mode.
inline double roundWhole(double V, Rounding R) {
  switch (R) {
  case Rounding::Nearest:
    return std::nearbyint(V);
  case Rounding::Zero:
    return std::trunc(V);
  case Rounding::Down:
    return std::floor(V);
  case Rounding::Up:
    return std::ceil(V);
  case Rounding::Away:
    return std::round(V);
  }
  return V;
}

/// A number in a format of so many exponent and mantissa bits; NaN becomes the
/// canonical one, with all bits of the mantissa set.
template <int ExponentBits, int MantissaBits>
uint32_t narrow(double V, Rounding R) {
  constexpr int Least = 2 - (1 << (ExponentBits - 1));
  constexpr uint32_t Infinity = ((1u << ExponentBits) - 1) << MantissaBits;
  uint32_t Sign = uint32_t(std::signbit(V)) << (ExponentBits + MantissaBits);
  if (std::isnan(V))
    return (1u << (ExponentBits + MantissaBits)) - 1;
  double A = std::fabs(V);
  if (std::isinf(A))
    return Sign | Infinity;
  if (A == 0)
    return Sign;
  int Exponent;
  std::frexp(A, &Exponent);
  Exponent = Exponent - 1 < Least ? Least : Exponent - 1;
  int Unit = Exponent - MantissaBits;
  if (Sign && R == Rounding::Down)
    R = Rounding::Up;
  else if (Sign && R == Rounding::Up)
    R = Rounding::Down;
  uint64_t Units = uint64_t(roundWhole(std::ldexp(A, -Unit), R));
  if (Units < uint64_t(1) << MantissaBits)
    return Sign | uint32_t(Units);
  uint64_t Out = (uint64_t(Exponent - Least + 1) << MantissaBits) +
                 (Units - (uint64_t(1) << MantissaBits));
  if (Out >= Infinity)
    return Sign | (R == Rounding::Zero || R == Rounding::Down ? Infinity - 1
                                                              : Infinity);
  return Sign | uint32_t(Out);
}

template <int ExponentBits, int MantissaBits> double widen(uint32_t Bits) {
  constexpr int Least = 2 - (1 << (ExponentBits - 1));
  uint32_t Mantissa = Bits & ((1u << MantissaBits) - 1);
  int Exponent = int(Bits >> MantissaBits & ((1u << ExponentBits) - 1));
  double V;
  if (Exponent == (1 << ExponentBits) - 1)
    V = Mantissa ? NAN : INFINITY;
  else if (Exponent == 0)
    V = std::ldexp(double(Mantissa), Least - MantissaBits);
  else
    V = std::ldexp(double(Mantissa + (1u << MantissaBits)),
                   Exponent - 1 + Least - MantissaBits);
  bool Sign = Bits >> (ExponentBits + MantissaBits) & 1;
  return Sign ? -V : V;
}

/// The storage of .f16 and .bf16, and how to come and go.
struct Half {
  uint16_t Bits;
  static constexpr uint16_t NaN = 0x7fff, Sign = 0x8000;
  static double wide(uint16_t B) { return widen<5, 10>(B); }
  static uint16_t of(double V, Rounding R = Rounding::Nearest) {
    return uint16_t(narrow<5, 10>(V, R));
  }
};
struct Brain {
  uint16_t Bits;
  static constexpr uint16_t NaN = 0x7fff, Sign = 0x8000;
  static double wide(uint16_t B) { return widen<8, 7>(B); }
  static uint16_t of(double V, Rounding R = Rounding::Nearest) {
    return uint16_t(narrow<8, 7>(V, R));
  }
};

/// A * B + C with the last bit set if it is inexact: rounding it again to a
/// short format gives what rounding once would.
inline double fusedToOdd(double A, double B, double C) {
  double P = A * B; // exact for short formats
  double S = P + C, T = S - P, Error = (P - (S - T)) + (C - T);
  if (Error == 0 || !std::isfinite(S))
    return S;
  uint64_t Bits = std::bit_cast<uint64_t>(S);
  if (!(Bits & 1))
    Bits = (Error > 0) == (S > 0) ? Bits + 1 : Bits - 1;
  return std::bit_cast<double>(Bits);
}

inline float flush(float V) {
  return std::fpclassify(V) == FP_SUBNORMAL ? std::copysign(0.0f, V) : V;
}
inline float saturate(float V) { return V > 0 ? (V < 1 ? V : 1.0f) : 0.0f; }
inline double saturate(double V) { return V > 0 ? (V < 1 ? V : 1.0) : 0.0; }
/// Single precision has one NaN.
inline float canonical(float V) {
  return V == V ? V : std::bit_cast<float>(0x7fffffffu);
}
inline double canonical(double V) { return V; }

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_NUMBERS_H
