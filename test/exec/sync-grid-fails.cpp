// A block that fails, or ends while others wait for it, ends a cooperative
// launch with one error; what comes next runs.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include <xcc/xcc.h>

#include <cstdio>
#include <cstdlib>

static void steps(int *sum, unsigned failing, unsigned ending) {
  xcc::sync_grid();
  if (xcc::block_idx().x == failing)
    std::abort();
  if (xcc::block_idx().x == ending)
    return;
  __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
  xcc::sync_grid();
}

int main() {
  xcc::buffer<int> sum(1);
  auto run = [&](const char *what, unsigned failing, unsigned ending) {
    sum.fill(0);
    xcc::launch(xcc::cooperative({{5}, {32}}), steps, sum.data(), failing,
                ending);
    try {
      xcc::synchronize();
      int all;
      sum.copy_to(&all, 1);
      std::printf("%s: %d\n", what, all);
    } catch (const xcc::error &e) {
      std::printf("%s: %s\n", what, e.what());
    }
  };
  const unsigned none = ~0u;
  run("good", none, none);
  run("abort", 3, none);
  run("good", none, none);
  run("first", 0, none);
  run("end", none, 2);
  run("good", none, none);
  xcc::launch({{5}, {32}}, steps, sum.data(), none, none);
  try {
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::printf("usual: %s\n", e.what());
  }
  run("good", none, none);
}
// CHECK: good: 160
// CHECK-NEXT: abort: kernel 'steps' launched at {{.*}} failed on device {{[0-9]+}} (host): {{.*}}abort
// CHECK-NEXT: good: 160
// CHECK-NEXT: first: kernel 'steps' launched at {{.*}}abort
// CHECK-NEXT: end: kernel 'steps' {{.*}} blocks wait in xcc::sync_grid for a block that has ended
// CHECK-NEXT: good: 160
// CHECK-NEXT: usual: kernel 'steps' {{.*}}xcc::sync_grid in a launch that is not cooperative
// CHECK-NEXT: good: 160
