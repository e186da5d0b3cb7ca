// The names of cuda_fp16.h and cuda_bf16.h: __half, __half2, __nv_bfloat16
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     #include <xcc/cuda/half.h>                // for <cuda_fp16.h>
//     __global__ void axpy(__half2 a, const __half2 *x, __half2 *y) {
//       y[threadIdx.x] = __hfma2(a, x[threadIdx.x], y[threadIdx.x]);
//     }
//
// Unlike CUDA's headers, it has all operators and conversions whatever macros
// are defined (CUDA_NO_HALF is ignored), and the functions work in host code.

#ifndef XCC_CUDA_HALF_H
#define XCC_CUDA_HALF_H

#include <xcc/cuda/atomics.h>
#include <xcc/cuda/numbers.h>
#include <xcc/cuda/vectors.h>
#include <xcc/half.h>

using __half = xcc::half;
using half = xcc::half;
using __nv_bfloat16 = xcc::bfloat16;
using nv_bfloat16 = xcc::bfloat16;

namespace xcc::cuda::detail {
/// The neighbour of a finite number, or of an infinity that is left.
template <class Short> inline Short next(Short number, bool up) {
  const unsigned bits = number.bits();
  if ((bits & 0x7fff) == 0)
    return Short::from_bits(up ? 0x0001 : 0x8001);
  return Short::from_bits(static_cast<std::uint16_t>(
      up == ((bits & 0x8000) == 0) ? bits + 1 : bits - 1));
}
/// The least number that is not below value, which a double has exactly.
template <class Short> inline Short rounded_up(double value) {
  const Short near = value;
  return double(float(near)) < value ? next(near, true) : near;
}
template <class Short> inline Short rounded_down(double value) {
  const Short near = value;
  return double(float(near)) > value ? next(near, false) : near;
}
template <class Short> inline Short rounded_to_zero(double value) {
  return value < 0 ? rounded_up<Short>(value) : rounded_down<Short>(value);
}

/// Two numbers of 16 bits in a word: the first is the lower half.
template <class Short> struct alignas(4) pair {
  Short x, y;

  pair() = default;
  constexpr pair(Short x_, Short y_) : x(x_), y(y_) {}
};

#define XCC_CUDA_PAIR_OPERATOR(op)                                             \
  template <class Short>                                                       \
  inline pair<Short> operator op(pair<Short> a, pair<Short> b) {               \
    return {a.x op b.x, a.y op b.y};                                           \
  }                                                                            \
  template <class Short>                                                       \
  inline pair<Short> &operator op## = (pair<Short> & a, pair<Short> b) {       \
    return a = a op b;                                                         \
  }
XCC_CUDA_PAIR_OPERATOR(+)
XCC_CUDA_PAIR_OPERATOR(-)
XCC_CUDA_PAIR_OPERATOR(*)
XCC_CUDA_PAIR_OPERATOR(/)
#undef XCC_CUDA_PAIR_OPERATOR
template <class Short> inline pair<Short> operator-(pair<Short> a) {
  return {-a.x, -a.y};
}
template <class Short> inline bool operator==(pair<Short> a, pair<Short> b) {
  return a.x == b.x && a.y == b.y;
}
template <class Short> inline bool operator!=(pair<Short> a, pair<Short> b) {
  return !(a == b);
}

/// Between 0 and 1; 0 for NaN.
template <class Short> inline Short saturated_short(Short value) {
  return value > 0 ? (value < 1 ? value : Short(1)) : Short(0);
}
template <class Short> inline Short rectified(Short value) {
  return value < 0 ? Short(0) : value;
}
} // namespace xcc::cuda::detail

using __half2 = xcc::cuda::detail::pair<__half>;
using half2 = __half2;
using __nv_bfloat162 = xcc::cuda::detail::pair<__nv_bfloat16>;
using nv_bfloat162 = __nv_bfloat162;

