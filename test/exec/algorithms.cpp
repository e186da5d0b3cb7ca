// <xcc/algorithm.h>: results are those of the standard's algorithms on the host.
// RUN: %xcc -O0 -std=c++17 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++17 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <xcc/algorithm.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

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
  const auto odd = [](int v) { return v % 2 != 0; };
  check(xcc::count_if(x, odd) ==
            std::size_t(std::count_if(in.begin(), in.end(), odd)),
        "count_if");

  std::vector<int> expected(n);
  std::transform(in.begin(), in.end(), expected.begin(), std::negate<int>());
  xcc::transform(x, y.data(), std::negate<int>());
  check(y.to<std::vector>() == expected, "transform");
  xcc::transform(x, y.data(), y.data(), std::plus<int>());
  check(xcc::reduce(y, 0, [](int a, int b) { return a | b; }) == 0,
        "transform of two");
  xcc::for_each(y, [](int &v) { v = 3; });
  check(xcc::reduce(y, 0) == int(3 * n), "for_each");

  std::partial_sum(in.begin(), in.end(), expected.begin());
  xcc::inclusive_scan(x, y.data());
  check(y.to<std::vector>() == expected, "inclusive_scan");
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 5);
  y.copy_from(in);
  xcc::exclusive_scan(y, y.data(), 5); // in place
  check(y.to<std::vector>() == expected, "exclusive_scan");

  expected.clear();
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), odd);
  const std::size_t kept = xcc::copy_if(x, y.data(), odd);
  check(kept == expected.size(), "copy_if: how many");
  check(y.part(0, kept).to<std::vector<int>>() == expected, "copy_if");

  expected = in;
  std::sort(expected.begin(), expected.end(), std::greater<int>());
  xcc::sort(x, std::greater<int>());
  check(x.to<std::vector>() == expected, "sort");
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
  xcc::sort_by_key(keys, orders.data());
  const auto sorted = keys.to<std::vector>();
  const auto moved = orders.to<std::vector>();
  for (std::size_t i = 0; i < n; ++i)
    check(sorted[i] == items[i].key && moved[i] == items[i].order,
          "sort_by_key");
}

void streams(std::size_t n) {
  xcc::stream in;
  const auto given = make(n, [](std::size_t i) { return number(i); });
  xcc::buffer<std::uint32_t> x(given), sum(1), y(n);
  xcc::buffer<std::size_t> kept(1);
  // Each needs what the one before it did.
  xcc::sort(in, x);
  xcc::transform(in, x, y.data(), [](std::uint32_t v) { return v / 2; });
  xcc::inclusive_scan(in, y, y.data());
  xcc::reduce(in, y, sum.data(), 0u);
  xcc::copy_if(in, y, x.data(), kept.data(),
               [](std::uint32_t v) { return v % 3 == 0; });
  in.synchronize();
  auto expected = given;
  std::sort(expected.begin(), expected.end());
  for (auto &v : expected)
    v /= 2;
  std::partial_sum(expected.begin(), expected.end(), expected.begin());
  check(sum.to<std::vector>()[0] ==
            std::accumulate(expected.begin(), expected.end(), 0u),
        "a stream's sum");
  check(kept.to<std::vector>()[0] ==
            std::size_t(
                std::count_if(expected.begin(), expected.end(),
                              [](std::uint32_t v) { return v % 3 == 0; })),
        "a stream's number");
}

int main() {
  const bool host = xcc::device::current().kind()[0] == 'h' &&
                    xcc::device::current().kind()[1] == 'o';
  for (std::size_t n : {0, 1, 2, 31, 65, 1000, 2049, 70001}) {
    // Simulators take their time.
    if (!host && n > 1000)
      break;
    numbers(n);
    objects(n);
    streams(n);
  }
  // CHECK: as the standard has it
  std::printf("as the standard has it\n");
}
