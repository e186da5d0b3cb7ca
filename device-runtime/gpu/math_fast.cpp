// What -ffast-math makes of <math.h> on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under -ffast-math (more exactly: where a call may be approximated) the
// compiler takes these for float: see frontend/gpu/Math.cpp. They are the GPUs'
// approximate instructions, which need no library. This file is compiled with
// -fapprox-func, so that the builtins and the division are such instructions;
// whether those flush denormal numbers is up to the kernel, as everywhere.
//
// They compute what libdevice's __nv_fast_* compute, except pow, which is right for
// negative bases too.

#ifdef __NVPTX__
// Known when an arch's code is made. Clang takes its builtin not to return.
int reflect(const char *) __asm__("__nvvm_reflect");
#endif

namespace {

float sine(float x) { return __builtin_elementwise_sin(x); }
float cosine(float x) { return __builtin_elementwise_cos(x); }
float power2(float x) { return __builtin_elementwise_exp2(x); }

#ifdef __NVPTX__
// LLVM has PTX's instruction only under its own name, and as two.
float logarithm2(float x) {
  return reflect("__CUDA_FTZ") ? __nvvm_lg2_approx_ftz_f(x)
                               : __nvvm_lg2_approx_f(x);
}
float exponential(float x) { return power2(x * 0x1.715476p+0f); }
float power10(float x) { return power2(x * 0x1.a934fp+1f); }
float logarithm(float x) { return logarithm2(x) * 0x1.62e43p-1f; }
float logarithm10(float x) { return logarithm2(x) * 0x1.344136p-2f; }
// div.approx and rcp.approx, in the form that the kernel asks for.
float quotient(float a, float b) { return a / b; }
float reciprocal(float x) { return 1 / x; }
float reciprocalRoot(float x) {
  return reflect("__CUDA_FTZ") ? __nvvm_rsqrt_approx_ftz_f(x)
                               : __nvvm_rsqrt_approx_f(x);
}
float root(float x) {
  return reflect("__CUDA_FTZ") ? __nvvm_sqrt_approx_ftz_f(x)
                               : __nvvm_sqrt_approx_f(x);
}
double roughReciprocal(double x) { return __nvvm_rcp_approx_ftz_d(x); }
#else
float logarithm2(float x) { return __builtin_elementwise_log2(x); }
float exponential(float x) { return __builtin_elementwise_exp(x); }
float power10(float x) { return __builtin_elementwise_exp10(x); }
float logarithm(float x) { return __builtin_elementwise_log(x); }
float logarithm10(float x) { return __builtin_elementwise_log10(x); }
float reciprocal(float x) { return __builtin_amdgcn_rcpf(x); }
float quotient(float a, float b) { return a * reciprocal(b); }
float reciprocalRoot(float x) { return __builtin_amdgcn_rsqf(x); }
float root(float x) { return __builtin_amdgcn_sqrtf(x); }
double roughReciprocal(double x) { return __builtin_amdgcn_rcp(x); }
#endif

/// By Newton's method, from at least 20 bits; without what a correct division
/// does for the ends of the range.
double reciprocal(double x) {
  const double rough = roughReciprocal(x);
  double r = rough;
  for (int step = 0; step != 2; ++step)
    r = __builtin_fma(__builtin_fma(-x, r, 1.0), r, r);
  // Of 0 and infinity, the first word is the last.
  return __builtin_isfpclass(rough, 0x264) ? rough : r;
}
double quotient(double a, double b) {
  const double r = reciprocal(b), q = a * r;
  const double better = __builtin_fma(__builtin_fma(-b, q, a), r, q);
  return __builtin_isfpclass(q, 0x264) || __builtin_isfpclass(r, 0x264)
             ? q
             : better;
}

/// 2^(y log2 |x|), with the sign of x if y is odd. Not a NaN where y is no
/// integer and x is negative.
float power(float x, float y) {
  // Not -infinity for 0, whose 0-th power is 1.
  float log = logarithm2(__builtin_elementwise_abs(x));
  log = log < -__FLT_MAX__ ? -__FLT_MAX__ : log;
  unsigned result = __builtin_bit_cast(unsigned, power2(y * log));
  // The sum's last bit is y's: it has no bits for a fraction. For |y| > 2^22,
  // nearly all of which are even, the sign may be wrong.
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
// For xcc/fast.h alone.
float __xcc_fast_dividef(float a, float b) { return quotient(a, b); }
double __xcc_fast_divide(double a, double b) { return quotient(a, b); }
float __xcc_fast_rcpf(float x) { return reciprocal(x); }
double __xcc_fast_rcp(double x) { return reciprocal(x); }
float __xcc_fast_rsqrtf(float x) { return reciprocalRoot(x); }
float __xcc_fast_sqrtf(float x) { return root(x); }
}
