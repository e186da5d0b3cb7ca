// Threads that end early, loops of different lengths, goto, and arrays of a
// thread's own whose address escapes, with barriers in between.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

constexpr unsigned n = 100, blocks = 2;

// Each block has results of its own.
static int *ofBlock(int *out) { return out + xcc::block_idx().x * n; }

void lengths(int *out) {
  const int t = xcc::thread_idx().x;
  out = ofBlock(out);
  out[t] = -1;
  if (t % 7 == 3)
    return;
  int sum = 0;
  for (int i = 0; i < t; ++i) {
    if (i % 5 == 4)
      continue;
    if (i > 60)
      break;
    sum += i;
    if (sum > 1500)
      return;
  }
  out[t] = sum;
}

void with_goto(int *out) {
  int t = xcc::thread_idx().x, i = 0;
  out = ofBlock(out);
again:
  if (i * i < t) {
    ++i;
    goto again;
  }
  switch (i % 4) {
  case 0:
    i += 100;
    [[fallthrough]];
  case 1:
    i += 1000;
    break;
  case 2:
    goto again2;
  default:
    i = -i;
  }
  out[t] = i;
  return;
again2:
  out[t] = 5;
}

[[gnu::noinline]] void fill(int *own, int t) {
  for (int i = 0; i < 16; ++i)
    own[i] = t * 100 + i;
}
[[gnu::noinline]] int sum(const int *own) {
  int result = 0;
  for (int i = 0; i < 16; ++i)
    result += own[i];
  return result;
}

void escaping(int *out) {
  static xcc::block_shared<int *[n]> where;
  const int t = xcc::thread_idx().x;
  out = ofBlock(out);
  int own[16];
  fill(own, t);
  where[t] = own;
  xcc::sync_block();
  // The array belongs to the thread, but others may be shown the way to it.
  where[(t + 1) % n][3] += 1;
  xcc::sync_block();
  out[t] = sum(own);
}

void end_between(int *out) {
  static xcc::block_shared<int[n]> a;
  const int t = xcc::thread_idx().x;
  int own[4] = {t, t, t, t};
  out = ofBlock(out);
  out[t] = 0;
  if (t >= 90)
    return;
  for (int round = 0; round < 9; ++round) {
    if (t >= 10 * (round + 1) && round == 5)
      return;
    a[t] = own[round % 4];
    xcc::sync_block();
    own[(round + 1) % 4] += a[t / 2];
    xcc::sync_block();
    out[t] = round + 1;
  }
}

#define TEST(kernel, ...)                                                      \
  {                                                                            \
    out.fill_bytes(0x55);                                                      \
    xcc::launch({{blocks}, {n}}, kernel, out.data());                          \
    out.copy_to(host, blocks * n);                                             \
    auto expected = [](int t) -> int { __VA_ARGS__ };                          \
    for (int i = 0, t = 0; i < int(blocks * n); t = ++i % n)                   \
      if (host[i] != expected(t)) {                                            \
        std::printf("FAILED: %s, thread %d: %d not %d\n", #kernel, t, host[i], \
                    expected(t));                                              \
        return 1;                                                              \
      }                                                                        \
  }

int main() {
  xcc::buffer<int> out(blocks * n);
  int host[blocks * n];
  TEST(lengths, {
    if (t % 7 == 3)
      return -1;
    int sum = 0;
    for (int i = 0; i < t && i <= 60; ++i)
      if (i % 5 != 4 && (sum += i) > 1500)
        return -1;
    return sum;
  });
  TEST(with_goto, {
    int i = 0;
    while (i * i < t)
      ++i;
    const int by_case[] = {i + 1100, i + 1000, 5, -i};
    return by_case[i % 4];
  });
  TEST(escaping, { return 16 * 100 * t + 120 + 1; });
  TEST(end_between, { return t >= 90 ? 0 : t >= 60 ? 5 : 9; });
  std::puts("all ends are right"); // CHECK: all ends are right
}
