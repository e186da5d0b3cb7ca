// Mathematical functions that are fast rather than exact
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     y[i] = xcc::fast::exp(-x[i]) * xcc::fast::rsqrt(r2);
//
// These functions do for single calls what -ffast-math does for a whole file: on
// a GPU they are its approximate instructions; on the CPU device and the host
// they are code without calls or branches, which becomes vector instructions.
// docs/math.md lists the errors and the limits. For double, functions that have
// no faster form are those of <cmath>; nothing narrows.
//
// Results and operands that are denormal may count as 0.
//
// Errors. No function fails or sets errno. Threads. Any thread may call any
// function.
//
// <cmath> is not included: it brings names such as ::round and ::y1.

#ifndef XCC_FAST_H
#define XCC_FAST_H

#include <cstdint>

#ifdef __XCC_FAST_FUNCTIONS__
// device-runtime/gpu/math_fast.cpp; C23's rsqrt is each library's own.
extern "C" {
[[gnu::const]] float __xcc_fast_expf(float) noexcept;
[[gnu::const]] float __xcc_fast_exp2f(float) noexcept;
[[gnu::const]] float __xcc_fast_logf(float) noexcept;
[[gnu::const]] float __xcc_fast_log2f(float) noexcept;
[[gnu::const]] float __xcc_fast_sinf(float) noexcept;
[[gnu::const]] float __xcc_fast_cosf(float) noexcept;
[[gnu::const]] float __xcc_fast_powf(float, float) noexcept;
[[gnu::const]] float __xcc_fast_dividef(float, float) noexcept;
[[gnu::const]] double __xcc_fast_divide(double, double) noexcept;
[[gnu::const]] float __xcc_fast_rcpf(float) noexcept;
[[gnu::const]] double __xcc_fast_rcp(double) noexcept;
[[gnu::const]] float __xcc_fast_rsqrtf(float) noexcept;
[[gnu::const]] float __xcc_fast_sqrtf(float) noexcept;
[[gnu::const]] float __xcc_rsqrtf(float) noexcept __asm__("rsqrtf");
[[gnu::const]] double __xcc_rsqrt(double) noexcept __asm__("rsqrt");
}
#endif

