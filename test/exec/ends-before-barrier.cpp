// What a thread does before it ends comes before what others do after a barrier. A
// path before one that ends in a trap or a failed assertion keeps nobody waiting.
//
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include <xcc/xcc.h>

#include <cassert>
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
static void traps(unsigned *p, unsigned bad) {
  static xcc::block_shared<unsigned> sum;
  const unsigned t = xcc::thread_idx().x;
  if (t == 0) {
    if (bad)
      __builtin_trap();
    sum = 5;
  }
  xcc::sync_block();
  p[t] = sum + t;
}
static void asserts(unsigned *p, unsigned bad) {
  static xcc::block_shared<unsigned> sum;
  const unsigned t = xcc::thread_idx().x;
  if (t == 0) {
    assert(!bad);
    if (p[3] == 77)
      __builtin_trap();
    sum = 6;
  } else if (t == 1) {
    assert(p[2] < 100);
  }
  xcc::sync_block();
  p[t] += sum + t;
}
int main() {
  xcc::buffer<unsigned> numbers(64);
  xcc::launch({{1}, {64}}, traps, numbers.data(), 0u);
  xcc::launch({{1}, {64}}, asserts, numbers.data(), 0u);
  std::vector<unsigned> sums(64);
  numbers.copy_to(sums.data(), 64);
  for (unsigned t = 0; t < 64; ++t)
    if (sums[t] != 11 + 2 * t)
      std::printf("thread %u: %u\n", t, sums[t]);
  xcc::buffer<unsigned> p(32), o(32);
  p.fill(0);
  xcc::launch({{1}, {32}}, k, p.data(), o.data());
  std::vector<unsigned> h(32);
  o.copy_to(h.data(), 32);
  unsigned bad = 0;
  for (unsigned x : h)
    bad += x != 0;
  std::printf("%u wrong\n", bad);
}
// CHECK: 0 wrong
