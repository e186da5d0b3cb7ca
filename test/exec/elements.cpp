// Threads that take several indices of a loop or of a grid: all lengths around
// what a block takes, wherever memory begins.
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | FileCheck %s
// RUN: %xcc -std=c++20 -O3 %s -o %t && %t | FileCheck %s
#include <xcc/xcc.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

static int failures = 0;
static void check(bool right, const char *what, std::size_t n, std::size_t from,
                  unsigned threads) {
  if (!right && ++failures)
    std::printf("%s: %zu from %zu in blocks of %u\n", what, n, from, threads);
}

template <class T>
static void loops(const char *type, std::size_t n, std::size_t from,
                  unsigned threads) {
  std::vector<T> x(n + 40), y(n + 40);
  std::vector<int> places(n + 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = T(i * 7 + 3);
    y[i] = T(i * 5 + 1);
  }
  for (std::size_t i = 0; i < n; ++i)
    places[i] = int((i * 13 + 5) % n);
  xcc::buffer<T> dx(x), dy(y), dz(y);
  xcc::buffer<int> dp(places);
  const xcc::loop_config how{nullptr, {threads}};
  const T *px = dx.data() + from;
  T *py = dy.data() + 2 * from, *pz = dz.data() + from;
  const int *at = dp.data();
  const int last = int(n) - 1;
  xcc::parallel_for(how, n,
                    [=](std::size_t i) { py[i] = T(px[i] * 3 + py[i]); });
  // Backwards, by an int, and scattered.
  xcc::parallel_for(how, n, [=](int i) {
    pz[last - i] = T(px[at[i]] + px[i] + px[i + 1]);
  });
  std::vector<T> z = y;
  for (std::size_t i = 0; i < n; ++i) {
    y[i + 2 * from] = T(x[i + from] * 3 + y[i + 2 * from]);
    z[n - 1 - i + from] =
        T(x[std::size_t(places[i]) + from] + x[i + from] + x[i + 1 + from]);
  }
  check(dy.to_vector() == y, type, n, from, threads);
  check(dz.to_vector() == z, "scattered", n, from, threads);
}

/// An index that wraps in the middle of a block.
static void wraps() {
  const std::size_t n = 2000;
  xcc::buffer<int> out(n), in(256);
  out.fill(0);
  std::vector<int> numbers(256);
  for (int i = 0; i != 256; ++i)
    numbers[std::size_t(i)] = i * i;
  in.copy_from(numbers);
  xcc::parallel_for({nullptr, {32}}, n,
                    [to = out.data(), from = in.data()](std::size_t i) {
                      to[i] = from[std::uint8_t(i + 7)];
                    });
  bool right = true;
  std::vector<int> seen = out.to_vector();
  for (std::size_t i = 0; i != n; ++i)
    right &= seen[i] == numbers[std::uint8_t(i + 7)];
  check(right, "wraps", n, 7, 32);
}

static unsigned index() {
  return xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
}
template <class T> void guarded(int n, const T *x, T *y) {
  const int i = int(index());
  if (i < n)
    y[i] = T(x[i] * 3 + y[i]);
}
template <class T> void unguarded(const T *x, T *y) {
  const std::size_t i = xcc::global_id();
  y[i] = T(x[i] + 1);
}
template <class T> void between(int first, int last, const T *x, T *y) {
  const int i = int(index());
  if (i < first || i >= last)
    return;
  y[i] = T(x[i - 1] + x[i + 1]);
}
template <class T> void around(unsigned n, const int *at, const T *x, T *y) {
  const unsigned i = index();
  if (i - 5 < n - 9)
    y[at[i - 5]] = T(x[i] * 5);
}
template <class T> void narrow(std::size_t n, const T *x, T *y) {
  const std::size_t i = xcc::global_id();
  if (i < n && std::uint8_t(i + 3) >= 100)
    y[i] = T(x[i] * 7);
}

