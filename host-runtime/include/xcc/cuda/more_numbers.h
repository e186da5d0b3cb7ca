// CUDA's less common functions of integers, floating-point numbers and memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_MORE_NUMBERS_H
#define XCC_CUDA_MORE_NUMBERS_H

#include <xcc/cuda/atomics.h>

#include <cmath>
#include <limits>
#include <type_traits>

//===-- Integers ----------------------------------------------------------===//

/// Averages, without overflow: towards minus infinity, and rounded up.
inline int __hadd(int a, int b) { return int((1ll * a + b) >> 1); }
inline int __rhadd(int a, int b) { return int((1ll * a + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) {
  return unsigned((1ull * a + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
  return unsigned((1ull * a + b + 1) >> 1);
}
inline unsigned __sad(int a, int b, unsigned sum) {
  return (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)) + sum;
}
/// Shifts of two words by up to 32.
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = (1ull * high << 32) | low;
  return unsigned((both << (shift < 32 ? shift : 32)) >> 32);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = (1ull * high << 32) | low;
  return unsigned(both >> (shift < 32 ? shift : 32));
}
/// The bit set number `offset` from bit `base` on, up or down; or ~0.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  int at = int(base);
  if (offset == 0)
    return at < 32 && (mask >> at & 1) ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  for (int left = offset > 0 ? offset : -offset; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0)
      return unsigned(at);
  return ~0u;
}
/// Two 16-bit numbers times two bytes of four, and a sum.
inline int __dp2a_lo(int pair, int bytes, int sum) {
  return sum + short(pair) * (signed char)(bytes) +
         (pair >> 16) * (signed char)(bytes >> 8);
}
inline int __dp2a_hi(int pair, int bytes, int sum) {
  return __dp2a_lo(pair, bytes >> 16, sum);
}
inline unsigned __dp2a_lo(unsigned pair, unsigned bytes, unsigned sum) {
  return sum + (pair & 0xffff) * (bytes & 0xff) +
         (pair >> 16) * (bytes >> 8 & 0xff);
}
inline unsigned __dp2a_hi(unsigned pair, unsigned bytes, unsigned sum) {
  return __dp2a_lo(pair, bytes >> 16, sum);
}
inline unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
inline long long llmin(long long a, long long b) { return b < a ? b : a; }
inline long long llmax(long long a, long long b) { return a < b ? b : a; }

//===-- Floating-point numbers --------------------------------------------===//

namespace xcc::cuda::detail {
// By Newton's method: near 0 on erf, and towards the ends on the logarithm of
// erfc, which is nearly a parabola.

/// The x of erfc(x) = \p a, for a up to a half.
inline double end_of_erfc(double a) {
  const double goal = std::log(a);
  double x = std::sqrt(-goal);
  for (int step = 0; step < 8; ++step) {
    const double rest = std::erfc(x);
    if (rest == 0) // beyond the smallest number
      return x;
    const double slope = -1.12837916709551257390 * std::exp(-x * x) / rest;
    x -= (std::log(rest) - goal) / slope;
  }
  return x;
}
/// The x of erf(x) = \p a.
inline double inverse_erf(double a) {
  const double size = std::fabs(a);
  if (!(size < 1))
    return size == 1 ? a * std::numeric_limits<double>::infinity()
                     : std::numeric_limits<double>::quiet_NaN();
  if (size > 0.5)
    return std::copysign(end_of_erfc(1 - size), a);
  double x = a * 0.88622692545275801365;
  for (int step = 0; step < 5; ++step)
    x -= (std::erf(x) - a) * 0.88622692545275801365 * std::exp(x * x);
  return x;
}
/// The x of erfc(x) = \p a.
inline double inverse_erfc(double a) {
  if (a > 0 && a < 0.5)
    return end_of_erfc(a);
  if (a > 1.5 && a < 2)
    return -end_of_erfc(2 - a);
  return inverse_erf(1 - a);
}
} // namespace xcc::cuda::detail

#define XCC_CUDA_FUNCTIONS(type, suffix)                                       \
  inline type fdivide##suffix(type a, type b) { return a / b; }                \
  inline type norm3d##suffix(type a, type b, type c) {                         \
    return std::hypot(std::hypot(a, b), c);                                    \
  }                                                                            \
  inline type norm4d##suffix(type a, type b, type c, type d) {                 \
    return std::hypot(std::hypot(a, b), std::hypot(c, d));                     \
  }                                                                            \
  inline type rnorm3d##suffix(type a, type b, type c) {                        \
    return 1 / norm3d##suffix(a, b, c);                                        \
  }                                                                            \
  inline type rnorm4d##suffix(type a, type b, type c, type d) {                \
    return 1 / norm4d##suffix(a, b, c, d);                                     \
  }                                                                            \
  inline type norm##suffix(int count, const type *of) {                        \
    type length = 0;                                                           \
    for (int at = 0; at < count; ++at)                                         \
      length = std::hypot(length, of[at]);                                     \
    return length;                                                             \
  }                                                                            \
  inline type rnorm##suffix(int count, const type *of) {                       \
    return 1 / norm##suffix(count, of);                                        \
  }                                                                            \
  inline type rhypot##suffix(type a, type b) { return 1 / std::hypot(a, b); }  \
  inline type rcbrt##suffix(type a) { return 1 / std::cbrt(a); }               \
  inline type normcdf##suffix(type a) {                                        \
    return std::erfc(-a * type(0.70710678118654752440)) / 2;                   \
  }                                                                            \
  /* Exact at multiples of a half. */                                          \
  inline type cospi##suffix(type a) {                                          \
    const type turn = std::fmod(std::fabs(a), type(2));                        \
    const type half = turn > 1 ? 2 - turn : turn;                              \
    return std::sin((type(0.5) - half) * type(3.14159265358979323846));        \
  }                                                                            \
  inline type sinpi##suffix(type a) {                                          \
    const type size = std::fmod(std::fabs(a), type(2));                        \
    const type near = size <= type(0.5)   ? size                               \
                      : size <= type(1.5) ? 1 - size                           \
                                          : size - 2;                          \
    return std::copysign(type(1), a) *                                         \
           std::sin(near * type(3.14159265358979323846));                      \
  }                                                                            \
  inline void sincospi##suffix(type a, type *sine, type *cosine) {             \
    *sine = sinpi##suffix(a);                                                  \
    *cosine = cospi##suffix(a);                                                \
  }                                                                            \
  inline type erfinv##suffix(type a) {                                         \
    return type(xcc::cuda::detail::inverse_erf(double(a)));                    \
  }                                                                            \
  inline type erfcinv##suffix(type a) {                                        \
    return type(xcc::cuda::detail::inverse_erfc(double(a)));                   \
  }                                                                            \
  inline type normcdfinv##suffix(type a) {                                     \
    return type(-1.41421356237309504880 *                                      \
                xcc::cuda::detail::inverse_erfc(2 * double(a)));               \
  }
