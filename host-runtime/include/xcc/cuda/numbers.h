// Bits, conversions, and what CUDA's <math.h> has more than the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with fast, less accurate results in CUDA (__expf) are xcc::fast's.

#ifndef XCC_CUDA_NUMBERS_H
#define XCC_CUDA_NUMBERS_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <xcc/device.h>
#include <xcc/fast.h>

namespace xcc::cuda::detail {
template <class To, class From> inline To bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To made;
  __builtin_memcpy(&made, &value, sizeof made);
  return made;
}
/// A number without a fraction; the smallest or largest beyond, 0 of a NaN.
template <class To, class From> inline To saturated(From value) {
  using limits = std::numeric_limits<To>;
  constexpr From high = From(To(1) << (limits::digits - 1)) * 2;
  constexpr From low = limits::is_signed ? -high : From(0);
  if (!(value == value))
    return 0;
  return value <= low    ? limits::min()
         : value >= high ? limits::max()
                         : static_cast<To>(value);
}
} // namespace xcc::cuda::detail

inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __popcll(unsigned long long value) {
  return __builtin_popcountll(value);
}
inline int __clz(int value) {
  return value ? __builtin_clz(static_cast<unsigned>(value)) : 32;
}
inline int __clzll(long long value) {
  return value ? __builtin_clzll(static_cast<unsigned long long>(value)) : 64;
}
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __ffsll(long long value) { return __builtin_ffsll(value); }

inline unsigned __brev(unsigned value) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_bitreverse32)
#define XCC_CUDA_REVERSES
#endif
#endif
#ifdef XCC_CUDA_REVERSES
  return __builtin_bitreverse32(value);
#else
  unsigned made = 0;
  for (int at = 0; at < 32; ++at, value >>= 1)
    made = made << 1 | (value & 1);
  return made;
#endif
}
inline unsigned long long __brevll(unsigned long long value) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(value)))
             << 32 |
         __brev(static_cast<unsigned>(value >> 32));
}
#undef XCC_CUDA_REVERSES

/// Four bytes of the eight of high and low, chosen by the selector's digits.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t(high) << 32 | low;
  unsigned made = 0;
  for (int at = 0; at < 4; ++at)
    made |= (unsigned(bytes >> ((selector >> 4 * at & 7) * 8)) & 0xff)
            << 8 * at;
  return made;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(
      (std::uint64_t(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t(high) << 32 | low) >>
                               (shift & 31));
}
inline int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a,
                                     unsigned long long b) {
  return static_cast<unsigned long long>(
      static_cast<unsigned __int128>(a) * b >> 64);
}
/// The low 24 bits of each.
inline int __mul24(int a, int b) {
  const long long x = static_cast<int>(unsigned(a) << 8) >> 8;
  const long long y = static_cast<int>(unsigned(b) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(x * y));
}
inline unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
inline unsigned __usad(unsigned a, unsigned b, unsigned sum) {
  return (a > b ? a - b : b - a) + sum;
}

inline int __float_as_int(float value) {
  return xcc::cuda::detail::bits<int>(value);
}
inline unsigned __float_as_uint(float value) {
  return xcc::cuda::detail::bits<unsigned>(value);
}
inline float __int_as_float(int value) {
  return xcc::cuda::detail::bits<float>(value);
}
inline float __uint_as_float(unsigned value) {
  return xcc::cuda::detail::bits<float>(value);
}
inline long long __double_as_longlong(double value) {
  return xcc::cuda::detail::bits<long long>(value);
}
inline double __longlong_as_double(long long value) {
  return xcc::cuda::detail::bits<double>(value);
}

// Conversions: rn to the nearest, rz towards zero, rd down, ru up.
#define XCC_CUDA_TO_INTEGER(name, from, to)                                    \
  inline to name##_rn(from value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::nearbyint(value));            \
  }                                                                            \
  inline to name##_rz(from value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::trunc(value));                \
  }                                                                            \
  inline to name##_rd(from value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::floor(value));                \
  }                                                                            \
  inline to name##_ru(from value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::ceil(value));                 \
  }
