// Atomic operations, orders and fences
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <atomic>
#include <cstdint>

namespace {
constexpr unsigned Threads = 20000;

/// The sum that all threads add up, with fetch_add or by compare-exchange.
template <class T> void sums() {
  xcc::buffer<T> cell(2);
  cell.fill(0);
  xcc::launch({{Threads / 200}, {200}}, [p = cell.data()] {
    std::atomic_ref<T>(p[0]).fetch_add(T(2), std::memory_order_relaxed);
    std::atomic_ref<T> other(p[1]);
    T seen = other.load(std::memory_order_relaxed);
    while (!other.compare_exchange_weak(seen, T(seen + 1))) {
    }
  });
  const auto back = read(cell);
  EQUAL(back[0], T(2 * Threads));
  EQUAL(back[1], T(Threads));
}

template <class T> void extremes() {
  xcc::buffer<T> cell(2);
  const T first[] = {T(1000), T(1000)};
  cell.copy_from(first, 2);
  xcc::launch({{Threads / 200}, {200}}, [p = cell.data()] {
    const T mine = T(xcc::global_id() * 7 % Threads);
    std::atomic_ref<T> least(p[0]), most(p[1]);
    for (T seen = least; mine < seen;)
      if (least.compare_exchange_weak(seen, mine))
        break;
    for (T seen = most; mine > seen;)
      if (most.compare_exchange_weak(seen, mine))
        break;
  });
  const auto back = read(cell);
  EQUAL(back[0], T(0));
  EQUAL(back[1], T(Threads - 1));
}
} // namespace

TEST(add_32_bits, needs(execution)) {
  sums<int>();
  sums<unsigned>();
}
TEST(add_64_bits, needs(execution)) {
  sums<long>();
  sums<unsigned long long>();
}
TEST(add_float, needs(execution)) { sums<float>(); }
TEST(add_double, needs(execution)) { sums<double>(); }

TEST(small_integers, needs(execution)) {
  xcc::buffer<unsigned char> bytes(4);
  xcc::buffer<unsigned short> halves(2);
  bytes.fill(0);
  halves.fill(0);
  xcc::launch({{40}, {100}}, [b = bytes.data(), h = halves.data()] {
    const auto i = xcc::global_id();
    std::atomic_ref<unsigned char>(b[i % 4]).fetch_add(1);
    std::atomic_ref<unsigned short>(h[i % 2]).fetch_add(3);
  });
  for (auto value : read(bytes))
    EQUAL(value, 1000 % 256);
  for (auto value : read(halves))
    EQUAL(value, 6000);
}

TEST(minimum_and_maximum, needs(execution)) {
  extremes<int>();
  extremes<unsigned long long>();
  extremes<float>();
  extremes<double>();
}

TEST(bit_operations, needs(execution)) {
  xcc::buffer<unsigned> cell(3);
  const unsigned first[] = {0, ~0u, 0};
  cell.copy_from(first, 3);
  xcc::launch({{1}, {31}}, [p = cell.data()] {
    const unsigned bit = 1u << xcc::global_id();
    std::atomic_ref<unsigned>(p[0]).fetch_or(bit);
    std::atomic_ref<unsigned>(p[1]).fetch_and(~bit);
    std::atomic_ref<unsigned>(p[2]).fetch_xor(bit);
  });
  const auto back = read(cell);
  CHECK(back[0] == 0x7fffffff && back[1] == 0x80000000 &&
        back[2] == 0x7fffffff);
}

TEST(subtract_and_exchange, needs(execution)) {
  // Every number goes in once and comes out once, or is left at the end.
  xcc::buffer<std::int64_t> cell(2);
  const std::int64_t first[] = {Threads, 0};
  cell.copy_from(first, 2);
  xcc::buffer<std::int64_t> out(1);
  out.fill(0);
  xcc::launch({{Threads / 100}, {100}}, [p = cell.data(), o = out.data()] {
    std::atomic_ref<std::int64_t>(p[0]) -= 1;
    const std::int64_t before = std::atomic_ref<std::int64_t>(p[1]).exchange(
        std::int64_t(xcc::global_id()) + 1);
    std::atomic_ref<std::int64_t>(o[0]) += before;
  });
  const auto left = read(cell);
  EQUAL(left[0], 0);
  EQUAL(read(out)[0] + left[1], std::int64_t(Threads) * (Threads + 1) / 2);
}

TEST(returned_values_are_all_different, needs(execution)) {
  xcc::buffer<unsigned> cell(1), seen(Threads);
  cell.fill(0);
  seen.fill(0);
  xcc::launch({{Threads / 50}, {50}}, [c = cell.data(), s = seen.data()] {
    ++s[std::atomic_ref<unsigned>(*c)++];
  });
  for (unsigned value : read(seen))
    EQUAL(value, 1);
}

TEST(compare_exchange, needs(execution)) {
  // Of all threads, one wins.
  xcc::buffer<int> cell(1), winners(1);
  cell.fill(0);
  winners.fill(0);
  xcc::launch({{30}, {64}}, [c = cell.data(), w = winners.data()] {
    int expected = 0;
    if (std::atomic_ref<int>(*c).compare_exchange_strong(
            expected, int(xcc::global_id()) + 1))
      std::atomic_ref<int>(*w).fetch_add(1);
    else if (expected == 0)
      std::atomic_ref<int>(*w).fetch_add(1000);
  });
  EQUAL(read(winners)[0], 1);
}

