// Where all lanes come, warp operations are one instruction with a constant
// full mask, and nothing asks which lanes are there.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-NOT: activemask
// CHECK-LABEL: .entry {{.*}}5moves{{.*}}({{$}}
// CHECK: shfl.sync.down.b32 {{.*}}, 1, 31, -1;
// CHECK: shfl.sync.up.b32 {{.*}}, 2, 0, -1;
// CHECK: shfl.sync.bfly.b32 {{.*}}, 4, 31, -1;
// CHECK: shfl.sync.idx.b32 {{.*}}, 0, 31, -1;
// CHECK-NOT: activemask
// CHECK: ret;
void moves(float *p) {
  float x = p[xcc::thread_idx().x];
  x += xcc::shuffle_down(x, 1);
  x += xcc::shuffle_up(x, 2);
  x += xcc::shuffle_xor(x, 4);
  p[xcc::thread_idx().x] = xcc::shuffle(x, 0);
}
// A value of 64 bits is two of 32.
// CHECK-LABEL: .entry {{.*}}4wide{{.*}}({{$}}
// CHECK-COUNT-2: shfl.sync.idx.b32 {{.*}}, -1;
// CHECK-NOT: shfl
// CHECK: ret;
void wide(double *p) {
  p[xcc::thread_idx().x] = xcc::shuffle(p[xcc::thread_idx().x], 3);
}
// CHECK-LABEL: .entry {{.*}}5votes{{.*}}({{$}}
// CHECK: vote.sync.ballot.b32 {{.*}}, -1;
// CHECK: bar.warp.sync -1;
// CHECK-NOT: activemask
// CHECK: ret;
void votes(unsigned *p) {
  unsigned i = xcc::thread_idx().x;
  unsigned long mask = xcc::ballot(p[i] > 3);
  xcc::sync_warp();
  p[i] = mask;
}
// Lanes that left early do not count: the mask names lanes that have not ended.
// CHECK-LABEL: .entry {{.*}}7guarded{{.*}}({{$}}
// CHECK-NOT: activemask
// CHECK: shfl.sync.bfly.b32 {{.*}}, -1;
// CHECK: ret;
void guarded(float *p, unsigned n) {
  unsigned i = xcc::global_id();
  if (i >= n)
    return;
  p[i] += xcc::shuffle_xor(p[i], 1);
}
// In a loop that all lanes run equally often, too.
// CHECK-LABEL: .entry {{.*}}6looped{{.*}}({{$}}
// CHECK-NOT: activemask
// CHECK: shfl.sync.bfly.b32 {{.*}}, -1;
// CHECK: ret;
void looped(float *p, int n) {
  float x = p[xcc::thread_idx().x];
  for (int i = 0; i < n; ++i)
    x += xcc::shuffle_xor(x * i, 1);
  p[xcc::thread_idx().x] = x;
}

void start(float *p, double *d, unsigned *u) {
  xcc::launch({{1}, {32}}, moves, p);
  xcc::launch({{1}, {32}}, wide, d);
  xcc::launch({{1}, {32}}, votes, u);
  xcc::launch({{1}, {32}}, guarded, p, 3u);
  xcc::launch({{1}, {32}}, looped, p, 3);
}
