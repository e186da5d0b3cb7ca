// Approximate instructions of an NVIDIA GPU, for gpu/math_fast.cpp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DEVICE_FAST_MATH_H
#define XCC_DEVICE_FAST_MATH_H

// Resolved when the code for an architecture is made. Declared under another
// name, because Clang assumes that its builtin does not return.
int reflect(const char *) __asm__("__nvvm_reflect");

namespace {

// LLVM offers PTX's lg2.approx only as two builtins of its own names.
float logarithm2(float x) {
  return reflect("__CUDA_FTZ") ? __nvvm_lg2_approx_ftz_f(x)
                               : __nvvm_lg2_approx_f(x);
}
float exponential(float x) {
  return __builtin_elementwise_exp2(x * 0x1.715476p+0f);
}
float power10(float x) { return __builtin_elementwise_exp2(x * 0x1.a934fp+1f); }
float logarithm(float x) { return logarithm2(x) * 0x1.62e43p-1f; }
float logarithm10(float x) { return logarithm2(x) * 0x1.344136p-2f; }
// These become div.approx and rcp.approx, with or without flushing as in the
// kernel.
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

} // namespace

#endif // XCC_DEVICE_FAST_MATH_H
