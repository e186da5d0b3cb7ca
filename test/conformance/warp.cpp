// Operations among the lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written for warps of 32 and of 64 lanes alike.

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <cstdint>

namespace {
using std::uint64_t;

/// Bits 0 to n - 1.
constexpr uint64_t low(unsigned n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }
constexpr uint64_t Even = 0x5555555555555555ull;

struct big {
  short s[3];
  double d;
  char c;
};

unsigned threads_of(unsigned warps) {
  return warps * xcc::device::current().warp_size();
}

/// Each lane's value is made of its number, in a way that shows in any type.
template <class T> T value_of(unsigned lane) { return T(lane * 3 + 1); }

template <class T> void shuffles(notes n) {
  const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
  const T mine = value_of<T>(lane);
  EXPECT(n, xcc::shuffle(mine, 5) == value_of<T>(5));
  EXPECT(n, xcc::shuffle(mine, lanes - 1) == value_of<T>(lanes - 1));
  EXPECT(n, xcc::shuffle(mine, (lane + 3) % lanes) ==
                value_of<T>((lane + 3) % lanes));
  for (unsigned step : {1u, 2u, 7u, 16u, 31u}) {
    EXPECT(n, xcc::shuffle_down(mine, step) ==
                  value_of<T>(lane + step < lanes ? lane + step : lane));
    EXPECT(n, xcc::shuffle_up(mine, step) ==
                  value_of<T>(lane >= step ? lane - step : lane));
    EXPECT(n, xcc::shuffle_xor(mine, step) == value_of<T>(lane ^ step));
  }
}
template <class... T> void shuffles_of_each() {
  (every_thread({{2}, {threads_of(3)}}, [](notes n) { shuffles<T>(n); }), ...);
}
} // namespace

TEST(size_and_lanes, needs(execution)) {
  const unsigned size = xcc::device::current().warp_size();
  CHECK(size == 32 || size == 64);
  every_thread({{3}, {size * 4}}, [size](notes n) {
    EXPECT(n, xcc::warp_size() == size);
    EXPECT(n, xcc::lane_id() == xcc::thread_idx().x % size);
  });
}

TEST(lanes_of_flat_blocks, needs(execution)) {
  const unsigned size = xcc::device::current().warp_size();
  every_thread({{2}, {5, 8, 4}}, [size](notes n) {
    const auto t = xcc::thread_idx();
    EXPECT(n, xcc::lane_id() == (t.x + 5 * (t.y + 8 * t.z)) % size);
  });
}

TEST(shuffle_integers, needs(execution)) {
  shuffles_of_each<char, unsigned char, short, unsigned short, int, unsigned,
                   long, unsigned long long>();
}
TEST(shuffle_floating_point, needs(execution)) {
  shuffles_of_each<float, double>();
}

TEST(shuffle_structures, needs(execution)) {
  every_thread({{2}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    const big mine{{short(lane), 2, short(-int(lane))}, lane * 0.5, 'c'};
    const unsigned from = (lane * 5 + 1) % lanes;
    const big other = xcc::shuffle(mine, from);
    EXPECT(n, other.s[0] == short(from) && other.s[1] == 2);
    EXPECT(n, other.s[2] == short(-int(from)));
    EXPECT(n, other.d == from * 0.5 && other.c == 'c');
  });
}

TEST(shuffle_pointers, needs(execution)) {
  xcc::buffer<int> b(64);
  every_thread({{1}, {threads_of(1)}}, [p = b.data()](notes n) {
    EXPECT(n, xcc::shuffle(p + xcc::lane_id(), 9) == p + 9);
  });
}

TEST(shuffle_bool, needs(execution)) {
  every_thread({{1}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id();
    EXPECT(n, xcc::shuffle_xor(lane % 2 == 0, 1) == (lane % 2 == 1));
  });
}

TEST(shuffles_within_segments, needs(execution)) {
  every_thread({{2}, {threads_of(3)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    const auto check = [=](auto mine, auto of) {
      for (unsigned width = 1; width <= lanes; width *= 2) {
        const unsigned first = lane / width * width, last = first + width - 1;
        for (unsigned by : {0u, 1u, 3u, 8u, 31u, 40u}) {
          EXPECT(n, xcc::shuffle(mine, by, width) == of(first + by % width));
          EXPECT(n, xcc::shuffle_down(mine, by, width) ==
                        of(lane + by <= last ? lane + by : lane));
          EXPECT(n, xcc::shuffle_up(mine, by, width) ==
                        of(lane >= first + by ? lane - by : lane));
          EXPECT(n, xcc::shuffle_xor(mine, by, width) ==
                        of(by < width ? lane ^ by : lane));
        }
      }
    };
    check(lane * 3 + 1, [](unsigned l) { return l * 3 + 1; });
    check(lane * 0.5, [](unsigned l) { return l * 0.5; });
  });
}

TEST(sums_of_segments, needs(execution)) {
  every_thread({{2}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), first = lane & ~7u;
    unsigned sum = lane;
    for (unsigned step = 4; step > 0; step /= 2)
      sum += xcc::shuffle_down(sum, step, 8);
    EXPECT(n, xcc::shuffle(sum, 0, 8) == first * 8 + 28);
  });
}