XCC_CUDA_FUNCTIONS(float, f)
XCC_CUDA_FUNCTIONS(double, )
#undef XCC_CUDA_FUNCTIONS

/// exp(a * a) * erfc(a), without an overflow in between.
inline double erfcx(double a) {
  if (a < 0)
    return 2 * std::exp(a * a) - erfcx(-a);
  if (a < 10) {
    const double high = a * a, low = std::fma(a, a, -high);
    return std::exp(high) * (1 + low) * std::erfc(a);
  }
  // The asymptotic series: here its terms shrink below the last digit.
  double sum = 1, term = 1;
  for (int at = 1; at < 12; ++at)
    sum += term *= -(2 * at - 1) / (2 * a * a);
  return sum / (a * 1.77245385090551602730);
}
inline float erfcxf(float a) { return float(erfcx(double(a))); }

namespace xcc::cuda::detail {
/// The modified Bessel function of the first kind, of order 0 or 1: the power
/// series, whose terms all have one sign, and for large arguments the asymptotic
/// one (Abramowitz and Stegun, 9.6.10 and 9.7.1).
inline double bessel_i(int order, double of) {
  const double a = std::fabs(of), sign = order && of < 0 ? -1 : 1;
  if (a < 30) {
    const double square = a * a / 4;
    double term = order ? a / 2 : 1, sum = term;
    for (int at = 1; term > sum * 1e-17; ++at)
      sum += term *= square / (double(at) * (at + order));
    return sign * sum;
  }
  if (a > 1500)
    return sign * HUGE_VAL;
  double term = 1, sum = 1;
  for (int at = 1; at < 25; ++at)
    sum += term *=
        (double(2 * at - 1) * (2 * at - 1) - 4 * order) / (8 * at * a);
  // In two halves, of which none overflows before the result does.
  const double half = std::exp(a / 2);
  return sign * half * (half / std::sqrt(6.28318530717958647693 * a) * sum);
}
} // namespace xcc::cuda::detail
inline double cyl_bessel_i0(double a) {
  return xcc::cuda::detail::bessel_i(0, a);
}
inline double cyl_bessel_i1(double a) {
  return xcc::cuda::detail::bessel_i(1, a);
}
inline float cyl_bessel_i0f(float a) { return float(cyl_bessel_i0(a)); }
inline float cyl_bessel_i1f(float a) { return float(cyl_bessel_i1(a)); }

