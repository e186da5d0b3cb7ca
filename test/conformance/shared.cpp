// Block-shared memory and barriers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <cstdint>

namespace {
xcc::block_shared<int[128]> at_namespace_scope;

struct pair {
  float a;
  short b;
};

template <class T, int N> T reversed(T value) {
  static xcc::block_shared<T[N]> line;
  const unsigned t = xcc::thread_idx().x;
  line[t] = value;
  xcc::sync_block();
  const T other = line[N - 1 - t];
  xcc::sync_block();
  return other;
}

[[gnu::noinline]] int barrier_in_a_function(int *cell, int value) {
  if (xcc::thread_idx().x == 0)
    *cell = value;
  xcc::sync_block();
  const int seen = *cell;
  xcc::sync_block();
  return seen;
}

template <class T> __attribute__((always_inline)) inline T min_of(T a, T b) {
  return b < a ? b : a;
}
} // namespace

TEST(static_array, needs(execution)) {
  every_thread({{5}, {96}}, [](notes n) {
    static xcc::block_shared<int[96]> tile;
    const unsigned t = xcc::thread_idx().x;
    tile[t] = int(t * 10 + xcc::block_idx().x);
    xcc::sync_block();
    EXPECT(n, tile[95 - t] == int((95 - t) * 10 + xcc::block_idx().x));
  });
}

TEST(namespace_scope, needs(execution)) {
  every_thread({{3}, {128}}, [](notes n) {
    const unsigned t = xcc::thread_idx().x;
    at_namespace_scope[(t * 5) % 128] = int(t);
    xcc::sync_block();
    EXPECT(n, at_namespace_scope[t] * 5 % 128 == int(t));
  });
}

TEST(several_variables, needs(execution)) {
  every_thread({{4}, {64}}, [](notes n) {
    static xcc::block_shared<char[7]> a;
    static xcc::block_shared<double[64]> b;
    static xcc::block_shared<int> c;
    static xcc::block_shared<pair[64]> d;
    static xcc::block_shared<char> e;
    const unsigned t = xcc::thread_idx().x;
    if (t < 7)
      a[t] = char(t + 1);
    b[t] = t * 0.5;
    d[t] = pair{float(t), short(-int(t))};
    if (t == 0)
      c = 42, e = 'e';
    xcc::sync_block();
    EXPECT(n, a[6] == 7 && b[63 - t] == (63 - t) * 0.5);
    EXPECT(n, c.get() == 42 && e.get() == 'e');
    EXPECT(n, d[(t + 1) % 64].b == -int((t + 1) % 64));
    EXPECT(n, d[(t + 1) % 64].a == float((t + 1) % 64));
  });
}

TEST(in_templates, needs(execution)) {
  every_thread({{2}, {40}}, [](notes n) {
    const unsigned t = xcc::thread_idx().x;
    EXPECT(n, reversed<int, 40>(int(t)) == int(39 - t));
    EXPECT(n, reversed<double, 40>(t * 1.5) == (39 - t) * 1.5);
    EXPECT(n, reversed<char, 40>(char(t)) == char(39 - t));
    EXPECT(n, reversed<long, 40>(long(t) << 40) == long(39 - t) << 40);
  });
}

TEST(two_dimensional_tile, needs(execution)) {
  constexpr unsigned n = 100;
  xcc::buffer<int> in(n * n), out(n * n);
  std::vector<int> values(n * n);
  for (unsigned i = 0; i < n * n; ++i)
    values[i] = int(i);
  in.copy_from(values.data(), n * n);
  xcc::launch({{7, 7}, {16, 16}}, [from = in.data(), to = out.data()] {
    static xcc::block_shared<int[16][17]> tile;
    const auto t = xcc::thread_idx(), b = xcc::block_idx();
    unsigned x = b.x * 16 + t.x, y = b.y * 16 + t.y;
    if (x < n && y < n)
      tile[t.y][t.x] = from[y * n + x];
    xcc::sync_block();
    x = b.y * 16 + t.x, y = b.x * 16 + t.y;
    if (x < n && y < n)
      to[y * n + x] = tile[t.x][t.y];
  });
  const auto back = read(out);
  for (unsigned y = 0; y < n; ++y)
    for (unsigned x = 0; x < n; ++x)
      EQUAL(back[y * n + x], int(x * n + y));
}

