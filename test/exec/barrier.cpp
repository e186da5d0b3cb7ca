// Barriers: in sequence, in loops, in branches that whole blocks take, in
// functions that kernels call, and with threads that have ended.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

constexpr unsigned n = 96, blocks = 4;

// Each block has results of its own.
static int *ofBlock(int *out) { return out + xcc::block_idx().x * n; }

void rotate(int *out, int rounds) {
  static xcc::block_shared<int[n]> a, b;
  const unsigned t = xcc::thread_idx().x;
  out = ofBlock(out);
  a[t] = t;
  for (int i = 0; i < rounds; ++i) {
    xcc::sync_block();
    b[t] = a[(t + 1) % n];
    xcc::sync_block();
    a[t] = b[t];
  }
  out[t] = a[t];
}

void branch(int *out, int which) {
  static xcc::block_shared<int[n]> a;
  const unsigned t = xcc::thread_idx().x;
  a[t] = t;
  out = ofBlock(out);
  int mine = 100 * t; // lives across the barriers
  if (which > 0) {
    xcc::sync_block();
    mine += a[n - 1 - t];
  } else {
    a[t] = 7;
    xcc::sync_block();
    switch (which) {
    case -1:
      xcc::sync_block();
      mine += a[(t + 5) % n];
      break;
    default:
      mine = -1;
    }
  }
  out[t] = mine;
}

[[gnu::noinline]] int neighbour(int *shared, int value) {
  const unsigned t = xcc::thread_idx().x;
  shared[t] = value;
  xcc::sync_block();
  const int result = shared[(t + 1) % n];
  xcc::sync_block();
  return result;
}

void in_function(int *out) {
  static xcc::block_shared<int[n]> a;
  const unsigned t = xcc::thread_idx().x;
  out = ofBlock(out);
  int value = neighbour(a.data(), t);
  out[t] = neighbour(a.data(), value);
}

// Half the threads end before the barrier, which then waits for the others.
void ended(int *out) {
  static xcc::block_shared<int[n]> a;
  const unsigned t = xcc::thread_idx().x;
  out = ofBlock(out);
  if (t >= n / 2) {
    out[t] = -1;
    return;
  }
  a[t] = t;
  xcc::sync_block();
  out[t] = a[n / 2 - 1 - t];
}

// A loop whose length only shared memory knows.
void until_done(int *out) {
  static xcc::block_shared<int> left;
  const unsigned t = xcc::thread_idx().x;
  out = ofBlock(out);
  if (t == 0)
    left = 5;
  int rounds = 0;
  while (true) {
    xcc::sync_block();
    const int now = left;
    xcc::sync_block();
    if (now == 0)
      break;
    ++rounds;
    if (t == 3)
      left = now - 1;
  }
  out[t] = rounds;
}

#define TEST(kernel, expected, ...)                                            \
  {                                                                            \
    out.fill_bytes(0x55);                                                      \
    xcc::launch({{blocks}, {n}}, kernel,                                       \
                out.data() __VA_OPT__(, ) __VA_ARGS__);                        \
    out.copy_to(host, blocks * n);                                             \
    for (int i = 0, t = 0; i < int(blocks * n); t = ++i % n)                   \
      check(host[i] == (expected), #kernel " " #__VA_ARGS__);                  \
  }

int main() {
  xcc::buffer<int> out(blocks * n);
  int host[blocks * n];
  TEST(rotate, t, 0);
  TEST(rotate, (t + 1) % int(n), 1);
  TEST(rotate, (t + 20) % int(n), 20);
  TEST(branch, 100 * t + int(n) - 1 - t, 1);
  TEST(branch, 100 * t + 7, -1);
  TEST(branch, -1, 0);
  TEST(in_function, (t + 2) % int(n));
  TEST(ended, t < int(n) / 2 ? int(n) / 2 - 1 - t : -1);
  TEST(until_done, 5);
  std::puts("barriers hold"); // CHECK: barriers hold
}
