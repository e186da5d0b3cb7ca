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
static Quad sumToOdd(Quad A, Quad B) {
  Quad S = A + B;
  Quad BB = S - A;
  Quad Error = (A - (S - BB)) + (B - BB);
  if (Error == 0)
    return S;
  auto Bits = std::bit_cast<unsigned __int128>(S);
  if (Bits & 1)
    return S;
  // Towards the exact sum.
  Bits = (Error > 0) == (S > 0) ? Bits + 1 : Bits - 1;
  return std::bit_cast<Quad>(Bits);
}

static Quad timesPowerOfTwo(Quad Q, int Scale) {
  Quad Two = Scale < 0 ? Quad(0.5) : Quad(2);
  for (int I = Scale < 0 ? -Scale : Scale; I; --I)
    Q *= Two;
  return Q;
}

template <class T> static T scaled(T A, T B, T C, int Scale) {
  if (!std::isfinite(A) || !std::isfinite(B) || !std::isfinite(C))
    return arith(std::fma(A, B, C));
  Quad P = Quad(A) * Quad(B);
  if (P == 0 || C == 0) {
    if (P == 0 && C == 0)
      return std::fma(A, B, C); // the zero's sign
    return T(timesPowerOfTwo(P + Quad(C), Scale));
  }
  Quad S = sumToOdd(P, Quad(C));
  if (S == 0)
    return std::fma(A, B, C);
  return T(timesPowerOfTwo(S, Scale));
}

float scaledFma(float A, float B, float C, int Scale) {
  return scaled(A, B, C, Scale);
}
double scaledFma(double A, double B, double C, int Scale) {
  return scaled(A, B, C, Scale);
}

//===----------------------------------------------------------------------===//
// 16-bit floats
//===----------------------------------------------------------------------===//

float floatFromHalf(uint16_t H) {
  uint32_t Sign = uint32_t(H & 0x8000) << 16, Exponent = H >> 10 & 31,
           Mantissa = H & 0x3ff;
  if (Exponent == 31)
    return asFloat(Sign | 0x7f800000 | Mantissa << 13);
  if (Exponent)
    return asFloat(Sign | (Exponent + 112) << 23 | Mantissa << 13);
  float Tiny = float(Mantissa) * 0x1p-24f;
  return asFloat(bitsOf(Tiny) | Sign);
}

uint16_t halfFromDouble(double D) {
  uint64_t Bits = bitsOf(D);
  auto Sign = uint16_t(Bits >> 48 & 0x8000);
  if (std::isnan(D))
    return uint16_t(Sign | 0x7e00 | (Bits >> 42 & 0x1ff));
  double A = std::fabs(D);
  if (A >= 65520.0) // rounds beyond the largest
    return uint16_t(Sign | 0x7c00);
  if (A < 0x1p-25 || A == 0x1p-25)
    return Sign;
  int Exponent;
  std::frexp(A, &Exponent);
  // The distance of neighbours there.
  int Unit = std::max(Exponent - 11, -24);
  double Steps = std::nearbyint(std::ldexp(A, -Unit));
  auto N = uint32_t(Steps);
  if (Unit == -24)
    return uint16_t(Sign | N); // denormal, or the first normal
  // N is 1024 to 2048: the implicit bit adds one to the exponent.
  return uint16_t(Sign | ((uint32_t(Unit + 24) << 10) + N));
}

