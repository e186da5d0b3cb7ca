// Approximate instructions of an AMD GPU, for gpu/math_fast.cpp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DEVICE_FAST_MATH_H
#define XCC_DEVICE_FAST_MATH_H

namespace {

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

} // namespace

#endif // XCC_DEVICE_FAST_MATH_H
