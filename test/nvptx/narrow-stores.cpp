// What is stored of a number's bits is those bits: ptxas would convert the
// number that a floating-point instruction wrote into a register wider than
// what is stored, so that it is copied first; everything else stays as it is.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %ptx -O2 -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -O0 -offload-arch=sm_90 %s | FileCheck %s --check-prefix=ANY
// RUN: %ptx -O2 -g -offload-arch=sm_90 %s | FileCheck %s
#include <cstdint>
#include <cstring>
#include <xcc/xcc.h>

// No register is stored that has more bits; $, %n0 are copies.
// ANY-NOT: st.{{[^;]*}}.b8 {{[^;]*}}, %r{{[sd]?[0-9]}}
// ANY-NOT: st.{{[^;]*}}.b16 {{[^;]*}}, %rd{{[0-9]}}
// ANY-NOT: st.{{[^;]*}}.b16 {{[^;]*}}, %r{{[0-9]}}
// ANY-NOT: st.{{[^;]*}}.b32 {{[^;]*}}, %rd{{[0-9]}}

struct [[gnu::packed]] Packed {
  char before;
  double number;
};
// CHECK-LABEL: .entry {{.*}}packed
// CHECK: mul.{{.*}}f64 [[D:%rd[0-9]+]],
// CHECK: { .reg .u64 %n0; mov.b64 %n0, [[D]]; st.global.b8 {{.*}}], %n0; }
void packed(Packed *p) { p->number *= 3; }

// CHECK-LABEL: .entry {{.*}}low_word
// CHECK: mul.{{.*}}f64 [[D:%rd[0-9]+]],
// CHECK: { .reg .u64 %n0; mov.b64 %n0, [[D]]; st.global.b32 {{.*}}], %n0; }
void low_word(double *d, uint32_t *to) {
  double x = *d * 3;
  uint64_t bits;
  std::memcpy(&bits, &x, 8);
  *to = uint32_t(bits);
}

// CHECK-LABEL: .entry {{.*}}low_half
// CHECK: mul.{{.*}}f32 [[F:%r[0-9]+]],
// CHECK: { .reg .u32 %n0; mov.b32 %n0, [[F]]; st.global.b16 {{.*}}], %n0; }
void low_half(float *f, uint16_t *to) {
  float x = *f * 3;
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  *to = uint16_t(bits);
}

// CHECK-LABEL: .entry {{.*}}whole
// CHECK-NOT: %n0
// CHECK: st.global.b64
void whole(double *d) { *d *= 3; }

void start(Packed *p, double *d, float *f, uint16_t *h, uint32_t *w) {
  xcc::launch({{1}, {1}}, packed, p);
  xcc::launch({{1}, {1}}, low_word, d, w);
  xcc::launch({{1}, {1}}, low_half, f, h);
  xcc::launch({{1}, {1}}, whole, d);
}
