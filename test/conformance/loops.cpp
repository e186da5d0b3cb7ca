// Loops of one to three dimensions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %compile %s -o %t
// RUN: %host-1 %t && %host-3 %t
// RUN: %cuda-mock %t
// RUN: %hsa-mock %t
#include "harness.h"

#include <memory>

namespace {
constexpr std::size_t X = 100, Y = 37, Z = 5;

void each_once(const xcc::buffer<unsigned> &counts) {
  for (unsigned count : read(counts))
    EQUAL(count, 1u);
}
} // namespace

TEST(one_dimension, needs(execution)) {
  xcc::buffer<unsigned> counts(12345);
  counts.fill(0);
  xcc::parallel_for(counts.size(),
                    [p = counts.data()](std::size_t i) { ++p[i]; });
  each_once(counts);
}

TEST(two_dimensions, needs(execution)) {
  xcc::buffer<unsigned> counts(X * Y);
  counts.fill(0);
  xcc::parallel_for({X, Y}, [p = counts.data()](std::size_t x, std::size_t y) {
    if (x < X && y < Y)
      ++p[y * X + x];
  });
  each_once(counts);
}

TEST(three_dimensions, needs(execution)) {
  xcc::buffer<unsigned> counts(X * Y * Z);
  counts.fill(0);
  xcc::parallel_for({X, Y, Z}, [p = counts.data()](auto x, auto y, auto z) {
    if (x < X && y < Y && z < Z)
      ++p[(z * Y + y) * X + x];
  });
  each_once(counts);
}

TEST(narrow_and_empty, needs(execution)) {
  xcc::buffer<unsigned> counts(3000);
  counts.fill(0);
  xcc::parallel_for({1, 1000}, [p = counts.data()](auto, auto y) { ++p[y]; });
  xcc::parallel_for({1, 1, 1000},
                    [p = counts.data()](auto, auto, auto z) { ++p[1000 + z]; });
  xcc::parallel_for({1000, 1},
                    [p = counts.data()](auto x, auto) { ++p[2000 + x]; });
  xcc::parallel_for({0, 10}, [p = counts.data()](auto, auto) { ++*p; });
  xcc::parallel_for({10, 10, 0}, [p = counts.data()](auto, auto, auto) { ++*p; });
  xcc::parallel_for(0, [p = counts.data()](auto) { ++*p; });
  each_once(counts);
}

TEST(more_rows_than_a_grid_has, needs(execution)) {
  constexpr std::size_t rows = 70001;
  xcc::buffer<unsigned> counts(rows);
  counts.fill(0);
  xcc::parallel_for({nullptr, {1, 1, 1}}, {1, rows},
                    [p = counts.data()](std::size_t, std::size_t y) { ++p[y]; });
  each_once(counts);
}

TEST(streams_and_blocks, needs(execution)) {
  xcc::buffer<unsigned> counts(X * Y);
  xcc::stream s;
  counts.fill(0, s);
  xcc::parallel_for(s, X * Y, [p = counts.data()](std::size_t i) { ++p[i]; });
  s.synchronize();
  each_once(counts);
  xcc::parallel_for({s, {16, 4}}, {X, Y}, [p = counts.data()](auto x, auto y) {
    const xcc::dim3 block = xcc::block_dim();
    if (block.x == 16 && block.y == 4)
      --p[y * X + x];
  });
  xcc::parallel_for({s, {32}}, X * Y, [p = counts.data()](std::size_t i) {
    if (xcc::block_dim().x == 32)
      ++p[i];
  });
  s.synchronize();
  each_once(counts);
}

TEST(a_function_object, needs(execution)) {
  struct counter {
    unsigned *out;
    void operator()(std::size_t x, std::size_t y) { ++out[y * X + x]; }
  };
  xcc::buffer<unsigned> counts(X * Y);
  counts.fill(0);
  xcc::parallel_for({X, Y}, counter{counts.data()});
  each_once(counts);
}