XCC_CUDA_TO_INTEGER(__float2int, float, int)
XCC_CUDA_TO_INTEGER(__float2uint, float, unsigned)
XCC_CUDA_TO_INTEGER(__float2ll, float, long long)
XCC_CUDA_TO_INTEGER(__float2ull, float, unsigned long long)
XCC_CUDA_TO_INTEGER(__double2int, double, int)
XCC_CUDA_TO_INTEGER(__double2uint, double, unsigned)
XCC_CUDA_TO_INTEGER(__double2ll, double, long long)
XCC_CUDA_TO_INTEGER(__double2ull, double, unsigned long long)
#undef XCC_CUDA_TO_INTEGER
inline int __double2hiint(double value) {
  return static_cast<int>(xcc::cuda::detail::bits<long long>(value) >> 32);
}
inline int __double2loint(double value) {
  return static_cast<int>(xcc::cuda::detail::bits<long long>(value));
}
inline double __hiloint2double(int high, int low) {
  return xcc::cuda::detail::bits<double>(
      static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
      static_cast<unsigned>(low));
}

namespace xcc::cuda::detail {
enum class towards { zero, below, above };

/// An integer as a number with fewer digits, rounded in one direction.
template <class Float, class Integer>
inline Float directed(Integer value, towards direction) {
  constexpr int digits = std::numeric_limits<Float>::digits;
  const bool negative = value < 0;
  unsigned long long whole = static_cast<unsigned long long>(value);
  whole = negative ? 0 - whole : whole;
  const int spare = whole ? 64 - digits - __builtin_clzll(whole) : 0;
  const unsigned long long unit = spare > 0 ? 1ull << spare : 1;
  const unsigned long long rest = whole & (unit - 1);
  Float made = static_cast<Float>(whole - rest);
  if (rest && direction == (negative ? towards::below : towards::above))
    made += static_cast<Float>(unit);
  return negative ? -made : made;
}
/// A double as a float, rounded in one direction.
inline float directed(double value, towards direction) {
  const float near = static_cast<float>(value);
  const bool up =
      direction == towards::above || (direction == towards::zero && value < 0);
  if (!(up ? near < value : near > value))
    return near;
  const int word = bits<int>(near);
  if (near == 0)
    return bits<float>(up ? 1 : static_cast<int>(0x80000001));
  return bits<float>(up == (word >= 0) ? word + 1 : word - 1);
}
} // namespace xcc::cuda::detail

#define XCC_CUDA_FROM_INTEGER(name, from, to)                                  \
  inline to name##_rn(from value) { return static_cast<to>(value); }           \
  inline to name##_rz(from value) {                                            \
    return xcc::cuda::detail::directed<to>(value,                              \
                                           xcc::cuda::detail::towards::zero);  \
  }                                                                            \
  inline to name##_rd(from value) {                                            \
    return xcc::cuda::detail::directed<to>(value,                              \
                                           xcc::cuda::detail::towards::below); \
  }                                                                            \
  inline to name##_ru(from value) {                                            \
    return xcc::cuda::detail::directed<to>(value,                              \
                                           xcc::cuda::detail::towards::above); \
  }
XCC_CUDA_FROM_INTEGER(__int2float, int, float)
XCC_CUDA_FROM_INTEGER(__uint2float, unsigned, float)
XCC_CUDA_FROM_INTEGER(__ll2float, long long, float)
XCC_CUDA_FROM_INTEGER(__ull2float, unsigned long long, float)
XCC_CUDA_FROM_INTEGER(__ll2double, long long, double)
XCC_CUDA_FROM_INTEGER(__ull2double, unsigned long long, double)
#undef XCC_CUDA_FROM_INTEGER
inline double __int2double_rn(int value) { return value; }
inline double __uint2double_rn(unsigned value) { return value; }
inline float __double2float_rn(double value) {
  return static_cast<float>(value);
}
inline float __double2float_rz(double value) {
  return xcc::cuda::detail::directed(value, xcc::cuda::detail::towards::zero);
}
inline float __double2float_rd(double value) {
  return xcc::cuda::detail::directed(value, xcc::cuda::detail::towards::below);
}
inline float __double2float_ru(double value) {
  return xcc::cuda::detail::directed(value, xcc::cuda::detail::towards::above);
}

// Operations that are not contracted with others.
#ifdef __clang__
#define XCC_CUDA_ALONE _Pragma("clang fp contract(off)")
#else
#define XCC_CUDA_ALONE
#endif
#define XCC_CUDA_OPERATION(letter, name, type, op)                             \
  inline type __##letter##name##_rn(type a, type b) {                          \
    XCC_CUDA_ALONE                                                             \
    return a op b;                                                             \
  }
