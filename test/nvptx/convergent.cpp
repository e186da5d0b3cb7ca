// A call that holds a warp operation is not moved into the arms of a branch, nor
// made twice: the lanes that are there together would no longer be the same.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// The sum over a warp of a value chosen by the lane.
static float sum(float x) {
#pragma unroll
  for (int d = 16; d; d /= 2)
    x += xcc::shuffle_xor(x, d); // five of them
  return x;
}
// CHECK-LABEL: .entry {{.*}}6select{{.*}}({{$}}
// CHECK-COUNT-5: shfl.sync.bfly
// CHECK-NOT: shfl.sync
// CHECK: ret;
void select(float *p, const float *a, const float *b) {
  unsigned i = xcc::thread_idx().x;
  p[i] = sum(i & 1 ? a[i] : b[i] * 3);
}
// CHECK-LABEL: .entry {{.*}}6joined{{.*}}({{$}}
// CHECK-COUNT-5: shfl.sync.bfly
// CHECK-NOT: shfl.sync
// CHECK: ret;
void joined(float *p, int n) {
  unsigned i = xcc::thread_idx().x;
  float x = 0;
  if (p[i] > 0) {
    for (int k = 0; k < n; ++k)
      x += p[i + k];
  } else {
    x = p[i] * p[i + 1];
  }
  p[i] = sum(x);
}
// One barrier stays one, whichever way threads come to it.
// CHECK-LABEL: .entry {{.*}}7barrier{{.*}}({{$}}
// CHECK: bar{{(rier)?}}.sync
// CHECK-NOT: bar{{(rier)?}}.sync
// CHECK: ret;
[[gnu::noinline]] static void wait() { xcc::sync_block(); }
void barrier(float *p) {
  static xcc::block_shared<float[64]> s;
  unsigned i = xcc::thread_idx().x;
  if (i & 1)
    s[i] = p[i];
  else
    s[i] = p[i] * p[i];
  xcc::sync_block();
  p[i] = s[63 - i];
}
// A function is taken for one that waits until its body is known; and since it
// does, it stands in its caller in the end.
// CHECK-LABEL: .entry {{.*}}7through{{.*}}({{$}}
// CHECK-NOT: call
// CHECK: bar{{(rier)?}}.sync
// CHECK-NOT: bar{{(rier)?}}.sync
// CHECK: ret;
void through(float *p) {
  unsigned i = xcc::thread_idx().x;
  if (i & 1)
    p[i] = 1;
  else
    p[i] = p[i] * p[i];
  wait();
  p[63 - i] += 2;
}

void start(float *p) {
  xcc::launch({{1}, {32}}, select, p, p, p);
  xcc::launch({{1}, {32}}, joined, p, 3);
  xcc::launch({{1}, {64}}, barrier, p);
  xcc::launch({{1}, {64}}, through, p);
}
