// -x, fabs and copysign are operations on the sign bit where what comes of a
// NaN can be seen; for arithmetic they are part of what uses them.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %ptx -O2 -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -O0 -offload-arch=sm_90 %s | FileCheck %s --check-prefix=ANY
#include <cmath>
#include <xcc/xcc.h>

// ANY-NOT: neg.f64
// ANY-NOT: abs.f64
// ANY-NOT: copysign.f

// CHECK-LABEL: .entry {{.*}}seen
// CHECK-NOT: {{neg|abs}}.f
// CHECK: xor.b64
// CHECK-NOT: {{neg|abs}}.f
// CHECK: ret
void seen(double *d, float *f, _Float16 *h) {
  d[0] = -d[1], d[2] = std::fabs(d[3]), d[4] = std::copysign(d[5], d[6]);
  f[0] = -f[1], f[2] = std::fabs(f[3]), f[4] = std::copysign(f[5], f[6]);
  h[0] = -h[1], h[2] = __builtin_fabsf16(h[3]);
  h[4] = __builtin_copysignf16(h[5], h[6]);
}

// The optimiser makes a negation of it.
// CHECK-LABEL: .entry {{.*}}integers
// CHECK-NOT: neg.f
// CHECK: xor.b64
// CHECK-NOT: neg.f
// CHECK: ret
void integers(double *d) {
  d[0] = __builtin_bit_cast(double, __builtin_bit_cast(long, d[1]) ^ 1l << 63);
}

// CHECK-LABEL: .entry {{.*}}computed
// CHECK-NOT: {{xor|and}}.b
// CHECK: fma.rn.f64
// CHECK-NOT: {{xor|and}}.b
// CHECK: ret
#ifdef __OPTIMIZE__
void computed(double *d, float *f) {
  d[0] = d[1] - d[2] * d[3];
  float y = f[1] > 1 ? -f[2] : std::fabs(f[3]);
  f[0] = y * f[4] + -f[5] * std::fabs(f[6]);
}
#endif

void start(double *d, float *f, _Float16 *h) {
  xcc::launch({{1}, {1}}, seen, d, f, h);
  xcc::launch({{1}, {1}}, integers, d);
#ifdef __OPTIMIZE__
  xcc::launch({{1}, {1}}, computed, d, f);
#endif
}
