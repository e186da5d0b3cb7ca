// The functions of <math.h> that do not round
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to integers, taking numbers apart and putting them together,
// neighbours, minima and maxima, classification; also sqrt and fma, which GPUs
// round correctly. Where the hardware has an instruction, the builtin of that
// name is used; the other functions work on bits. The results equal the host's
// bit by bit, except for NaNs.
//
// Each function is a template on the type; the C names are at the end of the
// file.

#include "machine.h"

namespace {

template <class T> struct Format;
template <> struct Format<float> {
  using Bits = unsigned;
  static constexpr int Mantissa = 23, MaxExponent = 127;
};
template <> struct Format<double> {
  using Bits = unsigned long;
  static constexpr int Mantissa = 52, MaxExponent = 1023;
};
template <class T> using BitsOf = typename Format<T>::Bits;

template <class T> BitsOf<T> bits(T x) {
  return __builtin_bit_cast(BitsOf<T>, x);
}
template <class T> T number(BitsOf<T> b) { return __builtin_bit_cast(T, b); }

template <class T>
constexpr BitsOf<T> SignBit = BitsOf<T>(1) << (sizeof(T) * 8 - 1);
template <class T>
constexpr BitsOf<T> MantissaBits = (BitsOf<T>(1) << Format<T>::Mantissa) - 1;
template <class T>
constexpr BitsOf<T> InfinityBits = ~SignBit<T> & ~MantissaBits<T>;

template <class T> bool isNan(T x) { return x != x; }
template <class T> bool isFinite(T x) {
  return (bits(x) & InfinityBits<T>) != InfinityBits<T>;
}
template <class T> bool isInf(T x) {
  return (bits(x) & ~SignBit<T>) == InfinityBits<T>;
}
template <class T> bool isNegative(T x) { return bits(x) & SignBit<T>; }

/// 2^n, a normal number.
template <class T> T power2(int n) {
  return number<T>(BitsOf<T>(n + Format<T>::MaxExponent)
                   << Format<T>::Mantissa);
}

/// floor(log2(|x|)) for a finite x that is not 0.
template <class T> int exponent(T x) {
  using F = Format<T>;
  BitsOf<T> b = bits(x) & ~SignBit<T>;
  if (b > MantissaBits<T>)
    return int(b >> F::Mantissa) - F::MaxExponent;
  // A denormal number: the position of its first bit decides.
  int zeros = sizeof(T) == 4 ? __builtin_clz(unsigned(b))
                             : __builtin_clzl((unsigned long)b);
  return int(sizeof(T) * 8) - 1 - zeros - F::MaxExponent - F::Mantissa + 1;
}

template <class T> T ldexpOf(T x, int n) {
  if constexpr (xcc::machine::HasLdexp && sizeof(T) == sizeof(float))
    return __builtin_ldexpf(x, n);
  if constexpr (xcc::machine::HasLdexp)
    return __builtin_ldexp(x, n);
  using F = Format<T>;
  constexpr int minExponent = 1 - F::MaxExponent;
  // At most two steps of the largest size. Only the last step rounds: a step
  // down is small enough to keep all bits.
  constexpr int down = minExponent + F::Mantissa + 1;
  for (int step = 0; step < 2 && n > F::MaxExponent; ++step) {
    x *= power2<T>(F::MaxExponent);
    n -= F::MaxExponent;
  }
  for (int step = 0; step < 2 && n < minExponent; ++step) {
    x *= power2<T>(down);
    n -= down;
  }
  n = n > F::MaxExponent ? F::MaxExponent : n < minExponent ? minExponent : n;
  return x * power2<T>(n);
}

template <class T> T frexpOf(T x, int *result) {
  *result = 0;
  if (x == 0 || !isFinite(x))
    return x;
  int e = exponent(x);
  *result = e + 1;
  // x / 2^e in two steps, because 2^-e may be no normal number.
  int half = -e / 2;
  T m = x * power2<T>(half) * power2<T>(-e - half);
  return m * T(0.5);
}

constexpr int intMax = __INT_MAX__, intMin = -__INT_MAX__ - 1;

template <class T> int ilogbOf(T x) {
  if (x == 0 || isNan(x))
    return intMin; // FP_ILOGB0 and FP_ILOGBNAN of x86's headers
  return isFinite(x) ? exponent(x) : intMax;
}
template <class T> T logbOf(T x) {
  if (x == 0)
    return number<T>(InfinityBits<T> | SignBit<T>);
  if (!isFinite(x))
    return x * x;
  return T(exponent(x));
}

template <class T> T truncOf(T x);
template <> float truncOf(float x) { return __builtin_truncf(x); }
template <> double truncOf(double x) { return __builtin_trunc(x); }

template <class T> T withSign(T x, T sign) {
  return number<T>((bits(x) & ~SignBit<T>) | (bits(sign) & SignBit<T>));
}

template <class T> T modfOf(T x, T *whole) {
  T w = truncOf(x);
  *whole = w;
  return withSign(isInf(x) ? T(0) : x - w, x);
}

/// The neighbour of x, which is not a NaN, towards +infinity or -infinity.
template <class T> T next(T x, bool up) {
  if (x == 0)
    return number<T>(up ? 1 : SignBit<T> | 1);
  BitsOf<T> b = bits(x);
  return number<T>(isNegative(x) == up ? b - 1 : b + 1);
}
template <class T> T nextafterOf(T x, T y) {
  if (isNan(x) || isNan(y))
    return x + y;
  return x == y ? y : next(x, y > x);
}
template <class T> T nextupOf(T x) {
  return isNan(x) || bits(x) == InfinityBits<T> ? x : next(x, true);
}
template <class T> T nextdownOf(T x) {
  return isNan(x) || bits(x) == (InfinityBits<T> | SignBit<T>) ? x
                                                               : next(x, false);
}

template <class T> T fdimOf(T x, T y) { return x <= y ? T(0) : x - y; }

template <class T> int fpclassifyOf(T x) {
  BitsOf<T> b = bits(x) & ~SignBit<T>;
  // FP_NAN ... FP_NORMAL of glibc
  return b > InfinityBits<T>    ? 0
         : b == InfinityBits<T> ? 1
         : b == 0               ? 2
         : b <= MantissaBits<T> ? 3
                                : 4;
}

/// Limits n to an int for ldexp, without changing the result.
int clamp(long n) { return n > 65536 ? 65536 : n < -65536 ? -65536 : int(n); }

} // namespace

