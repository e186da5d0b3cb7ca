// Arrays of variable length: of another length in each thread, in loops, branches
// and recursive functions, aligned, several at once, beside structures that are
// passed by value, and alive over barriers to which lanes come on different paths.
// RUN: %xcc -std=c++20 -O0 -Wno-vla-cxx-extension %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -Wno-vla-cxx-extension %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

[[gnu::noinline]] void fill(int *a, int n, int by) {
  for (int i = 0; i < n; ++i)
    a[i] = i * by + n;
}
[[gnu::noinline]] int sum(const int *a, int n) {
  int result = 0;
  for (int i = 0; i < n; ++i)
    result = result * 3 + a[i];
  return result;
}

int loops(int t) {
  int fixed[3] = {t, t + 1, t + 2}, result = 0;
  for (int n = 1; n < 4 + t % 5; ++n) {
    int a[n];
    fill(a, n, t);
    if ((n + t) % 3 == 0)
      continue;
    int b[2 * n];
    fill(b, 2 * n, -t);
    result += sum(a, n) - sum(b, 2 * n);
    if (result % 17 == 5)
      break;
  }
  return result + fixed[0] + fixed[t % 3];
}

int branches(int t) {
  int n = 1 + t % 7;
  int first[n];
  fill(first, n, 3);
  int result = 0;
  if (t % 2) {
    int a[n + 2];
    fill(a, n + 2, 5);
    result = sum(a, n + 2);
  } else {
    struct alignas(64) Wide {
      int v[16];
    };
    Wide w[n];
    for (int i = 0; i < n; ++i)
      fill(w[i].v, 16, i);
    result = sum(w[n - 1].v, 16) + int(reinterpret_cast<unsigned long>(w) % 64);
  }
  return result + sum(first, n);
}

[[gnu::noinline]] int deep(int n, int t) {
  if (n == 0)
    return t;
  int own[n];
  fill(own, n, t);
  const int below = deep(n - 1, t + 1);
  return sum(own, n) + below;
}

/// Small ones, of which many are alive.
[[gnu::noinline]] int many(int n, int t) {
  int own[1 + (n + t) % 3];
  fill(own, 1 + (n + t) % 3, t);
  const int below = n ? many(n - 1, t + 1) : t;
  return sum(own, 1 + (n + t) % 3) + below * 3;
}

/// Frames of odd sizes between arrays that come and go.
[[gnu::noinline]] int leaf(const int *a, int n) {
  volatile char odd[20];
  for (int i = 0; i < 20; ++i)
    odd[i] = i * n;
  int result = 0;
  for (int i = 0; i < n; ++i)
    result = result * 5 + a[i] + odd[i % 20];
  return result;
}
[[gnu::noinline]] int frames(const int *a, int n, int depth) {
  volatile int own[5];
  for (int i = 0; i < 5; ++i)
    own[i] = i + depth;
  int result = 0;
  for (int i = 1; i < 4; ++i) {
    int v[n + i];
    fill(v, n + i, depth);
    result += leaf(v, n + i) + leaf(a, n);
    if (i == 2 && depth % 2)
      continue;
    int w[i];
    fill(w, i, n);
    result ^= leaf(w, i);
  }
  if (depth > 0) {
    const int x[3] = {n, depth, result};
    result += frames(x, 3, depth - 1);
  }
  return result + own[depth % 5];
}

/// A structure by value whose elements are named at run time.
struct Passed {
  long first;
  int second[3];
};
[[gnu::noinline]] int by_value(Passed p, int n, int t) {
  int own[n];
  fill(own, n, t);
  p.second[t % 3] += sum(own, n);
  return leaf(p.second, 3) + int(p.first) + p.second[n % 3];
}

// Some have ended, others have left the loop, when others still use theirs.
constexpr int threads = 96;
int waits(int t, int rounds, void (*meet)()) {
  if (t % 7 == 3)
    return -1;
  const int n = t % 4 + rounds;
  int outer[n];
  fill(outer, n, t);
  int result = 0;
  for (int round = 0; round < rounds; ++round) {
    int inner[round + t % 3 + 1];
    fill(inner, round + t % 3 + 1, round);
    if (t % 5 == round)
      break;
    if (t % 2) {
      meet();
      result += sum(inner, round + 1);
    } else {
      meet();
    }
    int more[n];
    fill(more, n, result);
    result += leaf(more, n) + leaf(inner, round + t % 3 + 1);
  }
  return result * 3 + leaf(outer, n);
}
void over_barriers(int *out, int rounds) {
  const int t = xcc::thread_idx().x;
  out[t] = waits(t, rounds, [] { xcc::sync_block(); });
}

int main() {
  xcc::buffer<int> out(threads);
  int values[threads];
  for (int rounds : {1, 2, 5}) {
    xcc::launch({1, threads}, over_barriers, out.data(), rounds);
    out.copy_to(values, threads);
    for (int t = 0; t < threads; ++t)
      check(values[t] == waits(t, rounds, [] {}), "over barriers");
  }
  same("loops", 150, [](std::size_t i) { return loops(int(i)); });
  same("branches", 150, [](std::size_t i) { return branches(int(i)); });
  same("deep", 150, [](std::size_t i) { return deep(int(i) % 6, int(i)); });
  same("many", 150, [](std::size_t i) { return many(60, int(i)); });
  same("frames", 150, [](std::size_t i) {
    const int a[7] = {1, 2, 3, int(i), 5, 6, 7};
    return frames(a, 1 + int(i) % 7, int(i) % 4) + leaf(a, 7);
  });
  same("by value", 150, [](std::size_t i) {
    const int t = int(i);
    int (*const volatile call)(Passed, int, int) = by_value;
    return call({t, {t, 2, 3}}, 1 + t % 5, t);
  });
  std::puts("all same"); // CHECK: all same
}