TEST(dynamic, needs(execution)) {
  for (unsigned elements : {1u, 33u, 256u, 4096u})
    every_thread({{3}, {64}, elements * sizeof(int)}, [elements](notes n) {
      int *all = xcc::dynamic_shared<int>();
      EXPECT(n, xcc::dynamic_shared_bytes() == elements * sizeof(int));
      EXPECT(n, reinterpret_cast<std::uintptr_t>(all) % 64 == 0);
      for (unsigned i = xcc::thread_idx().x; i < elements; i += 64)
        all[i] = int(i * 3);
      xcc::sync_block();
      for (unsigned i = xcc::thread_idx().x; i < elements; i += 64)
        EXPECT(n, all[elements - 1 - i] == int((elements - 1 - i) * 3));
    });
}

TEST(no_dynamic, needs(execution)) {
  every_thread({{1}, {1}},
               [](notes n) { EXPECT(n, xcc::dynamic_shared_bytes() == 0); });
}

TEST(static_and_dynamic, needs(execution)) {
  every_thread({{6}, {50}, 50 * sizeof(double)}, [](notes n) {
    static xcc::block_shared<char[51]> fixed;
    double *loose = xcc::dynamic_shared<double>();
    const unsigned t = xcc::thread_idx().x;
    fixed[t] = char(t);
    if (t == 0)
      fixed[50] = 'z';
    loose[t] = t + 0.25;
    xcc::sync_block();
    EXPECT(n, fixed[49 - t] == char(49 - t) && fixed[50] == 'z');
    EXPECT(n, loose[49 - t] == 49 - t + 0.25);
  });
}

TEST(all_that_the_device_has, needs(execution)) {
  const std::size_t bytes = xcc::device::current().shared_memory();
  every_thread({{2}, {64}, bytes}, [words = bytes / 4](notes n) {
    unsigned *all = xcc::dynamic_shared<unsigned>();
    for (std::size_t i = xcc::thread_idx().x; i < words; i += 64)
      all[i] = unsigned(i) ^ 0x5555;
    xcc::sync_block();
    for (std::size_t i = xcc::thread_idx().x; i < words; i += 64)
      EXPECT(n, all[words - 1 - i] == (unsigned(words - 1 - i) ^ 0x5555));
  });
}

TEST(each_block_has_its_own, needs(execution)) {
  xcc::buffer<int> out(2000);
  xcc::launch({{2000}, {32}}, [o = out.data()] {
    static xcc::block_shared<int> sum;
    if (xcc::thread_idx().x == 0)
      sum = 0;
    xcc::sync_block();
    __atomic_fetch_add(&sum, int(xcc::block_idx().x), __ATOMIC_RELAXED);
    xcc::sync_block();
    if (xcc::thread_idx().x == 31)
      o[xcc::block_idx().x] = sum;
  });
  const auto back = read(out);
  for (int i = 0; i < 2000; ++i)
    EQUAL(back[i], 32 * i);
}

TEST(barrier_in_a_loop, needs(execution)) {
  // A prefix sum: every round reads what the one before wrote.
  every_thread({{4}, {200}}, [](notes n) {
    static xcc::block_shared<int[200]> sums;
    const unsigned t = xcc::thread_idx().x;
    sums[t] = int(t);
    xcc::sync_block();
    for (unsigned step = 1; step < 200; step *= 2) {
      const int before = t >= step ? sums[t - step] : 0;
      xcc::sync_block();
      sums[t] += before;
      xcc::sync_block();
    }
    EXPECT(n, sums[t] == int(t * (t + 1) / 2));
  });
}

TEST(barrier_in_a_uniform_branch, needs(execution)) {
  every_thread({{6}, {64}}, [](notes n) {
    static xcc::block_shared<int[64]> cells;
    const unsigned t = xcc::thread_idx().x;
    cells[t] = 1;
    if (xcc::block_idx().x % 2) {
      cells[t] = int(t);
      xcc::sync_block();
      EXPECT(n, cells[63 - t] == int(63 - t));
    } else {
      for (unsigned i = 0; i < xcc::block_idx().x; ++i)
        xcc::sync_block();
      EXPECT(n, cells[t] == 1);
    }
    xcc::sync_block();
  });
}

TEST(barrier_in_a_function, needs(execution)) {
  every_thread({{3}, {70}}, [](notes n) {
    static xcc::block_shared<int> cell;
    for (int i = 0; i < 10; ++i)
      EXPECT(n, barrier_in_a_function(&cell, i * 7) == i * 7);
  });
}

TEST(barrier_after_some_have_ended, needs(execution)) {
  // Whole warps leave, so this holds on devices that count warps as well.
  const unsigned warp = xcc::device::current().warp_size();
  every_thread({{3}, {warp * 4}}, [warp](notes n) {
    static xcc::block_shared<int[256]> cells;
    const unsigned t = xcc::thread_idx().x;
    if (t >= warp * 2)
      return;
    cells[t] = int(t);
    xcc::sync_block();
    EXPECT(n, cells[warp * 2 - 1 - t] == int(warp * 2 - 1 - t));
  });
}