namespace xcc {

/// 1 / sqrt(x), which GPUs have as one function.
///     y[i] *= xcc::rsqrt(r2);
inline float rsqrt(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_rsqrtf(x);
#else
  return 1.0f / __builtin_sqrtf(x);
#endif
}
inline double rsqrt(double x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_rsqrt(x);
#else
  return 1.0 / __builtin_sqrt(x);
#endif
}

namespace fast {

#ifndef __XCC_FAST_FUNCTIONS__
// Polynomials with the least largest error. A comparison with a NaN is false,
// and no conversion to an integer is given a number that it cannot hold.
namespace detail {
// Sums in the order in which they stand, also under -ffast-math.
#ifdef __clang__
#define XCC_FAST_AS_WRITTEN _Pragma("clang fp reassociate(off)")
#else
#define XCC_FAST_AS_WRITTEN
#endif

inline float of_bits(std::uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
inline std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof x);
  return bits;
}
// In integers, as -ffast-math takes a floating-point constant that is one of
// these for something that cannot be.
constexpr std::uint32_t infinity = 0x7f800000, not_a_number = 0x7fc00000;

/// e^rest 2^power, for |rest| up to ln 2 / 2.
inline float scaled_exp(float rest, std::int32_t power) {
  XCC_FAST_AS_WRITTEN
  float sum = 0x1.6a1a4cp-10f;
  sum = sum * rest + 0x1.123fc6p-7f;
  sum = sum * rest + 0x1.555916p-5f;
  sum = sum * rest + 0x1.55548ap-3f;
  sum = sum * rest + 0x1.fffffcp-2f;
  sum = (sum * rest) * rest + rest + 1;
  return of_bits(bits_of(sum) + (static_cast<std::uint32_t>(power) << 23));
}

/// The integer next to x, which is not below -127 and not far above 128.
inline std::int32_t nearest(float x) {
  return static_cast<std::int32_t>(x + 127.5f) - 127;
}

/// log(x) less power times ln 2; of positive normal numbers.
inline float reduced_log(float x, float &power) {
  XCC_FAST_AS_WRITTEN
  // The exponent of x / sqrt(0.5): the rest is in [sqrt(0.5), sqrt(2)).
  const std::int32_t exponent =
      static_cast<std::int32_t>(bits_of(x) - 0x3f3504f3u) >> 23;
  const float part =
      of_bits(bits_of(x) - (static_cast<std::uint32_t>(exponent) << 23)) - 1;
  float sum = 0x1.145ac0p-4f;
  sum = sum * part - 0x1.de3d66p-4f;
  sum = sum * part + 0x1.e6efbcp-4f;
  sum = sum * part - 0x1.fc21c2p-4f;
  sum = sum * part + 0x1.233770p-3f;
  sum = sum * part - 0x1.555c50p-3f;
  sum = sum * part + 0x1.99a4b4p-3f;
  sum = sum * part - 0x1.000006p-2f;
  sum = sum * part + 0x1.555548p-2f;
  power = static_cast<float>(exponent);
  return (sum * part * part - 0.5f * part) * part + part;
}
/// The logarithm of a positive number, or what one of others is.
inline float whole_log(float x, float result) {
  const std::uint32_t bits = bits_of(x), size = bits & 0x7fffffffu;
  std::uint32_t whole = size < infinity ? bits_of(result) : bits;
  whole = bits >> 31 ? not_a_number : whole;
  whole = size < 0x800000 ? infinity | 0x80000000u : whole;
  return of_bits(size > infinity ? bits : whole);
}

/// sin(rest), for |rest| up to pi / 2; of others something between -1 and 1.
inline float reduced_sin(float rest) {
  XCC_FAST_AS_WRITTEN
  rest = rest < -0x1.921fb6p0f ? -0x1.921fb6p0f : rest;
  rest = rest > 0x1.921fb6p0f ? 0x1.921fb6p0f : rest;
  const float z = rest * rest;
  float sum = 0x1.5db8cap-19f;
  sum = sum * z - 0x1.9f6fa6p-13f;
  sum = sum * z + 0x1.110ed2p-7f;
  sum = sum * z - 0x1.55554cp-3f;
  return sum * z * rest + rest;
}
/// x less count times pi: in three parts, of which count times the first two
/// is exact as long as count has 13 bits.
inline float less_pi(float x, float count) {
  XCC_FAST_AS_WRITTEN
  x -= count * 3.140625f;
  x -= count * 9.67502593994140625e-4f;
  return x - count * 1.509957990978376432e-7f;
}
/// x / pi, as far as it can be an integer.
inline float half_turns(float x) {
  float turns = x * 0x1.45f306p-2f;
  turns = turns > -4194304.0f ? turns : -4194304.0f;
  return turns < 4194304.0f ? turns : 4194304.0f;
}
inline float with_sign(float x, std::int32_t odd) {
  return of_bits(bits_of(x) ^ (static_cast<std::uint32_t>(odd) << 31));
}
} // namespace detail
#endif // __XCC_FAST_FUNCTIONS__

/// e to the power of x.
///     y[i] = xcc::fast::exp(-x[i]);
inline float exp(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_expf(x);
#else
  XCC_FAST_AS_WRITTEN
  float within = x > -87.336544f ? x : -87.336544f;
  within = within < 88.722839f ? within : 88.722839f;
  const std::int32_t power = detail::nearest(within * 0x1.715476p0f);
  const float count = static_cast<float>(power);
  const float rest = (within - count * 0.693359375f) + count * 2.12194440e-4f;
  std::uint32_t bits = detail::bits_of(detail::scaled_exp(rest, power));
  bits = x > 88.722839f ? detail::infinity : bits;
  bits = x < -87.336544f ? 0 : bits;
  return detail::of_bits(x == x ? bits : detail::bits_of(x));
#endif
}

/// 2 to the power of x.
///     y[i] = xcc::fast::exp2(x[i]);
inline float exp2(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_exp2f(x);
#else
  float within = x > -126.0f ? x : -126.0f;
  within = within < 128.0f ? within : 128.0f;
  const std::int32_t power = detail::nearest(within);
  const float rest = (within - static_cast<float>(power)) * 0x1.62e430p-1f;
  std::uint32_t bits = detail::bits_of(detail::scaled_exp(rest, power));
  bits = x >= 128.0f ? detail::infinity : bits;
  bits = x < -126.0f ? 0 : bits;
  return detail::of_bits(x == x ? bits : detail::bits_of(x));
#endif
}

/// The natural logarithm.
///     y[i] = xcc::fast::log(x[i]);
inline float log(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_logf(x);
#else
  XCC_FAST_AS_WRITTEN
  float power;
  const float rest = detail::reduced_log(x, power);
  const float low = rest - power * 2.12194440e-4f;
  return detail::whole_log(x, power * 0.693359375f + low);
#endif
}

/// The logarithm of base 2.
///     y[i] = xcc::fast::log2(x[i]);
inline float log2(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_log2f(x);
#else
  XCC_FAST_AS_WRITTEN
  float power;
  const float rest = detail::reduced_log(x, power);
  return detail::whole_log(x, rest * 0x1.715476p0f + power);
#endif
}

/// The sine of an angle in radians.
///     y[i] = xcc::fast::sin(x[i]);
inline float sin(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_sinf(x);
#else
  const float turns = detail::half_turns(x);
  const std::int32_t count =
      static_cast<std::int32_t>(turns < 0 ? turns - 0.5f : turns + 0.5f);
  const float rest = detail::less_pi(x, static_cast<float>(count));
  // Of infinities, and NaNs, not a number.
  return detail::with_sign(detail::reduced_sin(rest), count) + (x - x);
#endif
}

/// The cosine of an angle in radians.
///     y[i] = xcc::fast::cos(x[i]);
inline float cos(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_cosf(x);
#else
  // -sin(x - (count + 1/2) pi) for an even count.
  const float turns = detail::half_turns(x);
  const std::int32_t count =
      static_cast<std::int32_t>(turns < 0 ? turns - 1 : turns);
  const float rest = detail::less_pi(x, static_cast<float>(count) + 0.5f);
  return detail::with_sign(detail::reduced_sin(rest), count + 1) + (x - x);
#endif
}

/// Sine and cosine of one angle in radians, which share their work.
///     xcc::fast::sincos(x[i], &sine, &cosine);
inline void sincos(float x, float *sine, float *cosine) {
  *sine = fast::sin(x);
  *cosine = fast::cos(x);
}

/// 2^(y log2 |x|), with the sign of x if y is odd; x^0 is 1. With a negative x
/// and a y that is no integer it is a number, not a NaN.
///     y[i] = xcc::fast::pow(x[i], 2.4f);
inline float pow(float x, float y) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_powf(x, y);
#else
  using namespace detail;
  const float size = of_bits(bits_of(x) & 0x7fffffffu);
  // Not -infinity for 0, whose 0-th power is 1.
  const float log = of_bits(
      bits_of(size) < 0x800000 ? 0xff7fffffu : bits_of(fast::log2(size)));
  const std::uint32_t result = bits_of(fast::exp2(y * log));
  // The sum's last bit is y's, as long as |y| is no larger than 2^22.
  const std::uint32_t whole = bits_of(y + 0x1.8p23f);
  return of_bits(result ^ (bits_of(x) & whole << 31));
#endif
}

