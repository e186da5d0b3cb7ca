// Loops are unrolled as their pragmas ask, and small ones four times.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}5eight{{.*}}({{$}}
// CHECK-COUNT-8: ld.global.b32
// CHECK: ret;
void eight(float *p, const float *q, int n) {
  float x = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}
// CHECK-LABEL: .entry {{.*}}4once{{.*}}({{$}}
// CHECK: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK: ret;
void once(float *p, const float *q, int n) {
  float x = 0;
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}
// No branch is left.
// CHECK-LABEL: .entry {{.*}}5whole{{.*}}({{$}}
// CHECK-NOT: bra
// CHECK: ret;
void whole(float *p, const float *q, int n) {
  float x = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}
// Four copies, and one for what is left.
// CHECK-LABEL: .entry {{.*}}5small{{.*}}({{$}}
// CHECK-COUNT-5: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK: ret;
void small(float *p, const float *q, int n) {
  float x = 0;
  for (int i = 0; i < n; ++i)
    x = x * 1.5f + q[i * n];
  *p = x;
}

void start(float *p) {
  xcc::launch({{1}, {1}}, eight, p, p, 3);
  xcc::launch({{1}, {1}}, once, p, p, 3);
  xcc::launch({{1}, {1}}, whole, p, p, 3);
  xcc::launch({{1}, {1}}, small, p, p, 3);
}
