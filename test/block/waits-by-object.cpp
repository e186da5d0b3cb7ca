// A loop that looks at a variable by an object that it makes for each look waits, and lets other threads run.
//
// RUN: %xcc -std=c++20 -Wno-offload-race -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-race -O2 %s -o %t && %t | FileCheck %s
// CHECK: 64 of 64
#include <atomic>
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>
int main() {
  constexpr int n = 64;
  std::vector<int> v(n), w(n);
  int left = n;
  xcc::launch({{1}, {n}}, [&] {
    int i = xcc::thread_idx().x;
    v[i] = 5 * i + 1;
    std::atomic_ref(left).fetch_sub(1);
    while (std::atomic_ref(left).load(std::memory_order_acquire) > 0) {}
    w[i] = v[n - 1 - i];
  });
  xcc::synchronize();
  int right = 0;
  for (int i = 0; i < n; ++i) right += w[i] == 5 * (n - 1 - i) + 1;
  std::printf("%d of %d\n", right, n);
}