TEST(operations_of_some_lanes, needs(execution)) {
  every_thread({{2}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    EXPECT(n, xcc::active_lanes().bits == low(lanes));
    // Two groups at one operation, each with a mask of its own.
    const bool even = lane % 2 == 0;
    const xcc::lane_mask mine((even ? Even : ~Even) & low(lanes));
    EXPECT(n, xcc::ballot(mine, lane >= 8) == (mine.bits & ~low(8)));
    EXPECT(n, xcc::any(mine, lane == 3) == !even);
    EXPECT(n, xcc::all(mine, even) == even);
    xcc::sync_warp(mine);
    EXPECT(n, xcc::shuffle(mine, lane, 4) == (even ? 4 : lane));
    EXPECT(n, xcc::shuffle_down(mine, 0.5 * lane, 2) ==
                  0.5 * (lane + 2 < lanes ? lane + 2 : lane));
    EXPECT(n, xcc::shuffle_down(mine, lane, 1) == lane);
    EXPECT(n, xcc::shuffle_up(mine, lane, 2) == (lane >= 2 ? lane - 2 : lane));
    EXPECT(n, xcc::shuffle_xor(mine, lane, 4) == (lane ^ 4));
    EXPECT(n, xcc::shuffle_xor(mine, lane, 5) == lane);
    if (even) {
      const xcc::lane_mask here = xcc::active_lanes();
      EXPECT(n, here == mine);
      EXPECT(n, xcc::all(here, lane % 2 == 0));
    }
  });
}

TEST(shuffle_in_a_loop, needs(execution)) {
  every_thread({{4}, {threads_of(4)}}, [](notes n) {
    const unsigned lanes = xcc::warp_size();
    const unsigned t = xcc::thread_idx().x;
    unsigned sum = t;
    for (unsigned step = lanes / 2; step > 0; step /= 2)
      sum += xcc::shuffle_xor(sum, step);
    EXPECT(n, sum == t / lanes * lanes * lanes + lanes * (lanes - 1) / 2);
  });
}

