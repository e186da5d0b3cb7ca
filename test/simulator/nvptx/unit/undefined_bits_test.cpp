// Rules of undefined bits, against all values that the bits can have
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/simulator/common/undefined_bits.h"

#include <gtest/gtest.h>

using namespace simulator;

namespace {

constexpr unsigned Width = 4;
constexpr uint64_t Mask = lowBits(Width);

/// The bits of a function's result that differ for any values of the undefined
/// bits.
template <class F> uint64_t differing(Partly a, Partly b, F f) {
  uint64_t all = Mask, any = 0;
  for (uint64_t x = 0; x <= Mask; ++x)
    for (uint64_t y = 0; y <= Mask; ++y) {
      if ((x & ~a.undefined) != a.least() || (y & ~b.undefined) != b.least())
        continue;
      const uint64_t out = f(x, y) & Mask;
      all &= out;
      any |= out;
    }
  return any & ~all;
}

/// Calls check(a, b) for all operands of Width bits.
template <class F> void forAll(F check) {
  for (uint64_t n = 0; n <= lowBits(4 * Width); ++n)
    check(Partly{n & Mask, n >> Width & Mask},
          Partly{n >> 2 * Width & Mask, n >> 3 * Width & Mask});
}

/// No undefined bit is missed; Exact: no bit is called undefined that is not.
template <bool Exact, class F, class R> void compare(F f, R rule) {
  bool right = true;
  forAll([&](Partly a, Partly b) {
    const uint64_t is = differing(a, b, f), said = rule(a, b) & Mask;
    right &= Exact ? said == is : (said & is) == is;
  });
  EXPECT_TRUE(right);
}

} // namespace

TEST(UndefinedBits, Logic) {
  compare<true>([](uint64_t a, uint64_t b) { return a & b; }, undefinedAnd);
  compare<true>([](uint64_t a, uint64_t b) { return a | b; }, undefinedOr);
  // The table's bits are numbered abc. Here c does not matter.
  compare<true>(
      [](uint64_t a, uint64_t b) { return a | ~b; },
      [](Partly a, Partly b) { return undefinedTable(a, b, {}, 0b11110011); });
}

TEST(UndefinedBits, SumsAndProducts) {
  compare<false>([](uint64_t a, uint64_t b) { return a + b; }, undefinedAdd);
  compare<false>([](uint64_t a, uint64_t b) { return a - b; }, undefinedSub);
  compare<false>([](uint64_t a, uint64_t b) { return a * b; }, undefinedMul);
  // What carries do not reach is defined.
  EXPECT_EQ(undefinedAdd({0, 4}, {0, 0}) & Mask, 4u);
  EXPECT_EQ(undefinedAdd({0, 4}, {4, 0}) & Mask, 12u);
  EXPECT_EQ(undefinedMul({0, 1}, {4, 0}) & Mask, 12u);
  EXPECT_EQ(undefinedMul({0, 15}, {0, 0}), 0u);
}

TEST(UndefinedBits, Comparisons) {
  compare<true>(
      [](uint64_t a, uint64_t b) { return uint64_t(a == b); },
      [](Partly a, Partly b) { return uint64_t(isEqualUndefined(a, b)); });
  compare<true>(
      [](uint64_t a, uint64_t b) { return uint64_t(a < b); },
      [](Partly a, Partly b) { return uint64_t(isLessUndefined(a, b)); });
}

TEST(UndefinedBits, Choices) {
  const Partly one{1, 0}, unknown{1, 1}, a{5, 2}, b{5, 4}, c{6, 0};
  EXPECT_EQ(undefinedSelect(one, a, b), 2u);
  EXPECT_EQ(undefinedSelect(unknown, a, b), 6u);
  EXPECT_EQ(undefinedSelect(unknown, a, c), ~uint64_t(0));
  // A one that is known hides what comes behind it.
  EXPECT_EQ(undefinedLeadingZeros({8, 7}, 4), 0u);
  EXPECT_NE(undefinedLeadingZeros({4, 8}, 4), 0u);
}
