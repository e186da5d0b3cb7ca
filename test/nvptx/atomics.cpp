// Atomics are one instruction where the GPU has one; before sm_70 fences stand
// around what PTX cannot order there.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -offload-arch=sm_60 %s | FileCheck --check-prefix=OLD %s
#include <atomic>
#include <xcc/xcc.h>
constexpr auto relaxed = std::memory_order_relaxed;

// CHECK-LABEL: .entry {{.*}}8integers{{.*}}({{$}}
// CHECK: atom{{.*}}.add.u32
// CHECK: atom{{.*}}.max.s32
// CHECK: ret;
void integers(int *p) {
  p[3] = std::atomic_ref<int>(p[0]).fetch_add(2, relaxed);
  p[6] = __atomic_fetch_max(p + 1, 7, __ATOMIC_RELAXED);
}
// Doing it in some order is part of the instruction from sm_70 on.
// CHECK-LABEL: .entry {{.*}}8exchange{{.*}}({{$}}
// CHECK: fence.sc.sys;
// CHECK: atom.acquire.sys{{.*}}.cas.b32
// OLD-LABEL: .entry {{.*}}8exchange{{.*}}({{$}}
// OLD: membar.sys;
// OLD-NEXT: atom.sys{{.*}}.cas.b32
// OLD-NEXT: membar.sys;
void exchange(int *p) {
  int expected = 4;
  std::atomic_ref<int>(p[0]).compare_exchange_strong(expected, 5);
  p[1] = expected;
}
// CHECK-LABEL: .entry {{.*}}4wide{{.*}}({{$}}
// CHECK: atom{{.*}}.add{{.*}}64
// CHECK: atom{{.*}}.exch.b64
// OLD-LABEL: .entry {{.*}}4wide{{.*}}({{$}}
// OLD: atom{{.*}}.add{{.*}}64
void wide(unsigned long *p) {
  std::atomic_ref<unsigned long> a(p[0]), b(p[1]);
  p[2] = a.fetch_add(2, relaxed) + b.exchange(3, relaxed);
}
// Floating point is added by the hardware, doubles from sm_60 on.
// CHECK-LABEL: .entry {{.*}}8floating{{.*}}({{$}}
// CHECK: atom{{.*}}.add.f32
// CHECK: atom{{.*}}.add.f64
// CHECK-NOT: cas
// CHECK: ret;
// OLD-LABEL: .entry {{.*}}8floating{{.*}}({{$}}
// OLD: atom{{.*}}.add.f32
// OLD: atom{{.*}}.add.f64
// OLD-NOT: membar
// OLD: ret;
void floating(float *p, double *d) {
  __atomic_fetch_add(p, 2.0f, __ATOMIC_RELAXED);
  __atomic_fetch_add(d, 2.0, __ATOMIC_RELAXED);
}
// CHECK-LABEL: .entry {{.*}}3ref{{.*}}({{$}}
// CHECK: atom
void ref(float *p) { std::atomic_ref<float>(*p).fetch_add(2.0f, relaxed); }

// CHECK-LABEL: .entry {{.*}}6orders{{.*}}({{$}}
// CHECK: st.release.sys{{.*}}.b32
// CHECK: ld.acquire.sys{{.*}}.b32
// OLD-LABEL: .entry {{.*}}6orders{{.*}}({{$}}
// OLD: membar.sys
// OLD: st.volatile
// OLD: membar.sys
// OLD: ld.volatile
// OLD: membar.sys
void orders(int *p) {
  std::atomic_ref<int>(p[0]).store(1, std::memory_order_release);
  p[2] = std::atomic_ref<int>(p[1]).load(std::memory_order_acquire);
}
// Those of shared memory are shared memory's.
// CHECK-LABEL: .entry {{.*}}6shared{{.*}}({{$}}
// CHECK: atom{{.*}}.shared{{.*}}.add
void shared(int *p) {
  static xcc::block_shared<int> count;
  p[xcc::thread_idx().x] = std::atomic_ref<int>(count.get()).fetch_add(1, relaxed);
}

void start(int *p, unsigned long *u, float *f, double *d) {
  xcc::launch({{1}, {1}}, integers, p);
  xcc::launch({{1}, {1}}, exchange, p);
  xcc::launch({{1}, {1}}, wide, u);
  xcc::launch({{1}, {1}}, floating, f, d);
  xcc::launch({{1}, {1}}, ref, f);
  xcc::launch({{1}, {1}}, orders, p);
  xcc::launch({{1}, {1}}, shared, p);
}
