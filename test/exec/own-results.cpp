// A function that is not part of the kernel's code and asks for its thread gives
// each thread its own result, though all call it with the same arguments.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | %FileCheck %s
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

using xcc::block_idx, xcc::thread_idx;

// Recursive, so that it stays a function, and without any effect.
[[gnu::noinline]] unsigned own(unsigned depth, unsigned v) {
  if (depth == 0)
    return v + thread_idx().x * 3 + thread_idx().y * 1000;
  return own(depth - 1, v * 2 + 1) ^ (v & 1);
}
[[gnu::noinline]] unsigned even(unsigned n);
[[gnu::noinline]] unsigned odd(unsigned n) { return n == 0 ? block_idx().x : even(n - 1) + 1; }
[[gnu::noinline]] unsigned even(unsigned n) {
  return n == 0 ? thread_idx().x : odd(n - 1) + 1;
}

static void once(unsigned, unsigned *out) {
  const unsigned i = block_idx().x * 32 + thread_idx().y * 16 + thread_idx().x;
  out[i] = own(2, 5);
}
// Before a barrier, behind one, and in a loop that all threads take together.
static void around(unsigned turns, unsigned *out) {
  static xcc::block_shared<unsigned[32]> kept;
  const unsigned t = thread_idx().y * 16 + thread_idx().x;
  unsigned sum = own(1, 7);
  kept[t] = sum;
  xcc::sync_block();
  sum += kept[31 - t] + own(2, 5);
  for (unsigned k = 0; k < turns; ++k) {
    sum = sum * 3 + own(1, k) + even(4) + odd(3);
    xcc::sync_block();
  }
  out[block_idx().x * 32 + t] = sum;
}
static void whenAsked(unsigned limit, unsigned *out) {
  const unsigned i = block_idx().x * 32 + thread_idx().y * 16 + thread_idx().x;
  if (own(0, 0) < limit)
    out[i] = own(0, 1);
  else
    out[i] = even(2);
}

static unsigned hostOwn(unsigned depth, unsigned v, unsigned x, unsigned y) {
  return depth == 0 ? v + x * 3 + y * 1000 : hostOwn(depth - 1, v * 2 + 1, x, y) ^ (v & 1);
}

static int failures = 0;
template <auto kernel, class Want> void check(const char *name, unsigned n, Want want) {
  xcc::buffer<unsigned> out(64);
  out.fill(0);
  xcc::launch({{2}, {16, 2}}, kernel, n, out.data());
  const std::vector<unsigned> got = out.to_vector();
  int wrong = 0;
  for (unsigned i = 0; i < 64; ++i)
    wrong += got[i] != want(i % 16, i / 16 % 2, i / 32);
  if (wrong)
    std::printf("%s: %d are wrong\n", name, wrong);
  failures += wrong;
}

int main() {
  check<once>("once", 0, [](unsigned x, unsigned y, unsigned) { return hostOwn(2, 5, x, y); });
  check<around>("around", 3, [](unsigned x, unsigned y, unsigned b) {
    const unsigned t = 31 - (y * 16 + x);
    unsigned sum = hostOwn(1, 7, x, y);
    sum += hostOwn(1, 7, t % 16, t / 16) + hostOwn(2, 5, x, y);
    for (unsigned k = 0; k < 3; ++k) // even(4) ends in even, odd(3) too
      sum = sum * 3 + hostOwn(1, k, x, y) + (x + 4) + (x + 3);
    return sum + 0 * b;
  });
  check<whenAsked>("whenAsked", 20, [](unsigned x, unsigned y, unsigned) {
    return hostOwn(0, 0, x, y) < 20 ? hostOwn(0, 1, x, y) : x + 2;
  });
  std::puts(failures ? "failed" : "good"); // CHECK: good
}
