//===-- math_libclc.cpp - <math.h> on LLVM's libclc
//------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code calls the host's names (sinf); libclc, an OpenCL C library for
// every GPU that LLVM knows, defines its own with OpenCL's mangling (_Z3sinf).
// One source for NVIDIA and AMD GPUs. libclc has no Bessel functions.
//
// For NVIDIA GPUs the file to link is nvptx64--.bc: nvptx64--nvidiacl.bc calls
// libdevice for logarithms and square roots.
//
//===----------------------------------------------------------------------===//

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
#include "math.def"

float cl_sincosf(float, float *) __asm__("_Z6sincosfPf");
double cl_sincos(double, double *) __asm__("_Z6sincosdPd");
float cl_remquof(float, float, int *) __asm__("_Z6remquoffPi");
double cl_remquo(double, double, int *) __asm__("_Z6remquoddPi");

void sincosf(float x, float *sine, float *cosine) {
  float c;
  *sine = cl_sincosf(x, &c);
  *cosine = c;
}
void sincos(double x, double *sine, double *cosine) {
  double c;
  *sine = cl_sincos(x, &c);
  *cosine = c;
}
void sincosl(long double x, long double *sine, long double *cosine) {
  double c;
  *sine = cl_sincos(x, &c);
  *cosine = c;
}
float remquof(float x, float y, int *quotient) {
  return cl_remquof(x, y, quotient);
}
double remquo(double x, double y, int *quotient) {
  return cl_remquo(x, y, quotient);
}
long double remquol(long double x, long double y, int *quotient) {
  return cl_remquo(x, y, quotient);
}
}