/// The bits of a __half.
struct __half_raw {
  unsigned short x;
  __half_raw() = default;
  __half_raw(__half value) : x(value.bits()) {}
  operator __half() const { return __half::from_bits(x); }
};
struct __half2_raw {
  unsigned short x, y;
  __half2_raw() = default;
  __half2_raw(unsigned short x_, unsigned short y_) : x(x_), y(y_) {}
  __half2_raw(__half2 pair) : x(pair.x.bits()), y(pair.y.bits()) {}
  operator __half2() const {
    return {__half::from_bits(x), __half::from_bits(y)};
  }
};
/// The bits of a __nv_bfloat16.
struct __nv_bfloat16_raw {
  unsigned short x;
  __nv_bfloat16_raw() = default;
  __nv_bfloat16_raw(__nv_bfloat16 value) : x(value.bits()) {}
  operator __nv_bfloat16() const { return __nv_bfloat16::from_bits(x); }
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
  __nv_bfloat162_raw() = default;
  __nv_bfloat162_raw(__nv_bfloat162 pair)
      : x(pair.x.bits()), y(pair.y.bits()) {}
  operator __nv_bfloat162() const {
    return {__nv_bfloat16::from_bits(x), __nv_bfloat16::from_bits(y)};
  }
};

// Conversions.

#define XCC_CUDA_SHORT_FROM(name, from, type)                                  \
  inline type name##_rn(from value) { return value; }                          \
  inline type name##_rz(from value) {                                          \
    return xcc::cuda::detail::rounded_to_zero<type>(double(value));            \
  }                                                                            \
  inline type name##_rd(from value) {                                          \
    return xcc::cuda::detail::rounded_down<type>(double(value));               \
  }                                                                            \
  inline type name##_ru(from value) {                                          \
    return xcc::cuda::detail::rounded_up<type>(double(value));                 \
  }
#define XCC_CUDA_SHORT_TO(name, type, to)                                      \
  inline to name##_rn(type value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::nearbyint(float(value)));     \
  }                                                                            \
  inline to name##_rz(type value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::trunc(float(value)));         \
  }                                                                            \
  inline to name##_rd(type value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::floor(float(value)));         \
  }                                                                            \
  inline to name##_ru(type value) {                                            \
    return xcc::cuda::detail::saturated<to>(std::ceil(float(value)));          \
  }
namespace xcc::cuda::detail {
/// A number that rounds to 16 bits as the integer does: double has no room for
/// all bits of large ones, and the last ones only say that there are more.
inline double with_sticky_bit(unsigned long long value) {
  if (value >> 53)
    value = (value & ~0xfffull) | (value & 0xfff ? 0x1000 : 0);
  return double(value);
}
inline double with_sticky_bit(long long value) {
  const double size =
      with_sticky_bit(value < 0 ? 0 - static_cast<unsigned long long>(value)
                                : static_cast<unsigned long long>(value));
  return value < 0 ? -size : size;
}
} // namespace xcc::cuda::detail
#define XCC_CUDA_SHORT_FROM_WIDE(suffix, way, kind, type)                      \
  inline type __ll2##kind##suffix(long long value) {                           \
    return xcc::cuda::detail::rounded_##way<type>(                             \
        xcc::cuda::detail::with_sticky_bit(value));                            \
  }                                                                            \
  inline type __ull2##kind##suffix(unsigned long long value) {                 \
    return xcc::cuda::detail::rounded_##way<type>(                             \
        xcc::cuda::detail::with_sticky_bit(value));                            \
  }