// Each line defines a function for float, double and long double.
#define XCC_FOR_EACH_TYPE(macro)                                               \
  macro(float, float, f) macro(double, double, ) macro(long double, double, l)

// These call Clang's builtins of the same names.
#define XCC_BUILTINS_1(T, D, s)                                                \
  T ceil##s(T x) { return __builtin_elementwise_ceil(D(x)); }                  \
  T fabs##s(T x) { return __builtin_elementwise_abs(D(x)); }                   \
  T floor##s(T x) { return __builtin_elementwise_floor(D(x)); }                \
  T nearbyint##s(T x) { return __builtin_elementwise_nearbyint(D(x)); }        \
  T rint##s(T x) { return __builtin_elementwise_rint(D(x)); }                  \
  T round##s(T x) { return __builtin_elementwise_round(D(x)); }                \
  T roundeven##s(T x) { return __builtin_elementwise_roundeven(D(x)); }        \
  T sqrt##s(T x) { return __builtin_elementwise_sqrt(D(x)); }                  \
  T trunc##s(T x) { return __builtin_elementwise_trunc(D(x)); }                \
  long lround##s(T x) { return long(__builtin_elementwise_round(D(x))); }      \
  long lrint##s(T x) { return long(__builtin_elementwise_rint(D(x))); }        \
  long long llround##s(T x) {                                                  \
    return long(__builtin_elementwise_round(D(x)));                            \
  }                                                                            \
  long long llrint##s(T x) { return long(__builtin_elementwise_rint(D(x))); }

