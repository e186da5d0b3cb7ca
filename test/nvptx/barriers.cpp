// Threads of a warp that come to a barrier on different paths wait at one, all lanes
// of it; those that end do so by themselves, without waiting at a return for others
// that wait at a barrier.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: %xcc -std=c++20 -O0 -S -foffload-device-only -o - -offload-arch=sm_90 %s \
// RUN:   | FileCheck %s
// RUN: %xcc -std=c++20 -O1 -g -S -foffload-device-only -o - -offload-arch=sm_90 %s \
// RUN:   | FileCheck %s
#include <xcc/xcc.h>

// Kernels stand in their entries: a thread that returns from one has ended.
// CHECK-LABEL: .entry {{.*}}5early{{.*}}({{$}}
// CHECK-NOT: call.uni {{.*}}5early
// CHECK: {{bar|barrier}}.sync
// CHECK-NOT: {{bar|barrier}}.sync
// CHECK: {{^}$}}
[[gnu::noinline]] void early(int *p, int n) {
  static xcc::block_shared<int[64]> a;
  const int t = xcc::thread_idx().x;
  if (t >= n)
    return;
  a[t] = t;
  xcc::sync_block();
  p[t] = a[n - 1 - t];
}
// FAST-LABEL: .entry {{.*}}7uniform{{.*}}({{$}}
// FAST-NOT: barrier.sync
// FAST: bar.sync
// FAST: {{^}$}}
void uniform(int *p, int n) {
  for (int i = 0; i < n; ++i)
    xcc::sync_block();
  p[xcc::thread_idx().x] = n;
}
// CHECK-LABEL: .entry {{.*}}4arms{{.*}}({{$}}
// CHECK-NOT: bar.sync
// CHECK: barrier.sync
// CHECK-NOT: {{bar|barrier}}.sync
// CHECK: {{^}$}}
void arms(int *p) {
  const int t = xcc::thread_idx().x;
  if (t & 1) {
    xcc::sync_block();
    p[t] = 1;
  } else {
    xcc::sync_block();
    p[t] = 2;
  }
}
// A function with a barrier is part of its callers, also behind a pointer.
// CHECK-LABEL: .entry {{.*}}6called{{.*}}({{$}}
// CHECK-NOT: {{bar|barrier}}.sync
// CHECK: barrier.sync
// CHECK-NOT: {{bar|barrier}}.sync
// CHECK: {{^}$}}
[[gnu::noinline]] int wait(int x) {
  xcc::sync_block();
  return x + 1;
}
void called(int *p, int (*which)(int)) {
  const int t = xcc::thread_idx().x;
  int (*f)(int) = p[t] ? which : wait;
  p[t] = t & 1 ? wait(t) : f(2 * t);
}
// Ends with work to do first.
// CHECK-LABEL: .entry {{.*}}4work{{.*}}({{$}}
// CHECK-NOT: bar.sync
// CHECK: barrier.sync
// CHECK-NOT: {{bar|barrier}}.sync
// CHECK: exit;
// CHECK-NOT: {{bar|barrier}}.sync
// CHECK: {{^}$}}
void work(int *p) {
  const int t = xcc::thread_idx().x;
  if (t % 3 == 1) {
    for (int i = 0; i < t; ++i)
      p[t] += p[i] * i;
    return;
  }
  xcc::sync_block();
  p[t] = 2;
}

void start(int *p) {
  xcc::launch({{1}, {32}}, early, p, 3);
  xcc::launch({{1}, {32}}, uniform, p, 3);
  xcc::launch({{1}, {32}}, arms, p);
  xcc::launch({{1}, {32}}, called, p, wait);
  xcc::launch({{1}, {32}}, work, p);
}