#define XCC_CUDA_SHORT_CONVERSIONS(kind, type)                                 \
  XCC_CUDA_SHORT_FROM(__float2##kind, float, type)                             \
  XCC_CUDA_SHORT_FROM(__int2##kind, int, type)                                 \
  XCC_CUDA_SHORT_FROM(__uint2##kind, unsigned, type)                           \
  XCC_CUDA_SHORT_FROM(__short2##kind, short, type)                             \
  XCC_CUDA_SHORT_FROM(__ushort2##kind, unsigned short, type)                   \
  XCC_CUDA_SHORT_TO(__##kind##2int, type, int)                                 \
  XCC_CUDA_SHORT_TO(__##kind##2uint, type, unsigned)                           \
  XCC_CUDA_SHORT_TO(__##kind##2short, type, short)                             \
  XCC_CUDA_SHORT_TO(__##kind##2ushort, type, unsigned short)                   \
  XCC_CUDA_SHORT_TO(__##kind##2ll, type, long long)                            \
  XCC_CUDA_SHORT_TO(__##kind##2ull, type, unsigned long long)                  \
  inline signed char __##kind##2char_rz(type value) {                          \
    return xcc::cuda::detail::saturated<signed char>(                          \
        std::trunc(float(value)));                                             \
  }                                                                            \
  inline unsigned char __##kind##2uchar_rz(type value) {                       \
    return xcc::cuda::detail::saturated<unsigned char>(                        \
        std::trunc(float(value)));                                             \
  }                                                                            \
  inline type __ll2##kind##_rn(long long value) { return value; }              \
  inline type __ull2##kind##_rn(unsigned long long value) { return value; }    \
  XCC_CUDA_SHORT_FROM_WIDE(_rz, to_zero, kind, type)                           \
  XCC_CUDA_SHORT_FROM_WIDE(_rd, down, kind, type)                              \
  XCC_CUDA_SHORT_FROM_WIDE(_ru, up, kind, type)                                \
  inline type __float2##kind(float value) { return value; }                    \
  inline type __double2##kind(double value) { return value; }                  \
  inline float __##kind##2float(type value) { return value; }                  \
  inline unsigned short __##kind##_as_ushort(type value) {                     \
    return value.bits();                                                       \
  }                                                                            \
  inline short __##kind##_as_short(type value) {                               \
    return static_cast<short>(value.bits());                                   \
  }                                                                            \
  inline type __ushort_as_##kind(unsigned short bits) {                        \
    return type::from_bits(bits);                                              \
  }                                                                            \
  inline type __short_as_##kind(short bits) {                                  \
    return type::from_bits(static_cast<unsigned short>(bits));                 \
  }
XCC_CUDA_SHORT_CONVERSIONS(half, __half)
XCC_CUDA_SHORT_CONVERSIONS(bfloat16, __nv_bfloat16)
#undef XCC_CUDA_SHORT_CONVERSIONS
#undef XCC_CUDA_SHORT_FROM_WIDE
#undef XCC_CUDA_SHORT_TO
#undef XCC_CUDA_SHORT_FROM

// Pairs: what they are made of, and their parts.

#define XCC_CUDA_PAIRS(kind, pairs, type, two)                                 \
  inline two make_##pairs(type x, type y) { return {x, y}; }                   \
  inline two __##kind##2##pairs(type both) { return {both, both}; }            \
  inline two __halves2##pairs(type x, type y) { return {x, y}; }               \
  inline two __float2##pairs##_rn(float both) { return {both, both}; }         \
  inline two __floats2##pairs##_rn(float x, float y) { return {x, y}; }        \
  inline two __float22##pairs##_rn(float2 of) { return {of.x, of.y}; }         \
  inline float2 __##pairs##2float2(two of) { return make_float2(of.x, of.y); } \
  inline type __low2##kind(two of) { return of.x; }                            \
  inline type __high2##kind(two of) { return of.y; }                           \
  inline two __low2##pairs(two of) { return {of.x, of.x}; }                    \
  inline two __high2##pairs(two of) { return {of.y, of.y}; }                   \
  inline two __lows2##pairs(two a, two b) { return {a.x, b.x}; }               \
  inline two __highs2##pairs(two a, two b) { return {a.y, b.y}; }              \
  inline two __lowhigh2highlow(two of) { return {of.y, of.x}; }                \
  inline float __low2float(two of) { return of.x; }                            \
  inline float __high2float(two of) { return of.y; }
XCC_CUDA_PAIRS(half, half2, __half, __half2)
XCC_CUDA_PAIRS(bfloat16, bfloat162, __nv_bfloat16, __nv_bfloat162)
#undef XCC_CUDA_PAIRS

// Arithmetic. Each name is for a number, and with a 2 for a pair.

#define XCC_CUDA_SHORT_OPERATION(name, pairs, type, two, expression)           \
  inline type name(type a, type b) { return expression; }                      \
  inline two pairs(two a, two b) { return {name(a.x, b.x), name(a.y, b.y)}; }
#define XCC_CUDA_SHORT_FMA(name, pairs, type, two, expression)                 \
  inline type name(type a, type b, type c) { return expression; }              \
  inline two pairs(two a, two b, two c) {                                      \
    return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};                         \
  }
#define XCC_CUDA_SHORT_MASKS(name, two)                                        \
  inline unsigned __h##name##2_mask(two a, two b) {                            \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) |                               \
           (__h##name(a.y, b.y) ? 0xffff0000u : 0);                            \
  }                                                                            \
  inline unsigned __h##name##u2_mask(two a, two b) {                           \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0) |                            \
           (__h##name##u(a.y, b.y) ? 0xffff0000u : 0);                         \
  }
#define XCC_CUDA_SHORT_COMPARISON(name, op, type, two)                         \
  inline bool __h##name(type a, type b) { return a op b; }                     \
  inline bool __h##name##u(type a, type b) {                                   \
    return a op b || a != a || b != b;                                         \
  }                                                                            \
  inline two __h##name##2(two a, two b) {                                      \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                         \
  }                                                                            \
  inline two __h##name##u2(two a, two b) {                                     \
    return {__h##name##u(a.x, b.x), __h##name##u(a.y, b.y)};                   \
  }                                                                            \
  inline bool __hb##name##2(two a, two b) {                                    \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                         \
  }                                                                            \
  inline bool __hb##name##u2(two a, two b) {                                   \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                   \
  }                                                                            \
  XCC_CUDA_SHORT_MASKS(name, two)
