// <math.h> on LLVM's libclc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code calls the host's names (sinf). libclc, an OpenCL C library for
// every GPU that LLVM supports, defines OpenCL's mangled names (_Z3sinf). This
// one source serves NVIDIA and AMD GPUs. libclc has no Bessel functions.
//
// Some of libclc's functions are replaced or corrected; each has a comment with
// the reason. For float, libclc's fmod, remainder and remquo are not exact for
// large quotients, so the double versions are used. Its exp, exp2 and erfc
// return no results below the smallest normal number. Its sincos reduces the
// angle twice.
//
// For NVIDIA GPUs the file to link is nvptx64--.bc: nvptx64--nvidiacl.bc calls
// libdevice for logarithms and square roots.

#include "machine.h"
#include "trigonometry.h"

using xcc::machine::Own;

// This file's pow, under a name that Clang does not take for its builtin, which
// the GPU back ends cannot generate. The next three are libclc's.
double ownPower(double, double) __asm__("pow");
double power(double, double) __asm__("_Z3powdd");
double exponential(double) __asm__("_Z3expd");
double logarithm(double) __asm__("_Z3logd");

namespace {
/// 2^n, a normal number.
float power2(int n) { return __builtin_bit_cast(float, (n + 127) << 23); }

/// 2^n e^r for |r| <= ln(2) / 2 and |n| <= 200, by the Taylor series of e^r.
/// The error is below one unit in the last place.
float scaledExp(int n, float r) {
  constexpr float terms[] = {1 / 5040.0f, 1 / 720.0f, 1 / 120.0f,
                             1 / 24.0f,   1 / 6.0f,   1 / 2.0f};
  float sum = terms[0];
  for (int i = 1; i < 6; ++i)
    sum = __builtin_fmaf(sum, r, terms[i]);
  sum = 1 + __builtin_fmaf(r * r, sum, r);
  // In two factors, so that only the last product may be denormal or infinite.
  return sum * power2(n / 2) * power2(n - n / 2);
}

/// The gamma function for 20 <= x < 172 by Stirling's series. libclc computes
/// e^lgamma instead, which loses three digits.
double stirling(double x) {
  constexpr double terms[] = {-691 / 360360.0, 1 / 1188.0, -1 / 1680.0,
                              1 / 1260.0,      -1 / 360.0, 1 / 12.0};
  double inverse = 1 / x, square = inverse * inverse, sum = terms[0];
  for (int i = 1; i < 6; ++i)
    sum = __builtin_fma(sum, square, terms[i]);
  // x^(x - 1/2) in two factors, since it overflows before the result does.
  double half = power(x, x / 2 - 0.25);
  return half * exponential(-x) * half *
         (0x1.40d931ff62706p+1 * exponential(sum * inverse)); // sqrt(2 pi)
}

/// The gamma function of x, by n steps of its functional equation from x + n,
/// which must be in the range of Stirling's series.
double steppedUp(double x, int n) {
  double product = 1, rest = 0; // their sum is x (x + 1) ... (x + n - 1)
  for (int i = 0; i < n; ++i) {
    double term = x + i, lost = x - (term - i), next = product * term;
    rest = __builtin_fma(product, term, -next) + rest * term + product * lost;
    product = next;
  }
  double y = x + n, lost = x - (y - n);
  // d/dy log(gamma(y)) is nearly log(y) - 1 / (2 y).
  double result = stirling(y) * (1 + lost * (logarithm(y) - 0.5 / y));
  return result / product * (1 - rest / product);
}

float clamp(float x, float low, float high) {
  return x < low ? low : x > high ? high : x;
}
} // namespace