/// The quotient, for |other| from 2^-126 to 2^126.
///     y[i] = xcc::fast::divide(x[i], r2);
inline float divide(float one, float other) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_dividef(one, other);
#else
  return one / other;
#endif
}
inline double divide(double one, double other) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_divide(one, other);
#else
  return one / other;
#endif
}
/// 1 / x.
///     y[i] *= xcc::fast::rcp(r2);
inline float rcp(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_rcpf(x);
#else
  return 1 / x;
#endif
}
inline double rcp(double x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_rcp(x);
#else
  return 1 / x;
#endif
}
/// 1 / sqrt(x).
///     y[i] *= xcc::fast::rsqrt(r2);
inline float rsqrt(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_rsqrtf(x);
#else
  return 1 / __builtin_sqrtf(x);
#endif
}
inline double rsqrt(double x) { return xcc::rsqrt(x); }
/// The square root.
///     y[i] = xcc::fast::sqrt(x[i]);
inline float sqrt(float x) {
#ifdef __XCC_FAST_FUNCTIONS__
  return __xcc_fast_sqrtf(x);
#else
  return __builtin_sqrtf(x);
#endif
}

/// What double has no faster form of: <cmath>'s.
inline double exp(double x) { return __builtin_exp(x); }
inline double exp2(double x) { return __builtin_exp2(x); }
inline double log(double x) { return __builtin_log(x); }
inline double log2(double x) { return __builtin_log2(x); }
inline double sin(double x) { return __builtin_sin(x); }
inline double cos(double x) { return __builtin_cos(x); }
/// Writes the sine and the cosine of \p x to \p sine and \p cosine.
inline void sincos(double x, double *sine, double *cosine) {
  *sine = __builtin_sin(x);
  *cosine = __builtin_cos(x);
}
inline double pow(double x, double y) { return __builtin_pow(x, y); }
inline double sqrt(double x) { return __builtin_sqrt(x); }

#undef XCC_FAST_AS_WRITTEN
} // namespace fast
} // namespace xcc

#endif // XCC_FAST_H
