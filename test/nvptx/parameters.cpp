// The driver aligns no parameter to more than 16 bytes, and ptxas aligns each where
// it lies in constant memory. So an entry has none that asks for more, and what is
// to be aligned is a copy. Functions have 128 at most.
// RUN: %ptx -offload-arch=sm_90 -Wno-psabi %s | FileCheck %s
// RUN: %if ptxas %{ rm -rf %t && mkdir %t && cd %t && %xcc -std=c++20 -Wno-psabi -c %s -o host.o -emit-kernel-info=info.json %}
// RUN: %if ptxas %{ cd %t && %xcc -O0 -std=c++20 -Wno-psabi -c -foffload-device-only -offload-arch=sm_75,sm_90,sm_120 %s -o O0.cubin %}
// RUN: %if ptxas %{ cd %t && %xcc -O2 -std=c++20 -Wno-psabi -c -foffload-device-only -offload-arch=sm_75,sm_90,sm_120 %s -o O2.cubin %}
// RUN: %if ptxas %{ cd %t && %python %S/Inputs/parameters.py info.json O0-sm_75.cubin O0-sm_90.cubin O0-sm_120.cubin O2-sm_75.cubin O2-sm_90.cubin O2-sm_120.cubin | FileCheck %s --check-prefix=PLACED %}
// PLACED-COUNT-6: kernels: 3
#include <xcc/xcc.h>

struct alignas(64) Line { int first; double rest[7]; };
struct alignas(256) Wide { int v[8]; };
typedef float Sixteen __attribute__((ext_vector_type(16)));
typedef int SixtyFour __attribute__((ext_vector_type(64)));

// CHECK-NOT: .align 256
[[gnu::noinline]] Wide doubled(Wide a) {
  for (int &each : a.v)
    each *= 2;
  return a;
}
[[gnu::noinline]] SixtyFour added(SixtyFour a) { return a + 1; }
Wide (*copy)(Wide) = doubled;
SixtyFour (*vector)(SixtyFour) = added;

// Padding is part of the parameter behind it.
// CHECK: .visible .entry [[K:_ZN3xcc15function_kernel[a-zA-Z0-9_]*several[a-zA-Z0-9_]*]](
// CHECK-NEXT: .param .u8 [[K]]_param_0,
// CHECK-NEXT: .param .align 16 .b8 [[K]]_param_1[112],
// CHECK-NEXT: .param .u8 [[K]]_param_2,
// CHECK-NEXT: .param .align 16 .b8 [[K]]_param_3[112],
// CHECK-NEXT: .param .align 16 .b8 [[K]]_param_4[256],
// CHECK-NEXT: .param .align 16 .b8 [[K]]_param_5[256],
// CHECK-NEXT: .param .u16 [[K]]_param_6,
// CHECK-NEXT: .param .u64 .ptr .align 1 [[K]]_param_7
// CHECK-NEXT: )
// CHECK-NOT: .local
// CHECK: ld.param.b32 %r{{[0-9]+}}, [[[K]]_param_1+48];
void several(char before, Line a, char between, Sixteen x, Wide w, SixtyFour v,
             short behind, float *out) {
  out[0] = before + a.first + between + x[3] + w.v[7] + v[63] + behind;
}

// CHECK: .visible .entry [[F:_ZN3xcc15function_kernel[a-zA-Z0-9_]*called[a-zA-Z0-9_]*]](
void called(Wide w, SixtyFour v, int *out) {
  out[0] = doubled(w).v[0] + copy(w).v[1] + added(v)[0] + vector(v)[1];
}

void start(float *p, int *q, Line line) {
  Sixteen x = 0;
  SixtyFour v = 0;
  xcc::launch({{1}, {1}}, several, 'a', line, 'b', x, Wide{}, v, short(1), p);
  xcc::launch({{1}, {1}}, called, Wide{}, v, q);
  // What a lambda holds is one parameter.
  // CHECK: .visible .entry [[L:_ZN3xcc13object_kernel[a-zA-Z0-9_]*]](
  // CHECK-NEXT: .param .align 16 .b8 [[L]]_param_0[128]
  // CHECK-NEXT: )
  xcc::launch({{1}, {1}}, [=] { p[0] = line.first; });
}
// CHECK-NOT: .align 256
