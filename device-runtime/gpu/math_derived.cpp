// <math.h> functions computed from other functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that libdevice and libclc lack, or that only one of them has,
// computed from functions that both have: old names of the C library, C23's
// functions of multiples of pi, and integer powers.

namespace {

/// The sign of the gamma function, which changes at every integer below 0.
template <class T> int gammaSign(T x) {
  if (!(x < 0))
    return __builtin_signbit(x) ? -1 : 1;
  T whole = __builtin_elementwise_floor(x), half = whole * T(0.5);
  return __builtin_elementwise_floor(half) == half ? 1 : -1;
}

/// x to the n-th power by squaring. The relative error is about |n| / 2 units
/// in the last place.
template <class T> T power(T x, int n) {
  T result = 1;
  for (unsigned m = n < 0 ? 0u - unsigned(n) : unsigned(n); m; m >>= 1) {
    if (m & 1)
      result *= x;
    x *= x;
  }
  return n < 0 ? 1 / result : result;
}

constexpr double onePi = 0.31830988618379067154; // 1 / pi

} // namespace

// The C++ names differ from C's, because Clang would take the calls for its
// builtins, which the GPU back ends cannot generate.
#define XCC_LIBRARY(T, name, s, ...)                                           \
  T lib_##name##s(__VA_ARGS__) __asm__(#name #s)

#define XCC_DERIVED(T, D, s)                                                   \
  XCC_LIBRARY(T, acos, s, T);                                                  \
  XCC_LIBRARY(T, asin, s, T);                                                  \
  XCC_LIBRARY(T, atan, s, T);                                                  \
  XCC_LIBRARY(T, atan2, s, T, T);                                              \
  XCC_LIBRARY(T, cospi, s, T);                                                 \
  XCC_LIBRARY(T, lgamma, s, T);                                                \
  XCC_LIBRARY(T, remainder, s, T, T);                                          \
  XCC_LIBRARY(T, sinpi, s, T);                                                 \
  T acospi##s(T x) { return lib_acos##s(x) * D(onePi); }                       \
  T asinpi##s(T x) { return lib_asin##s(x) * D(onePi); }                       \
  T atanpi##s(T x) { return lib_atan##s(x) * D(onePi); }                       \
  T atan2pi##s(T y, T x) { return lib_atan2##s(y, x) * D(onePi); }             \
  T tanpi##s(T x) { return lib_sinpi##s(x) / lib_cospi##s(x); }                \
  T drem##s(T x, T y) { return lib_remainder##s(x, y); }                       \
  T gamma##s(T x) { return lib_lgamma##s(x); }                                 \
  T lgamma##s##_r(T x, int *sign) {                                            \
    *sign = gammaSign(D(x));                                                   \
    return lib_lgamma##s(x);                                                   \
  }

extern "C" {
XCC_DERIVED(float, float, f)
XCC_DERIVED(double, double, )
XCC_DERIVED(long double, double, l)

// Clang calls these for __builtin_powi on targets without their own version.
float __powisf2(float x, int n) { return power(x, n); }
double __powidf2(double x, int n) { return power(x, n); }
}
