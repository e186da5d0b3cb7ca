// In code that not all lanes reach, a warp operation is among those that do:
// the mask is asked for there, and is not the full one.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

// What callers reach a function with is not known in it.
// CHECK-LABEL: .func {{.*}}6called
// CHECK: activemask
// CHECK: ret;
[[gnu::noinline]] int called(int x) { return xcc::shuffle_xor(x, 1); }

// CHECK-LABEL: .entry {{.*}}6branch{{.*}}({{$}}
// CHECK: activemask.b32 [[MASK:%r[0-9]+]];
// CHECK: shfl.sync.bfly.b32 {{.*}}, [[MASK]];
// CHECK: shfl.sync.idx.b32 {{.*}}, -1;
// CHECK: ret;
void branch(float *p) {
  unsigned i = xcc::thread_idx().x;
  if (p[i] > 0)
    p[i] += xcc::shuffle_xor(p[i], 1);
  p[i] = xcc::shuffle(p[i], 0); // they are together again
}
// Each arm asks for its own lanes, even where both do the same.
// CHECK-LABEL: .entry {{.*}}4arms{{.*}}({{$}}
// CHECK: activemask
// CHECK: shfl.sync.idx
// CHECK: activemask
// CHECK: shfl.sync.idx
// CHECK: ret;
void arms(int *p) {
  unsigned i = xcc::thread_idx().x;
  if (p[i] & 1)
    p[i] = xcc::shuffle(p[i], 0) + 1;
  else
    p[i] = xcc::shuffle(p[i], 0) * 3;
}
// A loop whose trip count differs.
// CHECK-LABEL: .entry {{.*}}4loop{{.*}}({{$}}
// CHECK: activemask
// CHECK: vote.sync.ballot.b32
// CHECK: vote.sync.ballot.b32 {{.*}}, -1;
// CHECK: ret;
void loop(int *p) {
  unsigned i = xcc::thread_idx().x;
  int sum = 0;
  for (int n = p[i]; n > 0; --n)
    sum += xcc::ballot(n & 1);
  p[i] = sum + xcc::ballot(sum);
}
void calls(int *p) {
  unsigned i = xcc::thread_idx().x;
  if (p[i] > 3)
    p[i] = called(p[i]);
}

void start(float *f, int *p) {
  xcc::launch({{1}, {32}}, branch, f);
  xcc::launch({{1}, {32}}, arms, p);
  xcc::launch({{1}, {32}}, loop, p);
  xcc::launch({{1}, {32}}, calls, p);
}
