// What a thread does before it ends comes before what others do behind a barrier.
//
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>
static void k(unsigned *p, unsigned *out) {
  const unsigned t = xcc::thread_idx().x;
  if (t % 4 == 0) {
    out[t] = p[(t + 1) % 32]; // before the barrier: 0
    return;
  }
  xcc::sync_block();
  p[t] = 7;
  out[t] = 0;
}
int main() {
  xcc::buffer<unsigned> p(32), o(32);
  p.fill(0);
  xcc::launch({{1}, {32}}, k, p.data(), o.data());
  std::vector<unsigned> h(32);
  o.copy_to(h.data(), 32);
  unsigned bad = 0;
  for (unsigned x : h) bad += x != 0;
  std::printf("%u wrong\n", bad);
}
// CHECK: 0 wrong