TEST(barrier_makes_global_writes_visible, needs(execution)) {
  xcc::buffer<int> b(256 * 4);
  every_thread({{4}, {256}}, [p = b.data()](notes n) {
    const unsigned t = xcc::thread_idx().x;
    int *mine = p + xcc::block_idx().x * 256;
    for (int round = 0; round < 5; ++round) {
      mine[t] = int(t) + round;
      xcc::sync_block();
      EXPECT(n, mine[255 - t] == int(255 - t) + round);
      xcc::sync_block();
    }
  });
}

TEST(block_reduction, needs(execution)) {
  constexpr int n = 100000;
  xcc::buffer<long> sums(50);
  xcc::launch({{50}, {256}}, [out = sums.data()] {
    static xcc::block_shared<long[256]> parts;
    const unsigned t = xcc::thread_idx().x;
    long sum = 0;
    for (std::size_t i = xcc::global_id(); i < n; i += xcc::global_size())
      sum += long(i);
    parts[t] = sum;
    xcc::sync_block();
    for (unsigned half = 128; half > 0; half /= 2) {
      if (t < half)
        parts[t] += parts[t + half];
      xcc::sync_block();
    }
    if (t == 0)
      out[xcc::block_idx().x] = parts[0];
  });
  long sum = 0;
  for (long part : read(sums))
    sum += part;
  EQUAL(sum, long(n) * (n - 1) / 2);
}

TEST(bitonic_sort, needs(execution)) {
  xcc::buffer<int> b(512);
  xcc::launch({{1}, {512}}, [p = b.data()] {
    static xcc::block_shared<int[512]> v;
    const unsigned t = xcc::thread_idx().x;
    v[t] = int(t * 7919 % 512);
    xcc::sync_block();
    for (unsigned k = 2; k <= 512; k *= 2)
      for (unsigned j = k / 2; j > 0; j /= 2) {
        const unsigned other = t ^ j;
        if (other > t && (v[t] > v[other]) == ((t & k) == 0)) {
          const int held = v[t];
          v[t] = v[other];
          v[other] = held;
        }
        xcc::sync_block();
      }
    p[t] = v[t];
  });
  const auto back = read(b);
  for (int i = 0; i < 512; ++i)
    EQUAL(back[i], i);
}

TEST(tiled_matrix_product, needs(execution)) {
  constexpr unsigned n = 48;
  xcc::buffer<float> a(n * n), b(n * n), c(n * n);
  std::vector<float> x(n * n), y(n * n);
  for (unsigned i = 0; i < n * n; ++i)
    x[i] = float(i % 7), y[i] = float(i % 5) - 2;
  a.copy_from(x.data(), n * n);
  b.copy_from(y.data(), n * n);
  xcc::launch({{3, 3}, {16, 16}}, [a = a.data(), b = b.data(), c = c.data()] {
    static xcc::block_shared<float[16][16]> left, right;
    const auto t = xcc::thread_idx();
    const unsigned row = xcc::block_idx().y * 16 + t.y;
    const unsigned column = xcc::block_idx().x * 16 + t.x;
    float sum = 0;
    for (unsigned k = 0; k < n; k += 16) {
      left[t.y][t.x] = a[row * n + k + t.x];
      right[t.y][t.x] = b[(k + t.y) * n + column];
      xcc::sync_block();
      for (unsigned i = 0; i < 16; ++i)
        sum += left[t.y][i] * right[i][t.x];
      xcc::sync_block();
    }
    c[row * n + column] = sum;
  });
  const auto back = read(c);
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column < n; ++column) {
      float sum = 0; // whole numbers: exact in any order
      for (unsigned k = 0; k < n; ++k)
        sum += x[row * n + k] * y[k * n + column];
      EQUAL(back[row * n + column], sum);
    }
}

TEST(atomics_in_shared_memory, needs(execution)) {
  every_thread({{8}, {256}}, [](notes n) {
    static xcc::block_shared<int[16]> bins;
    static xcc::block_shared<int> least;
    const unsigned t = xcc::thread_idx().x;
    if (t < 16)
      bins[t] = 0;
    if (t == 16)
      least = 1 << 30;
    xcc::sync_block();
    __atomic_fetch_add(&bins[t % 16], int(t), __ATOMIC_RELAXED);
    int seen = least;
    while (int(t) + 5 < seen &&
           !__atomic_compare_exchange_n(&least, &seen, min_of(seen, int(t) + 5),
                                        false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    xcc::sync_block();
    EXPECT(n, bins[t % 16] == int(16 * (t % 16) + 16 * 120));
    EXPECT(n, least.get() == 5);
  });
}