//===-- Memory ------------------------------------------------------------===//

/// Hints for caches are not passed on.
#define XCC_CUDA_LOAD(name)                                                    \
  template <class Type> inline Type name(const Type *at) { return *at; }
#define XCC_CUDA_STORE(name)                                                   \
  template <class Type>                                                        \
  inline void name(Type *at, xcc::cuda::detail::same_t<Type> value) {          \
    *at = value;                                                               \
  }
XCC_CUDA_LOAD(__ldca)
XCC_CUDA_LOAD(__ldcg)
XCC_CUDA_LOAD(__ldcs)
XCC_CUDA_LOAD(__ldlu)
XCC_CUDA_STORE(__stwb)
XCC_CUDA_STORE(__stcg)
XCC_CUDA_STORE(__stcs)
XCC_CUDA_STORE(__stwt)
#undef XCC_CUDA_LOAD
#undef XCC_CUDA_STORE
/// Reads memory each time, as of a volatile variable.
template <class Type> inline Type __ldcv(const Type *at) {
  if constexpr (std::is_scalar_v<Type>) {
    return *const_cast<const volatile Type *>(at);
  } else {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    Type value = *at;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return value;
  }
}
/// A thread may always wait for no time at all.
inline void __nanosleep(unsigned) {}

//===-- Atomics with an order and a scope ---------------------------------===//

enum {
  __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};
// The order of a call is stronger where it is not known at compile time. The scope
// is the widest, so it is not read, and a call may leave it out, as in CUDA.
// Macros, so that orders are constants.
#define XCC_CUDA_FIRST_OF(first, ...) first
#define __nv_atomic_thread_fence(...)                                          \
  __atomic_thread_fence(XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_load_n(at, ...)                                            \
  __atomic_load_n(at, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_load(at, to, ...)                                          \
  __atomic_load(at, to, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_store_n(at, value, ...)                                    \
  __atomic_store_n(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_store(at, from, ...)                                       \
  __atomic_store(at, from, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_exchange_n(at, value, ...)                                 \
  __atomic_exchange_n(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_exchange(at, from, to, ...)                                \
  __atomic_exchange(at, from, to, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_compare_exchange_n(at, expected, value, weak, order, ...)  \
  __atomic_compare_exchange_n(at, expected, value, weak, order,                \
                              XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_compare_exchange(at, expected, from, weak, order, ...)     \
  __atomic_compare_exchange(at, expected, from, weak, order,                   \
                            XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_fetch_add(at, value, ...)                                  \
  __atomic_fetch_add(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_fetch_sub(at, value, ...)                                  \
  __atomic_fetch_sub(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_fetch_and(at, value, ...)                                  \
  __atomic_fetch_and(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_fetch_or(at, value, ...)                                   \
  __atomic_fetch_or(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_fetch_xor(at, value, ...)                                  \
  __atomic_fetch_xor(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_fetch_min(at, value, ...)                                  \
  __atomic_fetch_min(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
#define __nv_atomic_fetch_max(at, value, ...)                                  \
  __atomic_fetch_max(at, value, XCC_CUDA_FIRST_OF(__VA_ARGS__, 0))
inline unsigned atomicInc_block(unsigned *at, unsigned last) {
  return atomicInc(at, last);
}
inline unsigned atomicDec_block(unsigned *at, unsigned last) {
  return atomicDec(at, last);
}
inline unsigned atomicInc_system(unsigned *at, unsigned last) {
  return atomicInc(at, last);
}
inline unsigned atomicDec_system(unsigned *at, unsigned last) {
  return atomicDec(at, last);
}

#endif // XCC_CUDA_MORE_NUMBERS_H
