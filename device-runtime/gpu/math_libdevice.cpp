// <math.h> on CUDA's libdevice
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code calls the host's names (sinf). libdevice.10.bc, which every CUDA
// toolkit contains, defines other names (__nv_sinf). This file only declares
// those, because it is built without a toolkit.

extern "C" {

#define XCC_MATH_1(name, length)                                               \
  float __nv_##name##f(float);                                                 \
  double __nv_##name(double);                                                  \
  float name##f(float x) { return __nv_##name##f(x); }                         \
  double name(double x) { return __nv_##name(x); }                             \
  long double name##l(long double x) { return __nv_##name(x); }
#define XCC_MATH_2(name, length)                                               \
  float __nv_##name##f(float, float);                                          \
  double __nv_##name(double, double);                                          \
  float name##f(float x, float y) { return __nv_##name##f(x, y); }             \
  double name(double x, double y) { return __nv_##name(x, y); }                \
  long double name##l(long double x, long double y) {                          \
    return __nv_##name(x, y);                                                  \
  }
// libdevice's double hypot is one unit in the last place too large where one
// side is tiny compared with the other; for the largest number, it is infinite.
#define XCC_MATH_HYPOT(name, length)                                           \
  float __nv_hypotf(float, float);                                             \
  double __nv_hypot(double, double);                                           \
  float hypotf(float x, float y) { return __nv_hypotf(x, y); }                 \
  double hypot(double x, double y) {                                           \
    double a = __builtin_fabs(x), b = __builtin_fabs(y);                       \
    if (a < b * 0x1p-27 && b < __builtin_inf())                                \
      return b;                                                                \
    if (b < a * 0x1p-27 && a < __builtin_inf())                                \
      return a;                                                                \
    return __nv_hypot(x, y);                                                   \
  }                                                                            \
  long double hypotl(long double x, long double y) { return hypot(x, y); }
#define XCC_BESSEL_1(name)                                                     \
  float __nv_##name##f(float);                                                 \
  double __nv_##name(double);                                                  \
  float name##f(float x) { return __nv_##name##f(x); }                         \
  double name(double x) { return __nv_##name(x); }                             \
  long double name##l(long double x) { return __nv_##name(x); }
#define XCC_BESSEL_N(name)                                                     \
  float __nv_##name##f(int, float);                                            \
  double __nv_##name(int, double);                                             \
  float name##f(int n, float x) { return __nv_##name##f(n, x); }               \
  double name(int n, double x) { return __nv_##name(n, x); }                   \
  long double name##l(int n, long double x) { return __nv_##name(n, x); }
#include "math.def"

void __nv_sincosf(float, float *, float *);
void __nv_sincos(double, double *, double *);
float __nv_remquof(float, float, int *);
double __nv_remquo(double, double, int *);

void sincosf(float x, float *sine, float *cosine) {
  __nv_sincosf(x, sine, cosine);
}
void sincos(double x, double *sine, double *cosine) {
  __nv_sincos(x, sine, cosine);
}
void sincosl(long double x, long double *sine, long double *cosine) {
  double s, c;
  __nv_sincos(x, &s, &c);
  *sine = s;
  *cosine = c;
}
float remquof(float x, float y, int *quotient) {
  return __nv_remquof(x, y, quotient);
}
double remquo(double x, double y, int *quotient) {
  return __nv_remquo(x, y, quotient);
}
long double remquol(long double x, long double y, int *quotient) {
  return __nv_remquo(x, y, quotient);
}
}