#define XCC_BUILTINS_2(T, D, s)                                                \
  T copysign##s(T x, T y) { return withSign(D(x), D(y)); }                     \
  T fma##s(T x, T y, T z) {                                                    \
    return __builtin_elementwise_fma(D(x), D(y), D(z));                        \
  }                                                                            \
  T fmax##s(T x, T y) { return __builtin_elementwise_maxnum(D(x), D(y)); }     \
  T fmin##s(T x, T y) { return __builtin_elementwise_minnum(D(x), D(y)); }     \
  T fmaximum##s(T x, T y) {                                                    \
    return __builtin_elementwise_maximum(D(x), D(y));                          \
  }                                                                            \
  T fminimum##s(T x, T y) {                                                    \
    return __builtin_elementwise_minimum(D(x), D(y));                          \
  }                                                                            \
  T fmaximum_num##s(T x, T y) {                                                \
    return __builtin_elementwise_maximumnum(D(x), D(y));                       \
  }                                                                            \
  T fminimum_num##s(T x, T y) {                                                \
    return __builtin_elementwise_minimumnum(D(x), D(y));                       \
  }

#define XCC_BIT_FUNCTIONS(T, D, s)                                             \
  T fdim##s(T x, T y) { return fdimOf(D(x), D(y)); }                           \
  T frexp##s(T x, int *e) { return frexpOf(D(x), e); }                         \
  T ldexp##s(T x, int n) { return ldexpOf(D(x), n); }                          \
  T scalbn##s(T x, int n) { return ldexpOf(D(x), n); }                         \
  T scalbln##s(T x, long n) { return ldexpOf(D(x), clamp(n)); }                \
  int ilogb##s(T x) { return ilogbOf(D(x)); }                                  \
  long llogb##s(T x) {                                                         \
    int e = ilogbOf(D(x));                                                     \
    return e == intMin ? -__LONG_MAX__ - 1 : e == intMax ? __LONG_MAX__ : e;   \
  }                                                                            \
  T logb##s(T x) { return logbOf(D(x)); }                                      \
  T nextafter##s(T x, T y) { return nextafterOf(D(x), D(y)); }                 \
  T nextup##s(T x) { return nextupOf(D(x)); }                                  \
  T nextdown##s(T x) { return nextdownOf(D(x)); }                              \
  T nan##s(const char *) { return D(__builtin_nan("")); }                      \
  int __fpclassify##s(T x) { return fpclassifyOf(D(x)); }                      \
  int __finite##s(T x) { return isFinite(D(x)); }                              \
  int __isinf##s(T x) { return isInf(D(x)); }                                  \
  int __isnan##s(T x) { return isNan(D(x)); }                                  \
  int __signbit##s(T x) { return isNegative(D(x)); }

extern "C" {
XCC_FOR_EACH_TYPE(XCC_BUILTINS_1)
XCC_FOR_EACH_TYPE(XCC_BUILTINS_2)
XCC_FOR_EACH_TYPE(XCC_BIT_FUNCTIONS)

float modff(float x, float *whole) { return modfOf(x, whole); }
double modf(double x, double *whole) { return modfOf(x, whole); }
long double modfl(long double x, long double *whole) {
  double w, part = modfOf(double(x), &w);
  *whole = w;
  return part;
}
float nexttowardf(float x, long double y) {
  if (isNan(x) || isNan(double(y)))
    return x + float(y);
  return double(x) == double(y) ? float(y) : next(x, double(y) > double(x));
}
double nexttoward(double x, long double y) { return nextafterOf(x, double(y)); }
long double nexttowardl(long double x, long double y) {
  return nextafterOf(double(x), double(y));
}
}
