// Where a loop is unrolled whole, the address of a row is that of the row before
// and some bytes more, though an index of 32 bits was written for each.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// One index becomes an address; the other rows are a multiple of the width away.
// CHECK-LABEL: .entry {{.*}}4rows{{.*}}({{$}}
// CHECK: mad.lo.s32
// CHECK: ld.global
// CHECK: mul.wide.s32 {{.*}}, 32;
// CHECK-COUNT-3: ld.global
// CHECK-NOT: mul.wide.s32
// CHECK: ret;
void rows(float *p, const float *q, int width, int x, int y) {
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    sum = sum * 3 + q[(y + j) * width + x];
  *p = sum;
}
// Neighbours share a step, in loops within loops too.
// CHECK-LABEL: .entry {{.*}}5tiles{{.*}}({{$}}
// CHECK: ld.global.b32 {{.*}}, [[[START:%rd[0-9]+]]];
// CHECK: ld.global.b32 {{.*}}, [[[START]]+4];
// CHECK: ld.global.b32 {{.*}}, [[[START]]+128];
// CHECK: ld.global.b32 {{.*}}, [[[START]]+132];
// CHECK: ret;
void tiles(float *p, const float *q, int width, int x, int y) {
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int at = (y + j) * width + x + 32 * i;
      sum = sum * 3 + q[at] - 2 * q[at + 1];
    }
  *p = sum;
}
// An unsigned index may start again at zero: each has its own address.
// CHECK-LABEL: .entry {{.*}}7wrapped{{.*}}({{$}}
// CHECK-COUNT-4: mul.wide.u32
// CHECK: ret;
void wrapped(float *p, const float *q, unsigned width, unsigned x, unsigned y) {
  float sum = 0;
#pragma unroll
  for (unsigned j = 0; j < 32; j += 8)
    sum = sum * 3 + q[(y + j) * width + x];
  *p = sum;
}
// What a comparison shows not to be negative has neighbours all the same.
// CHECK-LABEL: .entry {{.*}}10neighbours{{.*}}({{$}}
// CHECK-COUNT-3: ld.global.b32 {{.*}}, [{{%rd[0-9]+\+-?[0-9]+}}];
// CHECK: ret;
void neighbours(float *p, const float *q, int width, int x) {
  float sum = 0;
#pragma unroll
  for (int i = 1; i <= 3; ++i)
    if (x + i >= 0 && x + i < width)
      sum += q[x + i] * p[3];
  *p = sum;
}
void start(float *p) {
  xcc::launch({{1}, {1}}, rows, p, p, 1, 2, 3);
  xcc::launch({{1}, {1}}, tiles, p, p, 1, 2, 3);
  xcc::launch({{1}, {1}}, wrapped, p, p, 1u, 2u, 3u);
  xcc::launch({{1}, {1}}, neighbours, p, p, 1, 2);
}