TEST(histogram, needs(execution)) {
  constexpr unsigned n = 50000, bins = 64;
  xcc::buffer<unsigned> in(n), out(bins);
  std::vector<unsigned> values(n), expected(bins);
  for (unsigned i = 0; i < n; ++i) {
    values[i] = i * 2654435761u >> 26;
    ++expected[values[i]];
  }
  in.copy_from(values.data(), n);
  out.fill(0);
  xcc::launch({{20}, {128}}, [i = in.data(), o = out.data()] {
    static xcc::block_shared<unsigned[bins]> mine;
    const unsigned t = xcc::thread_idx().x;
    if (t < bins)
      mine[t] = 0;
    xcc::sync_block();
    for (std::size_t at = xcc::global_id(); at < n; at += xcc::global_size())
      std::atomic_ref<unsigned>(mine[i[at]])
          .fetch_add(1, std::memory_order_relaxed);
    xcc::sync_block();
    if (t < bins)
      std::atomic_ref<unsigned>(o[t]).fetch_add(mine[t]);
  });
  const auto back = read(out);
  for (unsigned b = 0; b < bins; ++b)
    EQUAL(back[b], expected[b]);
}

TEST(every_order, needs(execution)) {
  xcc::buffer<int> cell(1);
  cell.fill(0);
  xcc::launch({{10}, {100}}, [p = cell.data()] {
    std::atomic_ref<int> c(*p);
    c.fetch_add(1, std::memory_order_relaxed);
    c.fetch_add(1, std::memory_order_acquire);
    c.fetch_add(1, std::memory_order_release);
    c.fetch_add(1, std::memory_order_acq_rel);
    c.fetch_add(1, std::memory_order_seq_cst);
    (void)c.load(std::memory_order_acquire);
    (void)c.load(std::memory_order_seq_cst);
    int seen = c.load(std::memory_order_relaxed);
    while (!c.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel,
                                    std::memory_order_acquire)) {
    }
  });
  EQUAL(read(cell)[0], 6000);
}

TEST(stores_and_loads, needs(execution)) {
  every_thread({{1}, {1}}, [](notes n) {
    int own = 0;
    std::atomic_ref<int> a(own);
    a.store(3, std::memory_order_release);
    EXPECT(n, a.load(std::memory_order_acquire) == 3);
    a.store(4);
    EXPECT(n, a == 4);
  });
}

TEST(publish_and_read, needs(execution)) {
  // Who sees the flag sees what was written before it; nobody waits for it.
  xcc::buffer<int> data(2000), flags(1000);
  data.fill(0);
  flags.fill(0);
  xcc::buffer<int> wrong(1);
  wrong.fill(0);
  xcc::launch(
      {{2000}, {32}}, [d = data.data(), f = flags.data(), w = wrong.data()] {
        if (xcc::thread_idx().x)
          return;
        const unsigned i = xcc::block_idx().x / 2;
        std::atomic_ref<int> flag(f[i]);
        if (xcc::block_idx().x % 2) {
          d[2 * i] = int(i) + 1;
          d[2 * i + 1] = int(i) + 2;
          flag.store(1, std::memory_order_release);
        } else if (flag.load(std::memory_order_acquire) &&
                   (d[2 * i] != int(i) + 1 || d[2 * i + 1] != int(i) + 2)) {
          *w = 1;
        }
      });
  EQUAL(read(wrong)[0], 0);
}

TEST(fences_and_the_last_block, needs(execution)) {
  // The block that finishes last sums up what all others left.
  constexpr unsigned blocks = 300;
  xcc::buffer<unsigned> parts(blocks), count(1), total(1);
  count.fill(0);
  xcc::launch({{blocks}, {64}}, [p = parts.data(), c = count.data(),
                                 t = total.data()] {
    static xcc::block_shared<unsigned> rank;
    if (xcc::thread_idx().x == 0) {
      p[xcc::block_idx().x] = xcc::block_idx().x + 1;
      std::atomic_thread_fence(std::memory_order_release);
      rank =
          std::atomic_ref<unsigned>(*c).fetch_add(1, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
    }
    xcc::sync_block();
    if (rank.get() == blocks - 1 && xcc::thread_idx().x == 0) {
      unsigned sum = 0;
      for (unsigned i = 0; i < blocks; ++i)
        sum += p[i];
      *t = sum;
    }
  });
  EQUAL(read(total)[0], blocks * (blocks + 1) / 2);
}

TEST(atomic_objects, needs(execution)) {
  xcc::buffer<int> raw(4);
  raw.fill(0);
  xcc::launch({{25}, {40}}, [p = raw.data()] {
    auto *counts = reinterpret_cast<std::atomic<int> *>(p);
    counts[xcc::global_id() % 4].fetch_add(1);
    ++counts[(xcc::global_id() + 1) % 4];
  });
  for (int value : read(raw))
    EQUAL(value, 500);
}

TEST(atomic_flags, needs(execution)) {
  xcc::buffer<int> first(1);
  first.fill(0);
  xcc::buffer<std::uint32_t> raw(1);
  raw.fill(0);
  xcc::launch({{10}, {64}}, [r = raw.data(), f = first.data()] {
    if (!reinterpret_cast<std::atomic_flag *>(r)->test_and_set())
      std::atomic_ref<int>(*f).fetch_add(1);
  });
  EQUAL(read(first)[0], 1);
}

TEST(builtins, needs(execution)) {
  xcc::buffer<int> cell(2);
  cell.fill(0);
  xcc::launch({{10}, {100}}, [p = cell.data()] {
    __atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
    __sync_fetch_and_add(p + 1, 2);
  });
  const auto back = read(cell);
  CHECK(back[0] == 1000 && back[1] == 2000);
}