uint16_t halfFma(float A, float B, float C) {
  // The product is exact; the sum is rounded to odd.
  double P = double(A) * double(B), S = P + double(C);
  if (std::isfinite(S)) {
    double BB = S - P, Error = (P - (S - BB)) + (double(C) - BB);
    if (Error != 0 && !(bitsOf(S) & 1))
      S = asDouble((Error > 0) == (S > 0) ? bitsOf(S) + 1 : bitsOf(S) - 1);
  }
  return halfFromDouble(arith(S));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

namespace {
template <class T> struct Format;
template <> struct Format<float> {
  static constexpr int Bias = 127, Scale = 64, Far = 96, Tiny = 23,
                       Underflow = -150, Special = 255;
  static int exponent(float F) { return int(bitsOf(F) >> 23 & 0xff); }
};
template <> struct Format<double> {
  static constexpr int Bias = 1023, Scale = 128, Far = 768, Tiny = 53,
                       Underflow = -1075, Special = 2047;
  static int exponent(double D) { return int(bitsOf(D) >> 52 & 0x7ff); }
};
template <class T> bool denormal(T F) {
  return std::fpclassify(F) == FP_SUBNORMAL;
}
template <class T> bool sameBits(T A, T B) { return bitsOf(A) == bitsOf(B); }
} // namespace

template <class T> static T scaleOf(T Value, T Den, T Num, bool &Scaled) {
  using F = Format<T>;
  Scaled = false;
  if (Num == 0 || Den == 0)
    return std::numeric_limits<T>::quiet_NaN();
  int Difference = F::exponent(Num) - F::exponent(Den);
  bool IsDen = sameBits(Value, Den), IsNum = sameBits(Value, Num);
  if (Difference >= F::Far) {
    Scaled = true;
    return IsDen ? std::ldexp(Value, F::Scale) : Value;
  }
  if (denormal(Den))
    return std::ldexp(Value, F::Scale);
  bool InverseTiny = denormal(T(1) / Den), QuotientTiny = denormal(Num / Den);
  if (InverseTiny && QuotientTiny) {
    Scaled = true;
    return IsDen ? std::ldexp(Value, -F::Scale) : Value;
  }
  if (InverseTiny)
    return std::ldexp(Value, -F::Scale);
  if (QuotientTiny) {
    Scaled = true;
    return IsNum ? std::ldexp(Value, F::Scale) : Value;
  }
  if (F::exponent(Num) <= F::Tiny)
    return std::ldexp(Value, F::Scale);
  return Value;
}

template <class T> static T fmasOf(T A, T B, T C, bool Scaled) {
  using F = Format<T>;
  if (!Scaled)
    return arith(std::fma(A, B, C));
  return scaled(A, B, C, F::exponent(C) > F::Bias ? F::Scale : -F::Scale);
}

template <class T> static T fixupOf(T Quotient, T Den, T Num) {
  using F = Format<T>;
  const T Infinity = std::numeric_limits<T>::infinity();
  T Sign = std::signbit(Den) != std::signbit(Num) ? T(-1) : T(1);
  if (std::isnan(Num))
    return quiet(Num);
  if (std::isnan(Den))
    return quiet(Den);
  if ((Den == 0 && Num == 0) || (std::isinf(Den) && std::isinf(Num)))
    return -std::numeric_limits<T>::quiet_NaN();
  if (Den == 0 || std::isinf(Num))
    return Sign * Infinity;
  if (std::isinf(Den) || Num == 0)
    return std::copysign(T(0), Sign);
  if (F::exponent(Num) - F::exponent(Den) < F::Underflow)
    return std::copysign(T(0), Sign);
  if (F::exponent(Den) == F::Special)
    return Sign * Infinity;
  if (std::isnan(Quotient))
    return Sign * Infinity;
  return std::copysign(Quotient, Sign);
}

float divScale(float V, float D, float N, bool &S) {
  return scaleOf(V, D, N, S);
}
double divScale(double V, double D, double N, bool &S) {
  return scaleOf(V, D, N, S);
}
float divFmas(float A, float B, float C, bool S) { return fmasOf(A, B, C, S); }
double divFmas(double A, double B, double C, bool S) {
  return fmasOf(A, B, C, S);
}
float divFixup(float Q, float D, float N) { return fixupOf(Q, D, N); }
double divFixup(double Q, double D, double N) { return fixupOf(Q, D, N); }

int32_t toInt32(double D) {
  if (std::isnan(D))
    return 0;
  if (D <= -2147483648.0)
    return INT32_MIN;
  if (D >= 2147483647.0)
    return INT32_MAX;
  return int32_t(D);
}

uint32_t toUint32(double D) {
  if (std::isnan(D) || D <= 0)
    return 0;
  if (D >= 4294967295.0)
    return UINT32_MAX;
  return uint32_t(D);
}

} // namespace amdgcn
