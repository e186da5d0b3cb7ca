// A function that takes a variable list of arguments may wait for the block on
// the CPU device; on GPUs, where it cannot become part of its callers, the link
// says so.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// RUN: %not %xcc -O2 --offload-arch=sm_90 -foffload-no-cubin %s -o %t-gpu 2>&1 | FileCheck --check-prefix=GPU %s
// RUN: %not %xcc -O2 --offload-arch=gfx1100 %s -o %t-gpu 2>&1 | FileCheck --check-prefix=GPU %s
#include <cstdarg>
#include <cstdio>
#include <xcc/xcc.h>

// GPU: error: {{.*}}variadic-barriers.cpp:[[# @LINE + 17]]: kernel {{.*}} waits at a barrier in 'sum(int, ...)', which cannot become part of its callers
// GPU: note: on GPUs a kernel waits where its whole call path to the barrier is in one function; wait in a caller
int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  for (int i = 0; i < n; ++i) {
    total += va_arg(list, int);
    xcc::sync_block();
    total += xcc::thread_idx().x;
  }
  va_end(list);
  return total;
}
int main() {
  xcc::buffer<int> sums(64);
  int *out = sums.data();
  xcc::launch({{1}, {64}}, [=] {
    int i = xcc::thread_idx().x;
    out[i] = sum(3, i, 2 * i, 3 * i);
  });
  int values[64];
  sums.copy_to(values, 64);
  int wrong = 0;
  for (int i = 0; i < 64; ++i)
    wrong += values[i] != 9 * i;
  std::printf("%d wrong\n", wrong); // CHECK: 0 wrong
}