// Those with _rn are not contracted: __fadd_rn is not.
#define XCC_CUDA_SHORT_ARITHMETIC(type, two)                                   \
  XCC_CUDA_SHORT_OPERATION(__hadd, __hadd2, type, two, a + b)                  \
  XCC_CUDA_SHORT_OPERATION(__hsub, __hsub2, type, two, a - b)                  \
  XCC_CUDA_SHORT_OPERATION(__hmul, __hmul2, type, two, a *b)                   \
  XCC_CUDA_SHORT_OPERATION(__hdiv, __h2div, type, two, a / b)                  \
  XCC_CUDA_SHORT_OPERATION(__hadd_rn, __hadd2_rn, type, two, __fadd_rn(a, b))  \
  XCC_CUDA_SHORT_OPERATION(__hsub_rn, __hsub2_rn, type, two, __fsub_rn(a, b))  \
  XCC_CUDA_SHORT_OPERATION(__hmul_rn, __hmul2_rn, type, two, __fmul_rn(a, b))  \
  XCC_CUDA_SHORT_OPERATION(__hadd_sat, __hadd2_sat, type, two,                 \
                           xcc::cuda::detail::saturated_short(a + b))          \
  XCC_CUDA_SHORT_OPERATION(__hsub_sat, __hsub2_sat, type, two,                 \
                           xcc::cuda::detail::saturated_short(a - b))          \
  XCC_CUDA_SHORT_OPERATION(__hmul_sat, __hmul2_sat, type, two,                 \
                           xcc::cuda::detail::saturated_short(a *b))           \
  XCC_CUDA_SHORT_OPERATION(__hmax, __hmax2, type, two, fmax(a, b))             \
  XCC_CUDA_SHORT_OPERATION(__hmin, __hmin2, type, two, fmin(a, b))             \
  XCC_CUDA_SHORT_OPERATION(__hmax_nan, __hmax2_nan, type, two,                 \
                           a != a   ? a                                        \
                           : b != b ? b                                        \
                                    : fmax(a, b))                              \
  XCC_CUDA_SHORT_OPERATION(__hmin_nan, __hmin2_nan, type, two,                 \
                           a != a   ? a                                        \
                           : b != b ? b                                        \
                                    : fmin(a, b))                              \
  XCC_CUDA_SHORT_FMA(__hfma, __hfma2, type, two, fma(a, b, c))                 \
  XCC_CUDA_SHORT_FMA(__hfma_sat, __hfma2_sat, type, two,                       \
                     xcc::cuda::detail::saturated_short(fma(a, b, c)))         \
  XCC_CUDA_SHORT_FMA(__hfma_relu, __hfma2_relu, type, two,                     \
                     xcc::cuda::detail::rectified(fma(a, b, c)))               \
  inline type __hneg(type a) { return -a; }                                    \
  inline two __hneg2(two a) { return {-a.x, -a.y}; }                           \
  inline type __habs(type a) { return abs(a); }                                \
  inline two __habs2(two a) { return {abs(a.x), abs(a.y)}; }                   \
  inline bool __hisnan(type a) { return a != a; }                              \
  inline two __hisnan2(two a) { return {a.x != a.x, a.y != a.y}; }             \
  inline int __hisinf(type a) { return !isinf(a) ? 0 : signbit(a) ? -1 : 1; }  \
  XCC_CUDA_SHORT_COMPARISON(eq, ==, type, two)                                 \
  XCC_CUDA_SHORT_COMPARISON(lt, <, type, two)                                  \
  XCC_CUDA_SHORT_COMPARISON(le, <=, type, two)                                 \
  XCC_CUDA_SHORT_COMPARISON(gt, >, type, two)                                  \
  XCC_CUDA_SHORT_COMPARISON(ge, >=, type, two)                                 \
  inline bool __hne(type a, type b) { return a < b || a > b; }                 \
  inline bool __hneu(type a, type b) { return a != b; }                        \
  inline two __hne2(two a, two b) {                                            \
    return {__hne(a.x, b.x), __hne(a.y, b.y)};                                 \
  }                                                                            \
  inline bool __hbne2(two a, two b) {                                          \
    return __hne(a.x, b.x) && __hne(a.y, b.y);                                 \
  }                                                                            \
  inline two __hneu2(two a, two b) { return {a.x != b.x, a.y != b.y}; }        \
  inline bool __hbneu2(two a, two b) { return a.x != b.x && a.y != b.y; }      \
  XCC_CUDA_SHORT_MASKS(ne, two)                                                \
  /* Complex numbers: a * b + c. */                                            \
  inline two __hcmadd(two a, two b, two c) {                                   \
    return {fma(-a.y, b.y, fma(a.x, b.x, c.x)),                                \
            fma(a.y, b.x, fma(a.x, b.y, c.y))};                                \
  }                                                                            \
  inline type atomicAdd(type *at, type value) {                                \
    return xcc::cuda::detail::update_any(                                      \
        at, [=](type old) { return old + value; });                            \
  }                                                                            \
  inline two atomicAdd(two *at, two value) {                                   \
    return xcc::cuda::detail::update(at,                                       \
                                     [=](two old) { return old + value; });    \
  }

