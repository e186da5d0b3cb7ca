// Sine and cosine of floats, with one reduction for both
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x is n quarter turns plus a rest of at most an eighth of a turn. The rest is
// kept in two parts, so that errors near zeros of the functions stay below the
// last place. Below 2^15, three parts of the quarter turns are subtracted; the
// product with the first part is exact. From 2^15 on, the 24 bits of x are
// multiplied by only those bits of 2 / pi that contribute less than four
// quarter turns (M. Payne, R. Hanek, "Radian reduction for trigonometric
// functions", SIGNUM Newsletter 18, 1983). The polynomials are minimax
// polynomials with errors below 2^-28 and 2^-33.

#ifndef XCC_DEVICE_RUNTIME_GPU_TRIGONOMETRY_H
#define XCC_DEVICE_RUNTIME_GPU_TRIGONOMETRY_H

namespace trigonometry {

/// pi / 2, in three parts of 24 bits.
inline constexpr float Quarter1 = 0x1.921fb6p+0f, Quarter2 = -0x1.777a5cp-25f,
                       Quarter3 = -0x1.ee59dap-50f;

/// The bits of 2 / pi after the point, preceded by 32 zeros.
inline constexpr unsigned TurnBits[] = {
    0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
    0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
};

struct Angle {
  float high, low; ///< in radians; their sum is in [-pi / 4, pi / 4]
  int quarters;    ///< modulo 4
};

struct Pair {
  float sine, cosine;
};

/// Reduces an angle of at least 2^15.
inline Angle reduceLarge(float x) {
  unsigned bits = __builtin_bit_cast(unsigned, x);
  unsigned mantissa = (bits & 0x7fffff) | 0x800000;
  // x is mantissa * 2^e. The first bit of 2 / pi that contributes is the one of
  // value 2 * 2^-e.
  int e = int(bits >> 23) - 150;
  unsigned first = unsigned(e + 30), word = first / 32, shift = first % 32;
  unsigned window[3];
  for (int i = 0; i < 3; ++i) {
    unsigned long long two =
        (unsigned long long)TurnBits[word + i] << 32 | TurnBits[word + i + 1];
    window[i] = unsigned(two << shift >> 32);
  }
  // The product in units of 2^-62 quarter turns.
  unsigned long long product =
      ((unsigned long long)(mantissa * window[0]) << 32) +
      (unsigned long long)mantissa * window[1] +
      ((unsigned long long)mantissa * window[2] >> 32);
  unsigned long long quarters = (product + (1ull << 61)) >> 62;
  long long rest = (long long)(product - (quarters << 62));
  float high = float(rest), low = float(rest - (long long)high);
  Angle angle;
  angle.high = high * (Quarter1 * 0x1p-62f);
  angle.low =
      __builtin_fmaf(high, Quarter1 * 0x1p-62f, -angle.high) +
      __builtin_fmaf(high, Quarter2 * 0x1p-62f, low * (Quarter1 * 0x1p-62f));
  angle.quarters = int(quarters & 3);
  return angle;
}

/// Reduces an angle that is finite and not negative.
inline Angle reduce(float x) {
  if (x >= 0x1p15f)
    return reduceLarge(x);
  float n = __builtin_rintf(x * 0x1.45f306p-1f);
  float rest = __builtin_fmaf(n, -Quarter1, x), second = n * -Quarter2;
  Angle angle;
  angle.high = rest + second;
  // The rounding error of the sum, whichever operand is larger (Knuth's
  // two-sum).
  float part = angle.high - rest;
  angle.low = (rest - (angle.high - part)) + (second - part);
  angle.low += __builtin_fmaf(n, -Quarter2, -second);
  angle.low = __builtin_fmaf(n, -Quarter3, angle.low);
  angle.quarters = int(n) & 3;
  return angle;
}

inline float sineOf(const Angle &angle) {
  float r = angle.high, z = r * r;
  float p = __builtin_fmaf(z, -0x1.994e5cp-13f, 0x1.11076p-7f);
  p = __builtin_fmaf(z, p, -0x1.555546p-3f);
  // low times the derivative of the sine, which is about 1 - z / 2.
  float low = __builtin_fmaf(z * -0.5f, angle.low, angle.low);
  return r + __builtin_fmaf(r * z, p, low);
}

inline float cosineOf(const Angle &angle) {
  float r = angle.high, z = r * r, half = 0.5f * z;
  float p = __builtin_fmaf(z, 0x1.9a020ap-16f, -0x1.6c0c8ap-10f);
  p = __builtin_fmaf(z, p, 0x1.55554ap-5f);
  float one = 1 - half, lost = 1 - one - half;
  return one + __builtin_fmaf(z * z, p, __builtin_fmaf(-r, angle.low, lost));
}

/// Sine and cosine of any number. The optimiser removes the one that is unused.
inline Pair sineAndCosine(float x) {
  float size = __builtin_fabsf(x);
  if (!(size < __builtin_inff()))
    return {x - x, x - x};
  Angle angle = reduce(size);
  float sine = sineOf(angle), cosine = cosineOf(angle);
  float s = angle.quarters & 1 ? cosine : sine;
  float c = angle.quarters & 1 ? -sine : cosine;
  if (angle.quarters & 2) {
    s = -s;
    c = -c;
  }
  // For zero, which keeps its sign, and for numbers whose square underflows.
  s = size < 0x1p-12f ? size : s;
  return {__builtin_copysignf(1, x) * s, c};
}

} // namespace trigonometry

#endif // XCC_DEVICE_RUNTIME_GPU_TRIGONOMETRY_H
