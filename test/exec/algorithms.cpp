// <xcc/algorithm.h>: results are those of the standard's algorithms on the host.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <xcc/algorithm.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

/// Larger than a word, and ordered by a part of it.
struct item {
  std::int64_t key;
  std::uint32_t order;
  bool operator==(const item &other) const {
    return key == other.key && order == other.order;
  }
};
/// Functions x -> a * x + b in the integers mod 2^32: composing them is
/// associative and not commutative.
struct affine {
  std::uint32_t a, b;
  bool operator==(const affine &other) const {
    return a == other.a && b == other.b;
  }
};
struct compose {
  affine operator()(affine f, affine g) const {
    return {f.a * g.a, f.b * g.a + g.b};
  }
};

/// One type for all calls: each type of an operation is more kernels to compile.
struct is_odd {
  bool operator()(int v) const { return v % 2 != 0; }
} constexpr odd;

std::uint32_t number(std::size_t i) {
  const std::uint32_t x = std::uint32_t(i) * 2654435761u;
  return x ^ x >> 15;
}

template <class Make> auto make(std::size_t n, Make f) {
  std::vector<decltype(f(n))> out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = f(i);
  return out;
}

void numbers(std::size_t n) {
  const auto in = make(n, [](std::size_t i) { return int(number(i) % 1000); });
  xcc::buffer<int> x(in), y(n);
  check(xcc::reduce(x, std::int64_t(7)) ==
            std::accumulate(in.begin(), in.end(), std::int64_t(7)),
        "reduce");
  check(xcc::transform_reduce(
            x, 1, [](int a, int b) { return a > b ? a : b; },
            [](int v) { return 2 * v; }) ==
            std::max(1, n ? 2 * *std::max_element(in.begin(), in.end()) : 0),
        "transform_reduce");
  check(xcc::count_if(x, odd) ==
            std::size_t(std::count_if(in.begin(), in.end(), odd)),
        "count_if");

  std::vector<int> expected(n);
  std::transform(in.begin(), in.end(), expected.begin(), std::negate<int>());
  xcc::transform(x, y, std::negate<int>());
  check(y.to<std::vector>() == expected, "transform");
  xcc::transform(x, y, y.data(), std::plus<int>());
  check(xcc::reduce(y, 0, [](int a, int b) { return a | b; }) == 0,
        "transform of two");
  xcc::for_each(y, [](int &v) { v = 3; });
  check(xcc::reduce(y, 0) == int(3 * n), "for_each");

  std::partial_sum(in.begin(), in.end(), expected.begin());
  xcc::inclusive_scan(x, y.all());
  check(y.to<std::vector>() == expected, "inclusive_scan");
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 5);
  y.copy_from(in);
  xcc::exclusive_scan(y, y.data(), 5); // in place
  check(y.to<std::vector>() == expected, "exclusive_scan");

  expected.clear();
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), odd);
  const std::size_t kept = xcc::copy_if(x, y, odd);
  check(kept == expected.size(), "copy_if: how many");
  check(y.part(0, kept).to<std::vector<int>>() == expected, "copy_if");

  expected = in;
  std::sort(expected.begin(), expected.end(), std::greater<int>());
  xcc::sort(x, std::greater<int>());
  check(x.to<std::vector>() == expected, "sort");
}

void parts(std::size_t n) {
  const auto in = make(n, [](std::size_t i) { return int(number(i) % 7); });
  xcc::buffer<int> x(in);
  const auto whole = [&](const char *what, std::vector<int> expected,
                         std::size_t left) {
    const std::size_t size = expected.size();
    check(left == size, what);
    check(x.part(0, size).to<std::vector<int>>() == expected, what);
    x.copy_from(in);
  };
  check(xcc::count(x, 3) == std::size_t(std::count(in.begin(), in.end(), 3)),
        "count");
  check(xcc::min_index(x) ==
            std::size_t(std::min_element(in.begin(), in.end()) - in.begin()),
        "min_index");
  check(xcc::max_index(x) ==
            std::size_t(std::max_element(in.begin(), in.end()) - in.begin()),
        "max_index");
  check(xcc::max_index(x, std::greater<int>()) == xcc::min_index(x),
        "max_index of the reverse");
  const int *const first = x.data(), *const last = first + n;
  check(xcc::min_element(first, last) == first + xcc::min_index(x) &&
            xcc::max_element(first, last) == first + xcc::max_index(x) &&
            xcc::max_element(first, last, std::greater<int>()) ==
                xcc::min_element(first, last),
        "addresses of elements");

  auto expected = in;
  expected.erase(std::remove_if(expected.begin(), expected.end(), odd),
                 expected.end());
  whole("remove_if", expected, xcc::remove_if(x, odd));
  expected = in;
  expected.erase(std::remove(expected.begin(), expected.end(), 2),
                 expected.end());
  whole("remove", expected, xcc::remove(x, 2));
  expected = in;
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  whole("unique", expected, xcc::unique(x));
  const auto near = [](int a, int b) { return a / 4 == b / 4; };
  expected = in;
  expected.erase(std::unique(expected.begin(), expected.end(), near),
                 expected.end());
  whole("unique by a comparison", expected, xcc::unique(x, near));
  expected = in;
  const auto second = std::stable_partition(expected.begin(), expected.end(), odd);
  check(xcc::partition(x, odd) == std::size_t(second - expected.begin()),
        "partition: how many");
  check(x.to<std::vector>() == expected, "partition");

  xcc::fill(x, 9);
  check(x.to<std::vector>() == std::vector<int>(n, 9), "fill");
  xcc::iota(x, -3);
  std::iota(expected.begin(), expected.end(), -3);
  check(x.to<std::vector>() == expected, "iota");
}