extern "C" {
#define XCC_MATH_1(name, length)                                               \
  float cl_##name##f(float) __asm__("_Z" #length #name "f");                   \
  double cl_##name(double) __asm__("_Z" #length #name "d");                    \
  float name##f(float x) { return cl_##name##f(x); }                           \
  double name(double x) { return cl_##name(x); }                               \
  long double name##l(long double x) { return cl_##name(x); }
#define XCC_MATH_2(name, length)                                               \
  float cl_##name##f(float, float) __asm__("_Z" #length #name "ff");           \
  double cl_##name(double, double) __asm__("_Z" #length #name "dd");           \
  float name##f(float x, float y) { return cl_##name##f(x, y); }               \
  double name(double x, double y) { return cl_##name(x, y); }                  \
  long double name##l(long double x, long double y) { return cl_##name(x, y); }
#define XCC_MATH_1_OWN_FLOAT(name, length)                                     \
  double cl_##name(double) __asm__("_Z" #length #name "d");                    \
  double name(double x) { return cl_##name(x); }                               \
  long double name##l(long double x) { return cl_##name(x); }
#define XCC_MATH_2_OWN_FLOAT(name, length)                                     \
  double cl_##name(double, double) __asm__("_Z" #length #name "dd");           \
  double name(double x, double y) { return cl_##name(x, y); }                  \
  long double name##l(long double x, long double y) { return cl_##name(x, y); }
#define XCC_MATH_1_OWN_DOUBLE(name, length)                                    \
  double name(double);                                                         \
  float cl_##name##f(float) __asm__("_Z" #length #name "f");                   \
  double cl_##name(double) __asm__("_Z" #length #name "d");                    \
  float name##f(float x) { return cl_##name##f(x); }                           \
  double own_##name(double) __asm__(#name);                                    \
  long double name##l(long double x) { return own_##name(double(x)); }
#define XCC_MATH_1_OWN(name, length)
#define XCC_MATH_2_OWN(name, length)
#include "math.def"

float cl_erfcf(float) __asm__("_Z4erfcf");
float cl_lgammaf(float) __asm__("_Z6lgammaf");
float cl_powf(float, float) __asm__("_Z3powff");
double cl_sin(double) __asm__("_Z3sind");
double cl_sincos(double, Own<double>) __asm__("_Z6sincosd" XCC_OWN_POINTER "d");
double cl_remquo(double, double,
                 Own<int>) __asm__("_Z6remquodd" XCC_OWN_POINTER "i");

float expf(float x) {
  if (x != x)
    return x;
  x = clamp(x, -110, 90);
  float n = __builtin_rintf(x * 0x1.715476p+0f);
  // ln(2) in two parts; the product of n and the first part is exact.
  float r = __builtin_fmaf(n, -0x1.62e4p-1f, x);
  return scaledExp(int(n), __builtin_fmaf(n, -0x1.7f7d1cp-20f, r));
}
float exp2f(float x) {
  if (x != x)
    return x;
  x = clamp(x, -160, 130);
  float n = __builtin_rintf(x);
  return scaledExp(int(n), (x - n) * 0x1.62e43p-1f);
}
// For a NaN, libclc's versions read far outside a table.
double cosh(double x) { return x != x ? x : cl_cosh(x); }
double sinh(double x) { return x != x ? x : cl_sinh(x); }
// libclc's versions lose the sign of zero.
double asin(double x) { return x == 0 ? x : cl_asin(x); }
double atan(double x) { return x == 0 ? x : cl_atan(x); }
double erf(double x) { return x == 0 ? x : cl_erf(x); }
double expm1(double x) { return x == 0 ? x : cl_expm1(x); }
double sin(double x) { return x == 0 ? x : cl_sin(x); }
long double sinl(long double x) { return x == 0 ? x : cl_sin(x); }
double tan(double x) { return x == 0 ? x : cl_tan(x); }
// libclc's version returns a NaN for minus infinity.
float lgammaf(float x) { return x == -__builtin_inff() ? -x : cl_lgammaf(x); }
float erfcf(float x) { return x > 9 ? float(cl_erfc(x)) : cl_erfcf(x); }

// libclc's version is wrong where y * log(x) overflows. Limiting y to 2^65
// keeps its parity: all numbers beyond are even.
double pow(double x, double y) {
  if (!(y - y != 0)) // neither a NaN nor infinite
    y = y < -0x1p65 ? -0x1p65 : y > 0x1p65 ? 0x1p65 : y;
  return power(x, y);
}
long double powl(long double x, long double y) { return ownPower(x, y); }
float powf(float x, float y) { return cl_powf(x, y); }

double tgamma(double x) {
  if (x < 0x1p-60 && x > -0x1p-60)
    return 1 / x;
  if (!(x < 172))
    return x * __builtin_inf();
  if (x >= 20)
    return stirling(x);
  double whole = __builtin_floor(x);
  if (x < 0 && x == whole)
    return __builtin_nan("");
  if (x < -190)
    return __builtin_floor(whole / 2) == whole / 2 ? 0.0 : -0.0;
  if (x >= -140)
    return steppedUp(x, int(20 - whole));
  // In two steps, because one product would overflow.
  double product = 1;
  for (int i = 0; i < 50; ++i)
    product *= x + i;
  return steppedUp(x + 50, int(20 - whole) - 50) / product;
}
long double tgammal(long double x) { return tgamma(x); }
float tgammaf(float x) { return float(tgamma(x)); }

float fmodf(float x, float y) { return float(cl_fmod(x, y)); }
float remainderf(float x, float y) { return float(cl_remainder(x, y)); }

void sincosf(float x, float *sine, float *cosine) {
  trigonometry::Pair pair = trigonometry::sineAndCosine(x);
  *sine = pair.sine;
  *cosine = pair.cosine;
}
float sinf(float x) { return trigonometry::sineAndCosine(x).sine; }
float cosf(float x) { return trigonometry::sineAndCosine(x).cosine; }
void sincos(double x, double *sine, double *cosine) {
  double c;
  double s = cl_sincos(x, (Own<double>)&c);
  *sine = x == 0 ? x : s;
  *cosine = c;
}
void sincosl(long double x, long double *sine, long double *cosine) {
  double c;
  double s = cl_sincos(x, (Own<double>)&c);
  *sine = x == 0 ? x : s;
  *cosine = c;
}
double remquo(double x, double y, int *quotient) {
  int q;
  double rest = cl_remquo(x, y, (Own<int>)&q);
  *quotient = q;
  return rest;
}
float remquof(float x, float y, int *quotient) {
  return float(remquo(x, y, quotient));
}
long double remquol(long double x, long double y, int *quotient) {
  return remquo(double(x), double(y), quotient);
}
}
