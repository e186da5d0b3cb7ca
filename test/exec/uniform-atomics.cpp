// Many threads add to one variable: integers, floating-point numbers, by the
// standard library's loops and by the compiler's own operations; all of it
// arrives, from blocks of any shape, also where some threads add nothing, where
// the result is asked for, and where a block writes elsewhere beside it.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | %FileCheck %s
#include <xcc/xcc.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

struct Sums {
  float all = 0, some = 0, striding = 0;
  double wide = 0;
  int counted = 0, taken = 0, odd = 0;
  unsigned long long large = 0, last = 0;
};

template <class T> static void add(T &to, T value) {
  std::atomic_ref<T>(to).fetch_add(value, std::memory_order_relaxed);
}

static void sums(int n, Sums &s, std::vector<int> &order) {
  const int i = int(xcc::global_id());
  if (i >= n)
    return;
  add(s.all, float(i % 8));
  __atomic_fetch_add(&s.counted, i % 5, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&s.large, 3ull * unsigned(i), __ATOMIC_RELAXED);
  add(s.wide, i * 0.5);
  // Every number once.
  order[__atomic_fetch_add(&s.taken, 1, __ATOMIC_RELAXED)] += 1;
  if (i % 2) {
    add(s.some, 2.0f);
    __atomic_fetch_add(&s.odd, 1, __ATOMIC_RELAXED);
  }
}
static void alone(int n, Sums &s, std::vector<int> &written) {
  const int i = int(xcc::global_id());
  if (i >= n)
    return;
  written[i] += i;
  __atomic_fetch_add(&s.last, (unsigned long long)i, __ATOMIC_RELAXED);
}
static void striding(int n, Sums &s, const std::vector<int> &x) {
  float sum = 0;
  for (int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x; i < n;
       i += xcc::block_dim().x * xcc::grid_dim().x)
    sum += float(x[i] % 4);
  add(s.striding, sum);
}
// Some threads, several variables, other operations than sums, and a grid stride.
struct Marks {
  unsigned thirds = 0, high = 0, bits = 0, odd = 0, least = ~0u, common = ~0u, striding = 0;
  int most = -1000, last = 0;
};
static void marks(int n, Marks &m, const std::vector<int> &x) {
  const int i = int(xcc::global_id());
  if (i >= n)
    return;
  const int v = x[i];
  if (v % 3 == 0)
    __atomic_fetch_add(&m.thirds, 1u, __ATOMIC_RELAXED);
  if (v > 500)
    __atomic_fetch_sub(&m.high, 1u, __ATOMIC_RELAXED);
  else
    __atomic_fetch_or(&m.bits, 1u << v % 32, __ATOMIC_RELAXED);
  __atomic_fetch_xor(&m.odd, unsigned(v), __ATOMIC_RELAXED);
  __atomic_fetch_and(&m.common, unsigned(v) | 64, __ATOMIC_RELAXED);
  if (v > 10)
    __atomic_fetch_min(&m.least, unsigned(v), __ATOMIC_RELAXED);
  __atomic_fetch_max(&m.most, -v, __ATOMIC_RELAXED);
}
static void marks_striding(int n, Marks &m, const std::vector<int> &x, std::vector<int> &seen) {
  for (int i = int(xcc::global_id()); i < n; i += int(xcc::global_size()))
    if (x[i] % 3 == 0)
      __atomic_fetch_add(&m.striding, 1u, __ATOMIC_RELAXED);
  // What a thread reads behind its addition has that in it.
  const int i = int(xcc::global_id());
  if (i >= n)
    return;
  if (i == n - 1)
    __atomic_fetch_add(&m.last, 5, __ATOMIC_RELAXED);
  if (i == n - 1)
    seen[i] = m.last;
}
// Nobody adds: the variable is not there.
static void none(int n, float *to) {
  const int i = int(xcc::global_id());
  if (i < n && i < 0)
    add(*to, 1.0f);
}
static void none_counted(int n, int *to) {
  const int i = int(xcc::global_id());
  if (i < n && i % 7 == 9)
    __atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
}
static void differing(int n, float *to) {
  const int i = int(xcc::global_id());
  if (i < n)
    add(to[i % 3], 1.0f);
}

int main() {
  bool right = true;
  for (unsigned threads : {1, 7, 64, 256})
    for (int n : {0, 1, 33, 1000, 4097}) {
      const unsigned blocks = (n + threads - 1) / threads + 1;
      Sums got, want;
      std::vector<int> order(n), once(n, 1), written(n), x(n);
      for (int i = 0; i < n; ++i) {
        x[i] = i * 7;
        want.all += float(i % 8);
        want.counted += i % 5;
        want.large -= 3ull * unsigned(i);
        want.wide += i * 0.5;
        want.some += i % 2 ? 2.0f : 0;
        want.odd += i % 2;
        want.last += i;
        want.striding += float(x[i] % 4);
      }
      xcc::launch({{blocks}, {threads}}, sums, n, got, order);
      xcc::launch({{blocks}, {threads}}, alone, n, got, written);
      xcc::launch({{3}, {threads}}, striding, n, got, x);
      xcc::launch({{blocks}, {threads}}, none, n, nullptr);
      xcc::launch({{blocks}, {threads}}, none_counted, n, nullptr);
      Marks have, need;
      std::vector<int> seen(n);
      for (int v : x) {
        need.thirds += v % 3 == 0;
        if (v > 500)
          --need.high;
        else
          need.bits |= 1u << v % 32;
        need.odd ^= unsigned(v);
        need.common &= unsigned(v) | 64;
        if (v > 10)
          need.least = std::min(need.least, unsigned(v));
        need.most = std::max(need.most, -v);
      }
      need.striding = need.thirds;
      xcc::launch({{blocks}, {threads}}, marks, n, have, x);
      xcc::launch({{blocks}, {threads}}, marks_striding, n, have, x, seen);
      xcc::buffer<float> three(3);
      three.fill(0);
      xcc::launch({{blocks}, {threads}}, differing, n, three);
      xcc::synchronize();
      const std::vector<float> thirds = three.to<std::vector>();
      const bool ok = got.all == want.all && got.counted == want.counted &&
                      got.large == want.large && got.wide == want.wide && got.taken == n &&
                      order == once && got.some == want.some && got.odd == want.odd &&
                      got.last == want.last && got.striding == want.striding &&
                      thirds[0] + thirds[1] + thirds[2] == float(n) &&
                      have.thirds == need.thirds && have.high == need.high &&
                      have.bits == need.bits && have.odd == need.odd && have.most == need.most &&
                      have.least == need.least && have.common == need.common &&
                      have.striding == need.striding && (n == 0 || seen[n - 1] == 5);
      for (int i = 0; i < n; ++i)
        right &= written[i] == i;
      if (!ok)
        std::printf("wrong: %d threads of %u: %g %g %d %d %g %g\n", n, threads, got.all,
                    want.all, got.counted, want.counted, got.striding, want.striding);
      right &= ok;
    }
  std::puts(right ? "all arrived" : "something is missing"); // CHECK: all arrived
}