void histograms(std::size_t n) {
  // Few bins, and more than there are elements.
  for (std::size_t bins : {std::size_t(1), std::size_t(10), 2 * n + 5}) {
    const auto in = make(n, [&](std::size_t i) {
      return int(number(i) % (bins + 2)) - 1;
    });
    std::vector<int> expected(bins);
    for (int v : in)
      if (v >= 0 && v < int(bins))
        ++expected[std::size_t(v)];
    xcc::buffer<int> x(in), counts(bins);
    xcc::histogram(x, counts);
    check(counts.to<std::vector>() == expected, "histogram");
    for (auto &v : expected)
      v = 0;
    for (int v : in)
      ++expected[std::size_t(v + 1) % bins];
    xcc::buffer<std::uint64_t> wide(bins);
    xcc::histogram(x, wide,
                   [bins](int v) { return std::size_t(v + 1) % bins; });
    check(wide.to<std::vector>() ==
              std::vector<std::uint64_t>(expected.begin(), expected.end()),
          "a histogram by a function");
  }
  const auto in = make(n, [](std::size_t i) { return float(i % 9) / 2 - 1; });
  std::vector<unsigned> expected(4);
  for (float v : in) // -1, -0.5 and 2 to 3 are outside
    if (v >= 0 && v < 2)
      ++expected[std::size_t(2 * v)];
  xcc::buffer<float> x(in);
  xcc::buffer<unsigned> counts(4);
  xcc::histogram(x, counts, xcc::even_bins(0.0f, 2.0f, 4));
  check(counts.to<std::vector>() == expected, "even bins");
}

void objects(std::size_t n) {
  const auto functions = make(n, [](std::size_t i) {
    return affine{number(i) | 1, std::uint32_t(i)};
  });
  xcc::buffer<affine> f(functions), g(n);
  auto expected = functions;
  std::inclusive_scan(functions.begin(), functions.end(), expected.begin(),
                      compose());
  xcc::inclusive_scan(f, g.data(), compose());
  check(g.to<std::vector>() == expected, "a scan in order");
  const affine all = xcc::reduce(f, affine{1, 0}, compose());
  check(all == (n ? expected.back() : affine{1, 0}), "a reduction in order");

  auto items = make(n, [](std::size_t i) {
    return item{number(i) % 16 - std::int64_t(8), std::uint32_t(i)};
  });
  const auto less = [](const item &a, const item &b) { return a.key < b.key; };
  xcc::buffer<item> x(items);
  xcc::buffer<std::int64_t> keys(
      make(n, [&](std::size_t i) { return items[i].key; }));
  xcc::buffer<std::uint32_t> orders(
      make(n, [&](std::size_t i) { return items[i].order; }));
  std::stable_sort(items.begin(), items.end(), less);
  xcc::sort(x, less);
  check(x.to<std::vector>() == items, "a stable sort");
  xcc::sort_by_key(keys, orders);
  const auto sorted = keys.to<std::vector>();
  const auto moved = orders.to<std::vector>();
  for (std::size_t i = 0; i < n; ++i)
    check(sorted[i] == items[i].key && moved[i] == items[i].order,
          "sort_by_key");
}

