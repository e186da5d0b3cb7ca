// Arithmetic that rounds up, down or towards zero: __fadd_rd, __dmul_ru
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices round to the nearest number. Operations of float are done in double,
// where products are exact and sums leave an error that is known; the result is
// rounded once. Operations of double are done in integers of 128 bits. Results
// are the same on every device.

#ifndef XCC_CUDA_DIRECTED_H
#define XCC_CUDA_DIRECTED_H

#include <xcc/cuda/numbers.h>

// What these functions compute is lost by rounding in other places. Clang 17 and
// earlier know no such pragma for reciprocals.
#if defined(__clang__) && __clang_major__ >= 18
#define XCC_CUDA_STRICT                                                        \
  _Pragma("clang fp contract(off)") _Pragma("clang fp reassociate(off)")       \
      _Pragma("clang fp reciprocal(off)")
#else
#define XCC_CUDA_STRICT
#endif

namespace xcc::cuda::detail {

inline bool is_finite(double value) {
  return (bits<unsigned long long>(value) >> 52 & 0x7ff) != 0x7ff;
}
inline bool is_negative(double value) { return bits<long long>(value) < 0; }

//===-- float, in double --------------------------------------------------===//

/// A number that is `error` away from `near`, whose last bit is then odd: another
/// rounding to fewer digits is as if it were of the exact number.
inline double odd(double near, double error) {
  const auto word = bits<long long>(near);
  if (error == 0 || !is_finite(error) || !is_finite(near) || (word & 1))
    return near;
  return bits<double>((error > 0) == (word >= 0) ? word + 1 : word - 1);
}
/// A sum of zeros, or of a number and its negative, is -0 where it is rounded down,
/// unless both are +0.
inline double zero_sum(double a, double b, towards direction) {
  return direction == towards::below && (is_negative(a) || is_negative(b))
             ? -0.0
             : a + b;
}
/// Of two numbers that are sums and products of floats.
inline float sum_of_floats(double a, double b, towards direction) {
  XCC_CUDA_STRICT
  const double sum = a + b;
  if (!is_finite(sum))
    return static_cast<float>(sum);
  if (sum == 0)
    return static_cast<float>(zero_sum(a, b, direction));
  const double large = std::fabs(a) < std::fabs(b) ? b : a;
  const double small = std::fabs(a) < std::fabs(b) ? a : b;
  return directed(odd(sum, small - (sum - large)), direction);
}
inline float quotient_of_floats(double a, double b, towards direction) {
  XCC_CUDA_STRICT
  const double near = a / b, left = std::fma(-near, b, a);
  return directed(odd(near, is_negative(b) ? -left : left), direction);
}
inline float root_of_float(double a, towards direction) {
  XCC_CUDA_STRICT
  const double near = std::sqrt(a);
  return directed(odd(near, std::fma(-near, near, a)), direction);
}
/// To the nearest. No number between two floats has a root of that shape.
inline float inverse_root(float of) {
  XCC_CUDA_STRICT
  const double a = of;
  const float near = static_cast<float>(1 / std::sqrt(a));
  if (!is_finite(near) || near == 0 || !(a > 0))
    return near;
  const int word = bits<int>(near);
  const float above = bits<float>(word + 1), below = bits<float>(word - 1);
  const double high = (double(near) + above) / 2;
  const double low = (double(near) + below) / 2;
  if (std::fma(high * high, a, -1.0) < 0) // 1 / sqrt(a) is above the middle
    return above;
  return std::fma(low * low, a, -1.0) > 0 ? below : near;
}

//===-- double, in integers -----------------------------------------------===//

/// digits * 2^exponent. The last digit may stand for a rest, if there are many.
struct wide {
  unsigned __int128 digits;
  int exponent;
  bool negative;
};

inline int length(unsigned __int128 digits) {
  const auto high = static_cast<unsigned long long>(digits >> 64);
  const auto low = static_cast<unsigned long long>(digits);
  return high  ? 128 - __builtin_clzll(high)
         : low ? 64 - __builtin_clzll(low)
               : 0;
}
inline wide widened(double value) {
  const auto word = bits<unsigned long long>(value);
  const int biased = static_cast<int>(word >> 52 & 0x7ff);
  const unsigned long long digits = word & ((1ull << 52) - 1);
  return {biased ? digits | 1ull << 52 : digits, (biased ? biased : 1) - 1075,
          is_negative(value)};
}
/// To 53 digits, or fewer if the number is so small.
inline double narrowed(wide value, towards direction) {
  const unsigned long long sign = value.negative ? 1ull << 63 : 0;
  const bool away =
      direction == (value.negative ? towards::below : towards::above);
  int shift = length(value.digits) - 53;
  if (shift < -1074 - value.exponent)
    shift = -1074 - value.exponent;
  unsigned long long whole = 0;
  if (shift <= 0) {
    whole = static_cast<unsigned long long>(value.digits << -shift);
  } else {
    const bool all = shift > 127;
    whole = all ? 0 : static_cast<unsigned long long>(value.digits >> shift);
    const bool rest =
        all || (value.digits &
                ((static_cast<unsigned __int128>(1) << shift) - 1)) != 0;
    whole += rest && away;
  }
  const int biased = value.exponent + shift + 1075;
  constexpr unsigned long long infinity = 0x7ffull << 52;
  if (biased >= 0x7ff)
    return bits<double>(sign | (infinity - !away));
  return bits<double>(sign | ((static_cast<unsigned long long>(biased) << 52) +
                              whole - (1ull << 52)));
}
/// Digits that begin at bit 125, which leaves room for a carry.
inline wide normal(wide value) {
  const int shift = 126 - length(value.digits);
  value.digits <<= shift;
  value.exponent -= shift;
  return value;
}
/// Of numbers with up to 106 digits, not both of which are zero.
inline wide sum(wide a, wide b) {
  if (!a.digits || !b.digits)
    return a.digits ? a : b;
  a = normal(a);
  b = normal(b);
  if (a.exponent < b.exponent) {
    const wide other = a;
    a = b;
    b = other;
  }
  const int shift = a.exponent - b.exponent;
  const unsigned __int128 kept = shift > 127 ? 0 : b.digits >> shift;
  const bool rest = shift > 127 || kept << shift != b.digits;
  b.digits = kept | rest;
  if (a.negative == b.negative)
    return {a.digits + b.digits, a.exponent, a.negative};
  return a.digits < b.digits
             ? wide{b.digits - a.digits, a.exponent, b.negative}
             : wide{a.digits - b.digits, a.exponent, a.negative};
}
inline wide product(double a, double b) {
  const wide left = widened(a), right = widened(b);
  return {left.digits * right.digits, left.exponent + right.exponent,
          left.negative != right.negative};
}
/// Of a number in [1, 4): its digits, and one more that says what is left.
inline wide with_rest(double near, double left) {
  wide value = widened(near);
  value.digits <<= 2;
  value.digits += left > 0;
  value.digits -= left < 0;
  value.exponent -= 2;
  return value;
}
/// The number's digits as a number in [1, 2), or in [1, 4) with an even exponent.
inline double scaled(double value, int &exponent, bool even) {
  const wide all = widened(value);
  const int size = length(all.digits);
  exponent = all.exponent + size - 1;
  const int more = even && (exponent & 1);
  exponent -= more;
  const auto digits = static_cast<unsigned long long>(all.digits)
                      << (53 - size);
  return bits<double>((1022ull + static_cast<unsigned>(more)) * (1ull << 52) +
                      digits);
}

inline double add(double a, double b, towards direction) {
  if (!is_finite(a) || !is_finite(b))
    return a + b;
  const wide all = sum(widened(a), widened(b));
  return all.digits ? narrowed(all, direction) : zero_sum(a, b, direction);
}
inline double multiply(double a, double b, towards direction) {
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0)
    return a * b;
  return narrowed(product(a, b), direction);
}
inline double multiply_add(double a, double b, double c, towards direction) {
  if (!is_finite(a) || !is_finite(b) || !is_finite(c))
    return std::fma(a, b, c);
  const wide all = sum(product(a, b), widened(c));
  if (all.digits)
    return narrowed(all, direction);
  const double none = is_negative(a) != is_negative(b) ? -0.0 : 0.0;
  return zero_sum(none, c == 0 ? c : -none, direction);
}
inline double divide(double a, double b, towards direction) {
  XCC_CUDA_STRICT
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0)
    return a / b;
  int above = 0, below = 0;
  const double x = scaled(a, above, false), y = scaled(b, below, false);
  const double near = x / y;
  wide all = with_rest(near, std::fma(-near, y, x));
  all.exponent += above - below;
  all.negative = is_negative(a) != is_negative(b);
  return narrowed(all, direction);
}
inline double root(double a, towards direction) {
  XCC_CUDA_STRICT
  if (!is_finite(a) || a == 0 || is_negative(a))
    return std::sqrt(a);
  int exponent = 0;
  const double x = scaled(a, exponent, true), near = std::sqrt(x);
  wide all = with_rest(near, std::fma(-near, near, x));
  all.exponent += exponent / 2;
  return narrowed(all, direction);
}
} // namespace xcc::cuda::detail