/// Kernels with a grid of their own, which need not have a thread for each
/// element, or has threads for others too.
template <class T>
static void grids(const char *type, std::size_t n, std::size_t from,
                  unsigned threads, unsigned blocks) {
  const std::size_t all = std::size_t(threads) * blocks;
  const std::size_t size = std::max(n, all) + 40;
  std::vector<T> x(size), y(size);
  std::vector<int> places(size);
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = T(i * 7 + 3);
    y[i] = T(i * 5 + 1);
    places[i] = int(i ^ 3);
  }
  xcc::buffer<T> dx(x), dy(y);
  xcc::buffer<int> dp(places);
  const T *px = dx.data() + from;
  T *py = dy.data() + 2 * from;
  const xcc::launch_config how{{blocks}, {threads}};
  const std::size_t some = std::min(n, all);
  auto same = [&](const char *what) {
    check(dy.to_vector() == y, what, n, from, threads);
  };
  xcc::launch(how, guarded<T>, int(n), px, py);
  for (std::size_t i = 0; i < some; ++i)
    y[i + 2 * from] = T(x[i + from] * 3 + y[i + 2 * from]);
  same(type);
  xcc::launch(how, unguarded<T>, px, py);
  for (std::size_t i = 0; i < all; ++i)
    y[i + 2 * from] = T(x[i + from] + 1);
  same("unguarded");
  xcc::launch(how, between<T>, 1, int(n) - 1, px, py);
  for (std::size_t i = 1; i < some && i + 1 < n; ++i)
    y[i + 2 * from] = T(x[i - 1 + from] + x[i + 1 + from]);
  same("between");
  if (n > 9) {
    xcc::launch(how, around<T>, unsigned(n), dp.data(), px, py);
    for (std::size_t i = 5; i < all && i < n - 4; ++i)
      y[std::size_t(places[i - 5]) + 2 * from] = T(x[i + from] * 5);
    same("around");
  }
  xcc::launch(how, narrow<T>, n, px, py);
  for (std::size_t i = 0; i < some; ++i)
    if (std::uint8_t(i + 3) >= 100)
      y[i + 2 * from] = T(x[i + from] * 7);
  same("narrow");
  xcc::launch(how, [=] {
    const int i = int(index());
    if (!(int(n) <= i))
      py[i] = T(py[i] + 2);
  });
  for (std::size_t i = 0; i < some; ++i)
    y[i + 2 * from] = T(y[i + 2 * from] + 2);
  same("lambda");
}

/// A replayed loop, and one over what the host has.
static void launched_in_other_ways() {
  const std::size_t n = 1001;
  xcc::buffer<float> x(n);
  x.fill(0);
  xcc::stream s;
  auto g = xcc::graph::record(s, [&] {
    xcc::parallel_for({s, {32}}, n, [p = x.data()](std::size_t i) { p[i] += 1; });
  });
  for (int i = 0; i != 3; ++i)
    g.replay(s);
  s.synchronize();
  check(x.to_vector() == std::vector<float>(n, 3), "replayed", n, 0, 32);
  std::vector<short> v(n, 1), w(n, 2);
  xcc::parallel_for({nullptr, {32}}, n, [&](std::size_t i) { v[i] = short(v[i] + w[i]); });
  xcc::synchronize();
  check(v == std::vector<short>(n, 3), "mapped", n, 0, 32);
}

int main() {
  for (std::size_t n : {0, 1, 33, 128, 257, 260, 511, 513, 1023, 1025, 4099})
    for (unsigned threads : {32u, 48u})
      for (std::size_t from : {0, 1, 8}) {
        loops<float>("float", n, from, threads);
        loops<double>("double", n, from, threads);
        loops<std::uint8_t>("byte", n, from, threads);
        loops<short>("short", n, from, threads);
      }
  for (std::size_t n : {0, 33, 260, 511, 1025, 4099})
    for (unsigned blocks : {1u, 9u, 40u, 129u})
      for (std::size_t from : {0, 1}) {
        grids<float>("float of a grid", n, from, 32, blocks);
        grids<double>("double of a grid", n, from, 48, blocks);
        grids<std::uint8_t>("byte of a grid", n, from, 32, blocks);
      }
  wraps();
  launched_in_other_ways();
  std::printf("%d wrong\n", failures); // CHECK: 0 wrong
}
