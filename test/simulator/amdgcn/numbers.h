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
  uint16_t Bits;
};

uint16_t halfFromDouble(double D); ///< to nearest, ties to even
float floatFromHalf(uint16_t H);   ///< exact

inline uint32_t bitsOf(float F) { return std::bit_cast<uint32_t>(F); }
inline uint64_t bitsOf(double D) { return std::bit_cast<uint64_t>(D); }
inline float asFloat(uint32_t B) { return std::bit_cast<float>(B); }
inline double asDouble(uint64_t B) { return std::bit_cast<double>(B); }

/// The NaN that an invalid operation gives is positive here, negative on x86.
inline float arith(float F) {
  return bitsOf(F) == 0xffc00000u ? asFloat(0x7fc00000u) : F;
}
inline double arith(double D) {
  return bitsOf(D) == 0xfff8000000000000u ? asDouble(0x7ff8000000000000u) : D;
}

inline float flushed(float F) {
  return (bitsOf(F) & 0x7f800000) ? F : asFloat(bitsOf(F) & 0x80000000);
}

inline bool isSignaling(float F) {
  return (bitsOf(F) & 0x7fc00000) == 0x7f800000 && (bitsOf(F) & 0x3fffff);
}
inline bool isSignaling(double D) {
  return (bitsOf(D) & 0x7ff8000000000000) == 0x7ff0000000000000 &&
         (bitsOf(D) & 0x7ffffffffffff);
}
inline float quiet(float F) { return asFloat(bitsOf(F) | 0x400000); }
inline double quiet(double D) { return asDouble(bitsOf(D) | 0x8000000000000); }

/// minNum and maxNum with the order -0 < +0; a signaling NaN wins, quieted.
template <class T> T minNum(T A, T B) {
  if (isSignaling(A))
    return quiet(A);
  if (isSignaling(B))
    return quiet(B);
  if (std::isnan(A))
    return B;
  if (std::isnan(B))
    return A;
  if (A == B)
    return std::signbit(A) ? A : B;
  return A < B ? A : B;
}
template <class T> T maxNum(T A, T B) {
  if (isSignaling(A))
    return quiet(A);
  if (isSignaling(B))
    return quiet(B);
  if (std::isnan(A))
    return B;
  if (std::isnan(B))
    return A;
  if (A == B)
    return std::signbit(A) ? B : A;
  return A > B ? A : B;
}

/// What v_cmp_class tests, a bit for each kind of number.
template <class T> uint32_t classOf(T F) {
  bool Minus = std::signbit(F);
  switch (std::fpclassify(F)) {
  case FP_NAN:
    return isSignaling(F) ? 1 : 2;
  case FP_INFINITE:
    return Minus ? 1 << 2 : 1 << 9;
  case FP_NORMAL:
    return Minus ? 1 << 3 : 1 << 8;
  case FP_SUBNORMAL:
    return Minus ? 1 << 4 : 1 << 7;
  default:
    return Minus ? 1 << 5 : 1 << 6;
  }
}

/// a * b + c, times a power of two, rounded once.
float scaledFma(float A, float B, float C, int Scale);
double scaledFma(double A, double B, double C, int Scale);
uint16_t halfFma(float A, float B, float C);

// The three steps of a division (v_div_scale, v_div_fmas, v_div_fixup).
float divScale(float Value, float Den, float Num, bool &Scaled);
double divScale(double Value, double Den, double Num, bool &Scaled);
float divFmas(float A, float B, float C, bool Scaled);
double divFmas(double A, double B, double C, bool Scaled);
float divFixup(float Quotient, float Den, float Num);
double divFixup(double Quotient, double Den, double Num);

/// Conversions that saturate; a NaN gives 0.
int32_t toInt32(double D);
uint32_t toUint32(double D);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_NUMBERS_H
