// A wave has one program counter: what each of its lanes would wait at on its own
// path is one s_barrier for all of them, at every level of optimisation.
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck %s
// RUN: %amdgcn -offload-arch=gfx1100 %s | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -S -foffload-device-only -o - -offload-arch=gfx90a %s \
// RUN:   | FileCheck %s
// RUN: %xcc -std=c++20 -O1 -g -S -foffload-device-only -o - \
// RUN:   -offload-arch=gfx1100 %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK-LABEL: {{^}}{{.*}}4arms{{.*}}:{{$}}
// CHECK-NOT: s_barrier
// CHECK: s_barrier{{$}}
// CHECK-NOT: s_barrier
// CHECK: .end_amdhsa_kernel
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
// CHECK-LABEL: {{^}}{{.*}}5cases{{.*}}:{{$}}
// CHECK-NOT: s_barrier
// CHECK: s_barrier{{$}}
// CHECK-NOT: s_barrier
// CHECK: .end_amdhsa_kernel
[[gnu::noinline]] void wait(int *p) {
  *p += 1;
  xcc::sync_block();
  *p += 2;
}
void cases(int *p) {
  const int t = xcc::thread_idx().x;
  for (int i = 0; i < p[t]; ++i)
    switch (t % 3) {
    case 0:
      wait(p + t);
      break;
    case 1:
      wait(p + 2 * t);
      [[fallthrough]];
    default:
      xcc::sync_block();
    }
}
// Two where all lanes come to both.
// CHECK-LABEL: {{^}}{{.*}}7uniform{{.*}}:{{$}}
// CHECK-COUNT-2: s_barrier{{$}}
// CHECK-NOT: s_barrier
// CHECK: .end_amdhsa_kernel
void uniform(int *p, int n) {
  const int t = xcc::thread_idx().x;
  if (t >= n)
    return;
  p[t] = 1;
  xcc::sync_block();
  p[t + 1] += 1;
  xcc::sync_block();
  p[t] = 2;
}

void start(int *p) {
  xcc::launch({{1}, {32}}, arms, p);
  xcc::launch({{1}, {32}}, cases, p);
  xcc::launch({{1}, {32}}, uniform, p, 3);
}
