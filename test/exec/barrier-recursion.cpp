// Barriers in functions that call themselves at their end, where threads of a warp go to different depths.
// RUN: %xcc -O0 %s -o %t && %t
// RUN: %xcc -O1 %s -o %t && %t
// RUN: %xcc -O2 %s -o %t && %t
#include <algorithm>
#include <cstdio>
#include <xcc/xcc.h>

constexpr int threads = 96;

/// Each level adds to the next thread's, one after the other.
[[gnu::noinline]] void levels(int *p, int n, int by) {
  const int t = xcc::thread_idx().x;
  if (n == 0)
    return;
  xcc::sync_block();
  const int other = p[(t + 1) % threads];
  xcc::sync_block();
  p[t] += other % 7 + by;
  if (t & 8) {
    levels(p, n - 1, by + 1);
  } else {
    p[t] ^= 5;
    levels(p, n - 1, by);
  }
}
[[gnu::noinline]] unsigned sum(const int *p, unsigned n) {
  if (n == 0)
    return 1;
  xcc::sync_block();
  return p[(xcc::thread_idx().x + n) % threads] + sum(p, n - 1);
}
void same_depth(int *p) { levels(p, 5, 1); }
void with_result(int *p) {
  const int t = xcc::thread_idx().x;
  p[threads + t] = sum(p, 4 + t % 3);
}
void lambda(int *p) {
  const int t = xcc::thread_idx().x;
  auto down = [&](auto &&self, int n) -> void {
    if (n == 0)
      return;
    p[t] += n;
    xcc::sync_block();
    self(self, n - 1);
  };
  down(down, t % 4);
}

int main() {
  int is[threads], should[threads], wrong = 0;
  for (int t = 0; t != threads; ++t)
    is[t] = should[t] = 11 * t;
  xcc::buffer<int> memory(2 * threads);
  auto compare = [&](const char *what, int from = 0) {
    int all[2 * threads];
    memory.copy_to(all, 2 * threads);
    std::copy_n(all + from, threads, is);
    for (int t = 0; t != threads; ++t)
      if (is[t] != should[t] && wrong++ < 10)
        std::printf("%s, thread %d: %d instead of %d\n", what, t, is[t],
                    should[t]);
  };
  memory.copy_from(is, threads);

  xcc::launch({{1}, {threads}}, same_depth, memory.data());
  for (int level = 0; level != 5; ++level) {
    int before[threads];
    for (int t = 0; t != threads; ++t)
      before[t] = should[t];
    for (int t = 0; t != threads; ++t) {
      should[t] += before[(t + 1) % threads] % 7 + 1 + (t & 8 ? level : 0);
      should[t] ^= t & 8 ? 0 : 5;
    }
  }
  compare("same depth");

  xcc::launch({{1}, {threads}}, with_result, memory.data());
  int sums[threads];
  for (int t = 0; t != threads; ++t) {
    sums[t] = 1;
    for (int n = 4 + t % 3; n != 0; --n)
      sums[t] += should[(t + n) % threads];
  }
  for (int t = 0; t != threads; ++t)
    should[t] = sums[t];
  compare("with a result", threads);
  memory.copy_from(should, threads);

  xcc::launch({{1}, {threads}}, lambda, memory.data());
  for (int t = 0; t != threads; ++t)
    for (int n = t % 4; n != 0; --n)
      should[t] += n;
  compare("lambda");
  return wrong != 0;
}