XCC_CUDA_SHORT_ARITHMETIC(__half, __half2)
XCC_CUDA_SHORT_ARITHMETIC(__nv_bfloat16, __nv_bfloat162)
#undef XCC_CUDA_SHORT_ARITHMETIC
#undef XCC_CUDA_SHORT_COMPARISON
#undef XCC_CUDA_SHORT_MASKS
#undef XCC_CUDA_SHORT_FMA
#undef XCC_CUDA_SHORT_OPERATION

#define XCC_CUDA_SHORT_FUNCTION(name, type, two, expression)                   \
  inline type h##name(type a) { return expression; }                           \
  inline two h2##name(two a) { return {h##name(a.x), h##name(a.y)}; }
#define XCC_CUDA_SHORT_FUNCTIONS(type, two)                                    \
  XCC_CUDA_SHORT_FUNCTION(sqrt, type, two, sqrt(a))                            \
  XCC_CUDA_SHORT_FUNCTION(rsqrt, type, two, xcc::rsqrt(float(a)))              \
  XCC_CUDA_SHORT_FUNCTION(rcp, type, two, 1 / float(a))                        \
  XCC_CUDA_SHORT_FUNCTION(exp, type, two, exp(a))                              \
  XCC_CUDA_SHORT_FUNCTION(exp2, type, two, exp2(a))                            \
  XCC_CUDA_SHORT_FUNCTION(exp10, type, two, std::pow(10.0f, float(a)))         \
  XCC_CUDA_SHORT_FUNCTION(log, type, two, log(a))                              \
  XCC_CUDA_SHORT_FUNCTION(log2, type, two, log2(a))                            \
  XCC_CUDA_SHORT_FUNCTION(log10, type, two, log10(a))                          \
  XCC_CUDA_SHORT_FUNCTION(sin, type, two, sin(a))                              \
  XCC_CUDA_SHORT_FUNCTION(cos, type, two, cos(a))                              \
  XCC_CUDA_SHORT_FUNCTION(tanh, type, two, tanh(a))                            \
  inline type htanh_approx(type a) { return htanh(a); }                        \
  inline two h2tanh_approx(two a) { return h2tanh(a); }                        \
  XCC_CUDA_SHORT_FUNCTION(floor, type, two, floor(a))                          \
  XCC_CUDA_SHORT_FUNCTION(ceil, type, two, ceil(a))                            \
  XCC_CUDA_SHORT_FUNCTION(trunc, type, two, trunc(a))                          \
  XCC_CUDA_SHORT_FUNCTION(rint, type, two, rint(a))
XCC_CUDA_SHORT_FUNCTIONS(__half, __half2)
XCC_CUDA_SHORT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
#undef XCC_CUDA_SHORT_FUNCTIONS
#undef XCC_CUDA_SHORT_FUNCTION

#endif // XCC_CUDA_HALF_H