/// In the order of numbers: -0.0 is as 0.0, and NaNs are behind the others.
template <class Key> bool in_order(Key a, Key b) {
  return a < b || (a == a && b != b);
}
template <class Key, class Less> void sorted(std::vector<Key> keys, Less less) {
  const std::size_t n = keys.size();
  auto order = make(n, [](std::size_t i) { return std::uint32_t(i); });
  xcc::buffer<Key> y(keys);
  xcc::buffer<std::uint32_t> z(order);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return std::is_same_v<Less, std::less<Key>>
                                ? in_order(keys[a], keys[b])
                                : in_order(keys[b], keys[a]);
                   });
  xcc::sort_by_key(y, z, less);
  const auto with = y.template to<std::vector>();
  check(z.to<std::vector>() == order, "the order of numbers");
  for (std::size_t i = 0; i < n; ++i) {
    const Key expected = keys[order[i]];
    check(!std::memcmp(&with[i], &expected, sizeof(Key)), "numbers");
  }
}
template <class Key, class Less> void sorted(std::size_t n) {
  const auto keys = make(n, [](std::size_t i) {
    const std::uint64_t bits = number(i) * (std::uint64_t(1) << 32 | 5);
    const Key special[] = {Key(0), Key(-Key(0)),
                           std::numeric_limits<Key>::max(),
                           std::numeric_limits<Key>::lowest(),
                           std::numeric_limits<Key>::infinity(),
                           Key(-std::numeric_limits<Key>::infinity()),
                           std::numeric_limits<Key>::quiet_NaN(),
                           Key(-std::numeric_limits<Key>::quiet_NaN())};
    return bits % 5 ? Key(std::int64_t(bits)) : special[bits % 8];
  });
  sorted(keys, Less());
}

void streams(std::size_t n) {
  xcc::stream in;
  const auto given = make(n, [](std::size_t i) { return int(number(i) % 1000); });
  xcc::buffer<int> x(given), y(n), z(n), w(n), counts(3), sum(1);
  xcc::buffer<std::size_t> kept(1), some(6);
  // Each needs what the one before it did.
  xcc::sort(in, x, std::greater<int>());
  xcc::reduce(in, x, sum.data(), 0);
  xcc::transform(in, x, y.data(), std::negate<int>());
  xcc::inclusive_scan(in, y, y.data());
  xcc::copy_if(in, y, x.data(), kept.data(), odd);
  xcc::count(in, y, some.part(0, 1), 3);
  xcc::count_if(in, y, some.data() + 1, odd);
  xcc::max_index(in, y, some.part(2, 1));
  xcc::iota(in, z, -3);
  xcc::histogram(in, z, counts);
  xcc::remove_if(in, z, some.part(3, 1), odd);
  xcc::fill(in, w, 8);
  xcc::unique(in, w, some.part(4, 1));
  xcc::partition(in, w, some.part(5, 1), odd);
  in.synchronize();
  auto expected = given;
  std::sort(expected.begin(), expected.end(), std::greater<int>());
  for (auto &v : expected)
    v = -v;
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  check(sum.to<std::vector>()[0] ==
            std::accumulate(given.begin(), given.end(), 0),
        "a stream's sum");
  check(kept.to<std::vector>()[0] ==
            std::size_t(std::count_if(expected.begin(), expected.end(), odd)),
        "a stream's number");
  const std::vector<std::size_t> numbers = {
      std::size_t(std::count(expected.begin(), expected.end(), 3)),
      std::size_t(std::count_if(expected.begin(), expected.end(), odd)),
      std::size_t(std::max_element(expected.begin(), expected.end()) -
                  expected.begin()),
      n / 2, // of -3, -2 and so on
      std::size_t(n != 0),
      0};
  check(some.to<std::vector>() == numbers, "a stream's numbers");
  std::vector<int> bins(3);
  for (std::size_t v = 3; v < n && v < 6; ++v)
    bins[v - 3] = 1;
  check(counts.to<std::vector>() == bins, "a stream's histogram");
}

int main() {
  const bool host = xcc::device::current().kind()[0] == 'h' &&
                    xcc::device::current().kind()[1] == 'o';
  for (std::size_t n : {0, 1, 2, 31, 65, 1000, 3001, 70001}) {
    // Simulators take their time.
    if (!host && n > 3001)
      break;
    numbers(n);
    parts(n);
    histograms(n);
    objects(n);
#ifndef __OPTIMIZE__ // each type takes seconds to optimise
    sorted<float, std::less<float>>(n);
#endif
    sorted<double, std::greater<double>>(n);
    sorted<std::int8_t, std::less<std::int8_t>>(n);
    streams(n);
  }
  // CHECK: as the standard has it
  std::printf("as the standard has it\n");
}
