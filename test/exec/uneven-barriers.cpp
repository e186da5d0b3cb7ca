// Barriers that threads of a block reach on different paths: in two arms of a
// branch, and in loops of different lengths. A barrier waits for all threads that
// have not ended, wherever they wait.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

constexpr unsigned n = 64, blocks = 3;

// Each block has results of its own.
static int *ofBlock(int *out) { return out + xcc::block_idx().x * n; }

void arms(int *out) {
  static xcc::block_shared<int[n]> a;
  const unsigned t = xcc::thread_idx().x;
  out = ofBlock(out);
  a[t] = t;
  if (t % 2) {
    xcc::sync_block();
    out[t] = a[n - 1 - t];
  } else {
    xcc::sync_block();
    out[t] = a[(t + 1) % n];
  }
}

void one_arm(int *out) {
  static xcc::block_shared<int[n]> a;
  const unsigned t = xcc::thread_idx().x;
  out = ofBlock(out);
  a[t] = 2 * t;
  if (t < 32) {
    xcc::sync_block();
    a[t] += 1;
  } else {
    xcc::sync_block();
    a[t] += 1;
  }
  xcc::sync_block();
  out[t] = a[n - 1 - t];
}

void lengths(int *out) {
  const unsigned t = xcc::thread_idx().x;
  for (unsigned i = 0; i < t; ++i)
    xcc::sync_block();
  ofBlock(out)[t] = t;
}

int main() {
  xcc::buffer<int> out(blocks * n);
  int host[blocks * n];
#define TEST(kernel, expected)                                                 \
  out.fill(0);                                                                 \
  xcc::launch({{blocks}, {n}}, kernel, out.data());                            \
  out.copy_to(host, blocks * n);                                               \
  for (int i = 0, t = 0; i < int(blocks * n); t = ++i % n)                     \
    check(host[i] == (expected), #kernel);
  TEST(arms, t % 2 ? int(n) - 1 - t : t + 1);
  TEST(one_arm, 2 * (int(n) - 1 - t) + 1);
  TEST(lengths, t);
  std::puts("all met"); // CHECK: all met
}