XCC_CUDA_OPERATION(f, add, float, +)
XCC_CUDA_OPERATION(f, sub, float, -)
XCC_CUDA_OPERATION(f, mul, float, *)
XCC_CUDA_OPERATION(f, div, float, /)
XCC_CUDA_OPERATION(d, add, double, +)
XCC_CUDA_OPERATION(d, sub, double, -)
XCC_CUDA_OPERATION(d, mul, double, *)
XCC_CUDA_OPERATION(d, div, double, /)
#undef XCC_CUDA_OPERATION
#undef XCC_CUDA_ALONE
inline double __drcp_rn(double value) { return 1 / value; }
inline double __dsqrt_rn(double value) { return std::sqrt(value); }

// A template, because programs define their own where __CUDACC__ is not defined
// (helper_math.h); a call prefers theirs. So are min and max below.
template <class = void> inline float rsqrtf(float value) {
  return xcc::rsqrt(value);
}
inline double rsqrt(double value) { return xcc::rsqrt(value); }
inline float __saturatef(float value) {
  return value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
}
inline float __expf(float value) { return xcc::fast::exp(value); }
inline float __exp10f(float value) {
  return xcc::fast::exp2(value * 3.32192809f);
}
inline float __logf(float value) { return xcc::fast::log(value); }
inline float __log2f(float value) { return xcc::fast::log2(value); }
inline float __log10f(float value) {
  return xcc::fast::log2(value) * 0.301029996f;
}
inline float __sinf(float value) { return xcc::fast::sin(value); }
inline float __cosf(float value) { return xcc::fast::cos(value); }
inline void __sincosf(float value, float *sine, float *cosine) {
  xcc::fast::sincos(value, sine, cosine);
}
inline float __tanf(float value) {
  return xcc::fast::divide(xcc::fast::sin(value), xcc::fast::cos(value));
}
inline float __powf(float value, float power) {
  return xcc::fast::pow(value, power);
}
inline float __fdividef(float a, float b) { return xcc::fast::divide(a, b); }
inline float __frcp_rn(float value) { return 1.0f / value; }
inline float __fsqrt_rn(float value) { return std::sqrt(value); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) {
  return std::fma(a, b, c);
}

/// A load of what no thread writes.
template <class Type> inline Type __ldg(const Type *at) { return *at; }

inline long long clock64() { return static_cast<long long>(__xcc_clock()); }
[[noreturn]] inline void __trap() { __builtin_trap(); }
/// For debuggers and profilers, which xcc has none of.
inline void __brkpt() {}
#define __prof_trigger(number) ((void)(number))
#define __assume(...) __builtin_assume(__VA_ARGS__)

// As CUDA has them, beside those of std.
#define XCC_CUDA_LEAST(type, left, right)                                      \
  template <class = void> constexpr type min(left a, right b) {                \
    const type x = static_cast<type>(a), y = static_cast<type>(b);             \
    return y < x ? y : x;                                                      \
  }                                                                            \
  template <class = void> constexpr type max(left a, right b) {                \
    const type x = static_cast<type>(a), y = static_cast<type>(b);             \
    return x < y ? y : x;                                                      \
  }
XCC_CUDA_LEAST(int, int, int)
XCC_CUDA_LEAST(unsigned, unsigned, unsigned)
XCC_CUDA_LEAST(unsigned, int, unsigned)
XCC_CUDA_LEAST(unsigned, unsigned, int)
XCC_CUDA_LEAST(long, long, long)
XCC_CUDA_LEAST(unsigned long, unsigned long, unsigned long)
XCC_CUDA_LEAST(unsigned long, long, unsigned long)
XCC_CUDA_LEAST(unsigned long, unsigned long, long)
XCC_CUDA_LEAST(long long, long long, long long)
XCC_CUDA_LEAST(unsigned long long, unsigned long long, unsigned long long)
XCC_CUDA_LEAST(unsigned long long, long long, unsigned long long)
XCC_CUDA_LEAST(unsigned long long, unsigned long long, long long)
#undef XCC_CUDA_LEAST
#define XCC_CUDA_LEAST(type, left, right)                                      \
  template <class = void> inline type min(left a, right b) {                   \
    return std::fmin(type(a), type(b));                                        \
  }                                                                            \
  template <class = void> inline type max(left a, right b) {                   \
    return std::fmax(type(a), type(b));                                        \
  }
XCC_CUDA_LEAST(float, float, float)
XCC_CUDA_LEAST(double, double, double)
XCC_CUDA_LEAST(double, float, double)
XCC_CUDA_LEAST(double, double, float)
#undef XCC_CUDA_LEAST

#endif // XCC_CUDA_NUMBERS_H