#define XCC_CUDA_DIRECTED(suffix, direction)                                   \
  inline float __fadd_##suffix(float a, float b) {                             \
    return xcc::cuda::detail::sum_of_floats(                                   \
        a, b, xcc::cuda::detail::towards::direction);                          \
  }                                                                            \
  inline float __fsub_##suffix(float a, float b) {                             \
    return xcc::cuda::detail::sum_of_floats(                                   \
        a, -b, xcc::cuda::detail::towards::direction);                         \
  }                                                                            \
  inline float __fmul_##suffix(float a, float b) {                             \
    return xcc::cuda::detail::directed(double(a) * b,                          \
                                       xcc::cuda::detail::towards::direction); \
  }                                                                            \
  inline float __fmaf_##suffix(float a, float b, float c) {                    \
    XCC_CUDA_STRICT                                                            \
    return xcc::cuda::detail::sum_of_floats(                                   \
        double(a) * b, c, xcc::cuda::detail::towards::direction);              \
  }                                                                            \
  inline float __fmaf_ieee_##suffix(float a, float b, float c) {               \
    return __fmaf_##suffix(a, b, c);                                           \
  }                                                                            \
  inline float __fdiv_##suffix(float a, float b) {                             \
    return xcc::cuda::detail::quotient_of_floats(                              \
        a, b, xcc::cuda::detail::towards::direction);                          \
  }                                                                            \
  inline float __frcp_##suffix(float a) { return __fdiv_##suffix(1.0f, a); }   \
  inline float __fsqrt_##suffix(float a) {                                     \
    return xcc::cuda::detail::root_of_float(                                   \
        a, xcc::cuda::detail::towards::direction);                             \
  }                                                                            \
  inline double __dadd_##suffix(double a, double b) {                          \
    return xcc::cuda::detail::add(a, b,                                        \
                                  xcc::cuda::detail::towards::direction);      \
  }                                                                            \
  inline double __dsub_##suffix(double a, double b) {                          \
    return __dadd_##suffix(a, -b);                                             \
  }                                                                            \
  inline double __dmul_##suffix(double a, double b) {                          \
    return xcc::cuda::detail::multiply(a, b,                                   \
                                       xcc::cuda::detail::towards::direction); \
  }                                                                            \
  inline double __fma_##suffix(double a, double b, double c) {                 \
    return xcc::cuda::detail::multiply_add(                                    \
        a, b, c, xcc::cuda::detail::towards::direction);                       \
  }                                                                            \
  inline double __ddiv_##suffix(double a, double b) {                          \
    return xcc::cuda::detail::divide(a, b,                                     \
                                     xcc::cuda::detail::towards::direction);   \
  }                                                                            \
  inline double __drcp_##suffix(double a) { return __ddiv_##suffix(1.0, a); }  \
  inline double __dsqrt_##suffix(double a) {                                   \
    return xcc::cuda::detail::root(a, xcc::cuda::detail::towards::direction);  \
  }
XCC_CUDA_DIRECTED(rz, zero)
XCC_CUDA_DIRECTED(rd, below)
XCC_CUDA_DIRECTED(ru, above)
#undef XCC_CUDA_DIRECTED
#undef XCC_CUDA_STRICT
inline float __fmaf_ieee_rn(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
inline float __frsqrt_rn(float value) {
  return xcc::cuda::detail::inverse_root(value);
}

#endif // XCC_CUDA_DIRECTED_H