TEST(scan, needs(execution)) {
  every_thread({{4}, {threads_of(4)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    unsigned sum = lane * lane;
    for (unsigned step = 1; step < lanes; step *= 2) {
      const unsigned before = xcc::shuffle_up(sum, step);
      if (lane >= step)
        sum += before;
    }
    EXPECT(n, sum == lane * (lane + 1) * (2 * lane + 1) / 6);
  });
}

TEST(ballot, needs(execution)) {
  every_thread({{3}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    EXPECT(n, xcc::ballot(true) == low(lanes));
    EXPECT(n, xcc::ballot(false) == 0);
    EXPECT(n, xcc::ballot(lane % 2 == 0) == (Even & low(lanes)));
    EXPECT(n, xcc::ballot(lane >= 7) == (low(lanes) & ~low(7)));
    for (unsigned i = 0; i < lanes; ++i)
      EXPECT(n, xcc::ballot(lane == i) == 1ull << i);
  });
}

TEST(any_and_all, needs(execution)) {
  every_thread({{3}, {threads_of(3)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    EXPECT(n, xcc::any(lane == lanes - 1) && !xcc::any(lane == lanes));
    EXPECT(n, xcc::all(lane < lanes) && !xcc::all(lane < lanes - 1));
    EXPECT(n, xcc::any(true) && xcc::all(true));
    EXPECT(n, !xcc::any(false) && !xcc::all(false));
    // Warps do not see each other.
    const bool first = xcc::thread_idx().x < lanes;
    EXPECT(n, xcc::any(first) == first && xcc::all(!first) == !first);
  });
}

TEST(sync_warp_makes_writes_visible, needs(execution)) {
  every_thread({{3}, {threads_of(2)}}, [](notes n) {
    static xcc::block_shared<int[128]> cells;
    const unsigned t = xcc::thread_idx().x, lanes = xcc::warp_size();
    const unsigned base = t / lanes * lanes;
    for (int round = 0; round < 4; ++round) {
      cells[t] = int(t) * 10 + round;
      xcc::sync_warp();
      const unsigned other = base + lanes - 1 - t % lanes;
      EXPECT(n, cells[other] == int(other) * 10 + round);
      xcc::sync_warp();
    }
  });
}

TEST(partial_warp, needs(execution)) {
  // The block's last warp is not full: its missing lanes take no part.
  const unsigned size = xcc::device::current().warp_size();
  for (unsigned extra : {1u, 5u, 17u, 31u})
    every_thread({{2}, {size + extra}}, [size, extra](notes n) {
      const unsigned lane = xcc::lane_id();
      const unsigned here = xcc::thread_idx().x < size ? size : extra;
      EXPECT(n, xcc::ballot(true) == low(here));
      EXPECT(n, xcc::all(lane < here));
      EXPECT(n, xcc::shuffle(lane * 2, here - 1) == (here - 1) * 2);
      EXPECT(n, xcc::shuffle(lane * 2, 0) == 0);
    });
}

TEST(lanes_that_have_ended, needs(execution)) {
  every_thread({{2}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id();
    if (lane >= 20)
      return;
    EXPECT(n, xcc::ballot(true) == low(20));
    EXPECT(n, xcc::any(lane == 19) && xcc::all(lane < 20));
    EXPECT(n, xcc::shuffle(lane, 19 - lane) == 19 - lane);
  });
}

// What comes from a lane that takes no part is specified for the CPU device alone.
TEST(an_absent_lane, needs(execution)) {
  const bool own = !std::strcmp(xcc::device::current().kind(), "host");
  every_thread({{2}, {threads_of(1)}}, [own](notes n) {
    const unsigned lane = xcc::lane_id();
    if (lane >= 10)
      return;
    const unsigned absent = xcc::shuffle(lane + 100, 15);
    const unsigned down = xcc::shuffle_down(lane, 5);
    EXPECT(n, !own || absent == lane + 100);
    EXPECT(n, lane < 5 ? down == lane + 5 : !own || down == lane);
  });
}

TEST(divergent_arms, needs(execution)) {
  every_thread({{2}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    uint64_t mask = 0;
    unsigned other = 0;
    if (lane % 2 == 0) {
      mask = xcc::ballot(true);
      other = xcc::shuffle_xor(lane, 2);
    } else {
      mask = xcc::ballot(lane != 1);
      other = xcc::shuffle_xor(lane, 4);
    }
    EXPECT(n, mask == (lane % 2 == 0 ? Even & low(lanes)
                                     : ~Even & low(lanes) & ~2ull));
    EXPECT(n, other == (lane ^ (lane % 2 == 0 ? 2 : 4)));
    // Behind the branch all take part again.
    xcc::sync_warp();
    EXPECT(n, xcc::ballot(true) == low(lanes));
  });
}

TEST(divergent_loops, needs(execution)) {
  // Lane l goes round l % 4 + 1 times; those still in the loop take part.
  every_thread({{2}, {threads_of(2)}}, [](notes n) {
    const unsigned lane = xcc::lane_id(), lanes = xcc::warp_size();
    for (unsigned i = 0; i < lane % 4 + 1; ++i) {
      const unsigned left = unsigned(__builtin_popcountll(xcc::ballot(true)));
      EXPECT(n, left == lanes / 4 * (4 - i));
    }
    xcc::sync_warp();
    EXPECT(n, xcc::ballot(true) == low(lanes));
  });
}

TEST(aggregated_atomics, needs(execution)) {
  // One lane adds for all that take part: any grouping gives the same sum.
  xcc::buffer<unsigned> count(1);
  count.fill(0);
  xcc::launch({{50}, {200}}, [c = count.data()] {
    if (xcc::global_id() % 3 != 0)
      return;
    const uint64_t mask = xcc::ballot(true);
    if (xcc::lane_id() == unsigned(__builtin_ctzll(mask)))
      __atomic_fetch_add(c, unsigned(__builtin_popcountll(mask)),
                         __ATOMIC_RELAXED);
  });
  EQUAL(read(count)[0], (50 * 200 + 2) / 3);
}

TEST(warps_and_blocks_together, needs(execution)) {
  // A block's sum by warps: shuffles, shared memory and barriers in turn.
  const unsigned size = xcc::device::current().warp_size();
  every_thread({{5}, {size * 8}}, [size](notes n) {
    static xcc::block_shared<unsigned[32]> sums;
    unsigned sum = xcc::thread_idx().x;
    for (unsigned step = size / 2; step > 0; step /= 2)
      sum += xcc::shuffle_down(sum, step);
    if (xcc::lane_id() == 0)
      sums[xcc::thread_idx().x / size] = sum;
    xcc::sync_block();
    if (xcc::thread_idx().x == 0) {
      unsigned all = 0;
      for (unsigned i = 0; i < 8; ++i)
        all += sums[i];
      EXPECT(n, all == size * 8 * (size * 8 - 1) / 2);
    }
  });
}
