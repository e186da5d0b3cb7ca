// Atomics are one instruction each, ordered as C++ asks, in global memory and in
// the LDS.
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck %s
#include <atomic>
#include <xcc/xcc.h>

// CHECK-LABEL: {{^}}{{.*}}7relaxed{{.*}}:
// CHECK-NOT: {{buffer_wbl2|buffer_invl2|buffer_wbinvl1_vol}}
// CHECK: global_atomic_add v
// CHECK-NOT: {{buffer_wbl2|buffer_invl2|buffer_wbinvl1_vol}}
// CHECK: s_endpgm
void relaxed(int *p) {
  std::atomic_ref<int>(p[0]).fetch_add(2, std::memory_order_relaxed);
}
// CHECK-LABEL: {{^}}{{.*}}7ordered{{.*}}:
// CHECK: s_waitcnt vmcnt(0)
// CHECK: global_atomic_add {{.*}} glc
// CHECK: buffer_wbinvl1_vol
// CHECK: s_endpgm
void ordered(int *p) {
  p[3] = 1;
  p[1] = std::atomic_ref<int>(p[0]).fetch_add(2) + p[5];
}
// CHECK-LABEL: {{^}}{{.*}}4wide{{.*}}:
// CHECK: global_atomic_{{(u|s)?}}max_x2
// CHECK: global_atomic_cmpswap_x2
void wide(unsigned long *p) {
  p[1] = __atomic_fetch_max(p, 3ul, __ATOMIC_RELAXED);
  unsigned long expected = 4;
  std::atomic_ref<unsigned long>(p[2]).compare_exchange_strong(expected, 5);
  p[3] = expected;
}
// CHECK-LABEL: {{^}}{{.*}}6shared{{.*}}:
// CHECK: ds_add_rtn_u32
void shared(int *p) {
  static xcc::block_shared<int> count;
  p[xcc::thread_idx().x] =
      std::atomic_ref<int>(count.get()).fetch_add(p[1], std::memory_order_relaxed);
}

void start(int *p, unsigned long *l) {
  xcc::launch({{1}, {1}}, relaxed, p);
  xcc::launch({{1}, {1}}, ordered, p);
  xcc::launch({{1}, {1}}, wide, l);
  xcc::launch({{1}, {1}}, shared, p);
}
