// Fast functions of <math.h> on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under -ffast-math (more exactly: where a call may be approximated) the
// compiler calls these for float: see backend/gpu/rewrites/Math.cpp. They use the GPUs'
// approximate instructions, which need no library. This file is compiled with
// -fapprox-func, so that the builtins and the division become such
// instructions. The kernel's options decide whether they flush denormal
// numbers.
//
// They compute the same as libdevice's __nv_fast_*, except pow, which is
// correct for negative bases too.

#include "fast_math.h"

namespace {

float sine(float x) { return __builtin_elementwise_sin(x); }
float cosine(float x) { return __builtin_elementwise_cos(x); }
float power2(float x) { return __builtin_elementwise_exp2(x); }

/// Newton's method from an approximation of at least 20 bits, without the
/// special cases of a correct division at the ends of the range.
double reciprocal(double x) {
  const double rough = roughReciprocal(x);
  double r = rough;
  for (int step = 0; step != 2; ++step)
    r = __builtin_fma(__builtin_fma(-x, r, 1.0), r, r);
  // The approximation is final for 0 and infinity.
  return __builtin_isfpclass(rough, 0x264) ? rough : r;
}
double quotient(double a, double b) {
  const double r = reciprocal(b), q = a * r;
  const double better = __builtin_fma(__builtin_fma(-b, q, a), r, q);
  return __builtin_isfpclass(q, 0x264) || __builtin_isfpclass(r, 0x264)
             ? q
             : better;
}

/// 2^(y log2 |x|), with the sign of x if y is odd. The result is not a NaN if x
/// is negative and y no integer.
float power(float x, float y) {
  // Avoid -infinity for x = 0, because 0 to the power of 0 is 1.
  float log = logarithm2(__builtin_elementwise_abs(x));
  log = log < -__FLT_MAX__ ? -__FLT_MAX__ : log;
  unsigned result = __builtin_bit_cast(unsigned, power2(y * log));
  // The sum has no bits for a fraction, so its last bit is the last bit of y.
  // For |y| > 2^22 the sign may be wrong, but nearly all such y are even.
  unsigned whole = __builtin_bit_cast(unsigned, y + 0x1.8p23f);
  unsigned sign = __builtin_bit_cast(unsigned, x) & whole << 31;
  return __builtin_bit_cast(float, result ^ sign);
}

} // namespace

extern "C" {
float __xcc_fast_sinf(float x) { return sine(x); }
float __xcc_fast_cosf(float x) { return cosine(x); }
float __xcc_fast_tanf(float x) { return sine(x) / cosine(x); }
float __xcc_fast_expf(float x) { return exponential(x); }
float __xcc_fast_exp2f(float x) { return power2(x); }
float __xcc_fast_exp10f(float x) { return power10(x); }
float __xcc_fast_logf(float x) { return logarithm(x); }
float __xcc_fast_log2f(float x) { return logarithm2(x); }
float __xcc_fast_log10f(float x) { return logarithm10(x); }
float __xcc_fast_powf(float x, float y) { return power(x, y); }
// Called only by xcc/fast.h.
float __xcc_fast_dividef(float a, float b) { return quotient(a, b); }
double __xcc_fast_divide(double a, double b) { return quotient(a, b); }
float __xcc_fast_rcpf(float x) { return reciprocal(x); }
double __xcc_fast_rcp(double x) { return reciprocal(x); }
float __xcc_fast_rsqrtf(float x) { return reciprocalRoot(x); }
float __xcc_fast_sqrtf(float x) { return root(x); }
}
