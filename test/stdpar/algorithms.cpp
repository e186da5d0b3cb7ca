// -foffload-stdpar: the standard's parallel algorithms, in a file without a
// header of ours, give what their forms on the host give.
// RUN: %xcc -O1 -std=c++17 -w -foffload-stdpar %s -o %t
// RUN: env XCC_STDPAR_LEAST=1000 %t | FileCheck %s
// RUN: env XCC_STDPAR_LEAST=1000 XCC_CPU_SEPARATE=1 %t | FileCheck %s
// RUN: env XCC_LOG=stdpar %t 2>&1 | FileCheck --check-prefix=LOG %s
// CHECK: all as on the host
// LOG: xcc: stdpar: for_each runs on the device: its types and size allow it, at {{.*}}algorithms.cpp:
// LOG: xcc: stdpar: inclusive_scan runs on the host: it has few elements for several kernels
// LOG: xcc: stdpar: sort runs on the device
// LOG: xcc: stdpar: sort runs on the host: it has few elements
// LOG: xcc: stdpar: count_if runs on the host: it has an iterator without random access
// LOG: xcc: stdpar: sort runs on {{the host: it has|threads of the host}}
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <execution>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

static int failures = 0;
static void check(bool right, const char *what) {
  if (!right)
    std::printf("wrong: %s\n", what), ++failures;
}

constexpr std::size_t n = 6000;

template <class Type> std::vector<Type> numbers(unsigned modulus) {
  std::vector<Type> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned x = unsigned(i) * 2654435761u;
    out[i] = Type((x ^ x >> 15) % modulus);
  }
  return out;
}

struct item {
  int key, order;
  bool operator==(const item &o) const {
    return key == o.key && order == o.order;
  }
};

static bool descending(double a, double b) { return a > b; }
/// Which one it is is not known when the program is compiled.
static bool (*volatile order)(double, double) = descending;

template <class Policy> void loops(Policy &&policy) {
  const auto in = numbers<double>(1000);
  std::vector<double> x = in, y(n), expected(n);
  std::vector<double> table{1, 2, 3};
  double factor = 3;
  std::for_each(policy, x.begin(), x.end(),
                [&](double &v) { v = v * factor + table[1]; });
  for (std::size_t i = 0; i < n; ++i)
    expected[i] = in[i] * 3 + 2;
  check(x == expected, "for_each");
  check(std::transform(policy, x.begin(), x.end(), in.begin(), y.begin(),
                       std::minus<>()) == y.end(),
        "transform's end");
  for (std::size_t i = 0; i < n; ++i)
    expected[i] = x[i] - in[i];
  check(y == expected, "transform");
  std::transform(policy, x.rbegin(), x.rend(), y.begin(),
                 [](double v) { return -v; });
  std::transform(x.rbegin(), x.rend(), expected.begin(), std::negate<>());
  check(y == expected, "transform, reversed");
  check(std::reduce(policy, in.begin(), in.end()) ==
            std::accumulate(in.begin(), in.end(), 0.0),
        "reduce");
  check(std::transform_reduce(policy, in.begin(), in.end(), 1.0, std::plus<>(),
                              [&](double v) { return v * table[2]; }) ==
            1 + 3 * std::accumulate(in.begin(), in.end(), 0.0),
        "transform_reduce");
  check(std::transform_reduce(policy, in.begin(), in.end(), in.begin(), 0.0) ==
            std::inner_product(in.begin(), in.end(), in.begin(), 0.0),
        "transform_reduce of two");
  std::fill(policy, y.begin(), y.end(), 4.0);
  check(std::count(policy, y.begin(), y.end(), 4.0) == std::ptrdiff_t(n),
        "fill, count");
  std::copy(policy, in.begin(), in.end(), y.begin());
  check(y == in, "copy");
  std::reverse(policy, y.begin(), y.end());
  check(std::equal(policy, y.begin(), y.end(), in.rbegin()), "reverse, equal");
  std::replace(policy, y.begin(), y.end(), 7.0, -7.0);
  check(
      std::none_of(policy, y.begin(), y.end(), [](double v) { return v == 7; }),
      "replace, none_of");
}

template <class Policy> void searches(Policy &&policy) {
  const auto in = numbers<int>(5000);
  check(std::find(policy, in.begin(), in.end(), in[4321]) ==
            std::find(in.begin(), in.end(), in[4321]),
        "find");
  check(std::min_element(policy, in.begin(), in.end()) ==
            std::min_element(in.begin(), in.end()),
        "min_element");
  check(std::max_element(policy, in.begin(), in.end()) ==
            std::max_element(in.begin(), in.end()),
        "max_element");
  auto other = in;
  other[5000] ^= 1;
  check(std::mismatch(policy, in.begin(), in.end(), other.begin()).first ==
            in.begin() + 5000,
        "mismatch");
  check(!std::equal(policy, in.begin(), in.end(), other.begin(), other.end()),
        "equal of two ranges");
  check(!std::is_sorted(policy, in.begin(), in.end()), "is_sorted");
  check(std::adjacent_find(policy, in.begin(), in.end()) ==
            std::adjacent_find(in.begin(), in.end()),
        "adjacent_find");
}

template <class Policy> void orders(Policy &&policy) {
  const auto in = numbers<double>(100000);
  auto x = in, expected = in;
  std::sort(policy, x.begin(), x.end());
  std::sort(expected.begin(), expected.end());
  check(x == expected, "sort");
  x = in;
  std::sort(policy, x.begin(), x.end(), +order);
  std::reverse(expected.begin(), expected.end());
  check(x == expected, "sort by a function");
  std::sort(policy, x.begin(), x.begin() + 9);
  check(std::is_sorted(x.begin(), x.begin() + 9), "sort of few");

  std::vector<item> items(n);
  for (std::size_t i = 0; i < n; ++i)
    items[i] = {int(in[i]) % 50, int(i)};
  auto stable = items;
  const auto by_key = [](const item &a, const item &b) {
    return a.key < b.key;
  };
  std::stable_sort(policy, items.begin(), items.end(), by_key);
  std::stable_sort(stable.begin(), stable.end(), by_key);
  check(items == stable, "stable_sort");

  auto a = numbers<int>(500), b = numbers<int>(700);
  std::vector<int> y(n), z(n);
  std::inclusive_scan(policy, a.begin(), a.end(), y.begin());
  std::inclusive_scan(a.begin(), a.end(), z.begin());
  check(y == z, "inclusive_scan");
  std::exclusive_scan(policy, a.begin(), a.end(), y.begin(), 5);
  std::exclusive_scan(a.begin(), a.end(), z.begin(), 5);
  check(y == z, "exclusive_scan");
  int limit = 100;
  std::vector<int> small(n);
  const auto holds = [&](int v) { return v < limit; };
  small.resize(std::count_if(a.begin(), a.end(), holds));
  check(std::copy_if(policy, a.begin(), a.end(), small.begin(), holds) ==
            small.end(),
        "copy_if's end");
  z.clear();
  std::copy_if(a.begin(), a.end(), std::back_inserter(z), holds);
  check(small == z, "copy_if");
  z.assign(n, 0);
  y.assign(n, 0);
  y.erase(std::unique_copy(policy, a.begin(), a.end(), y.begin(),
                           [](int v, int w) { return v / 300 == w / 300; }),
          y.end());
  z.erase(std::unique_copy(a.begin(), a.end(), z.begin(),
                           [](int v, int w) { return v / 300 == w / 300; }),
          z.end());
  check(y == z, "unique_copy");
  y.assign(n, 0);
  z = a;
  y = a;
  y.erase(std::remove_if(policy, y.begin(), y.end(), holds), y.end());
  z.erase(std::remove_if(z.begin(), z.end(), holds), z.end());
  check(y == z, "remove_if");
  z = y = a;
  std::stable_partition(policy, y.begin(), y.end(), holds);
  std::stable_partition(z.begin(), z.end(), holds);
  check(y == z, "stable_partition");
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  y.assign(2 * n, 0);
  z.assign(2 * n, 0);
  std::merge(policy, a.begin(), a.end(), b.begin(), b.end(), y.begin());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), z.begin());
  check(y == z, "merge");
  y.erase(std::unique(policy, y.begin(), y.end()), y.end());
  z.erase(std::unique(z.begin(), z.end()), z.end());
  check(y == z, "unique");
}

/// Elements that own memory of the host stay there, and threads share them.
template <class Policy> void owners_of_memory(Policy &&policy) {
  std::vector<std::string> in(n), sorted, out(n);
  std::for_each(policy, in.begin(), in.end(), [&](std::string &text) {
    text = "a text that does not fit: " +
           std::to_string((&text - in.data()) * 7919 % n);
  });
  const auto longer = [](const std::string &text) { return text + "!"; };
  check(std::transform(policy, in.begin(), in.end(), out.begin(), longer) ==
                out.end() &&
            out[n - 1] == in[n - 1] + "!" && out[1234] == in[1234] + "!",
        "transform of texts");
  check(std::find(policy, in.begin(), in.end(), in[5555]) == in.begin() + 5555,
        "find a text");
  check(std::count(policy, in.begin(), in.end(), in[7]) == 1, "count texts");
  check(std::reduce(policy, in.begin(), in.end(), std::string("x")) ==
            std::accumulate(in.begin(), in.end(), std::string("x")),
        "reduce texts");
  sorted = in;
  std::sort(policy, sorted.begin(), sorted.end());
  std::sort(in.begin(), in.end());
  check(sorted == in, "sort texts");
  std::fill_n(policy, out.begin(), n, "y");
  std::copy_n(policy, out.begin(), n, in.begin());
  check(in == std::vector<std::string>(n, "y"), "fill_n and copy_n of texts");
  std::atomic<int> each{0};
  std::map<int, int> host{{1, 1}};
  std::vector<int> v(n, 1);
  check(std::any_of(policy, v.begin(), v.end(),
                    [&](int i) { return host.at(i) == 1; }) &&
            !std::none_of(policy, v.begin(), v.end(),
                          [&](int i) { return ++each, host.at(i) == 1; }),
        "any_of, none_of");
  check(*std::max_element(
            policy, v.begin(), v.end(),
            [&](int a, int b) { return host.at(a) < host.at(b); }) == 1 &&
            std::max_element(policy, v.begin(), v.end(),
                             [&](int a, int b) {
                               return host.at(a) < host.at(b);
                             }) == v.begin(),
        "max_element");
}

/// Compiles what the host's library compiles.
template <class Policy> void host(Policy &&policy) {
  std::list<int> list(n, 1);
  check(std::count_if(policy, list.begin(), list.end(),
                      [](int v) { return v == 1; }) == std::ptrdiff_t(n),
        "list");
  std::vector<std::unique_ptr<int>> owners(n);
  std::for_each(policy, owners.begin(), owners.end(),
                [](auto &p) { p = nullptr; });
  std::function<bool(int)> odd = [](int v) { return v % 2 != 0; };
  const auto in = numbers<int>(9);
  check(std::count_if(policy, in.begin(), in.end(), odd) ==
            std::count_if(in.begin(), in.end(), odd),
        "std::function");
  std::map<int, int> squares{{1, 1}, {2, 4}};
  std::vector<int> y(n, 2);
  std::for_each(policy, y.begin(), y.end(), [&](int &v) { v = squares.at(v); });
  check(std::count(y.begin(), y.end(), 4) == std::ptrdiff_t(n), "std::map");
  int (*twice)(int) = [](int v) { return 2 * v; };
  std::for_each(policy, y.begin(), y.end(), [=](int &v) { v = twice(v); });
  std::for_each(policy, y.begin(), y.end(), [&](int &v) { v = twice(v); });
  check(std::count(y.begin(), y.end(), 16) == std::ptrdiff_t(n), "a function");
  std::vector<long double> wide(n, 2);
  check(std::reduce(policy, wide.begin(), wide.end()) == 2 * n, "long double");
  std::deque<int> rows(n, 3);
  check(std::reduce(policy, rows.begin(), rows.end()) == 3 * int(n), "deque");
  std::vector<std::vector<int>> nested(n, std::vector<int>(2, 5));
  std::for_each(policy, nested.begin(), nested.end(), [](auto &v) { ++v[1]; });
  check(nested[n - 1][1] == 6 && nested[0][0] == 5, "vectors of vectors");
  owners_of_memory(policy);
  std::vector<bool> bits(n, true);
  std::fill(policy, bits.begin(), bits.end(), false);
  check(std::count(bits.begin(), bits.end(), true) == 0, "vector<bool>");
  std::unique_ptr<volatile int[]> changing(new volatile int[n]);
  std::fill(policy, changing.get(), changing.get() + n, 3);
  check(changing[n - 1] == 3, "volatile");
  std::vector<int> empty;
  check(std::reduce(policy, empty.begin(), empty.end(), 4) == 4, "empty");
}

/// What can only be made from a number, and whose address cannot be asked for.
struct strict {
  int value;
  explicit strict(int value) : value(value) {}
  strict *operator&() = delete;
  bool operator<(const strict &other) const { return value < other.value; }
  bool operator==(const strict &other) const { return value == other.value; }
};
template <class Policy> void strict_elements(Policy policy) {
  std::vector<strict> all, sums;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back(strict(int(i * 7 % 1000)));
  sums = all;
  const auto add = [](strict a, strict b) { return strict(a.value + b.value); };
  std::inclusive_scan(policy, all.begin(), all.end(), sums.begin(), add);
  check(sums[n - 1] ==
            std::reduce(policy, all.begin(), all.end(), strict(0), add),
        "strict elements: scan and reduce");
  std::vector<strict> left = all, low = all, high = all;
  const auto holds = [](const strict &one) { return one.value < 400; };
  const auto ends = std::partition_copy(policy, all.begin(), all.end(),
                                        low.begin(), high.begin(), holds);
  low.erase(ends.first, low.end());
  high.erase(ends.second, high.end());
  left.erase(std::remove_if(policy, left.begin(), left.end(), holds),
             left.end());
  check(left == high && low.size() + high.size() == n,
        "strict elements: partition_copy and remove_if");
  std::sort(policy, all.begin(), all.end());
  check(std::is_sorted(all.begin(), all.end()), "strict elements: sort");
  all.erase(std::unique(policy, all.begin(), all.end()), all.end());
  check(all.size() == 1000, "strict elements: unique");
}

/// So many that a GPU does not sort them all.
template <class Type, class Less>
void check_nth(std::vector<Type> all, std::size_t nth, Less less) {
  std::vector<Type> sorted = all;
  std::sort(sorted.begin(), sorted.end(), less);
  const auto at = all.begin() + std::ptrdiff_t(nth);
  std::nth_element(std::execution::par, all.begin(), at, all.end(), less);
  check(!less(*at, sorted[nth]) && !less(sorted[nth], *at) &&
            std::none_of(all.begin(), at,
                         [&](const Type &one) { return less(*at, one); }) &&
            std::none_of(at, all.end(),
                         [&](const Type &one) { return less(one, *at); }),
        "nth_element");
  std::sort(all.begin(), all.end(), less);
  check(std::equal(all.begin(), all.end(), sorted.begin(),
                   [&](const Type &one, const Type &other) {
                     return !less(one, other) && !less(other, one);
                   }),
        "what nth_element leaves");
}
void nth_elements() {
  std::vector<int> x(20000), equal(20000, 3);
  std::vector<item> items(20000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const unsigned v = unsigned(i) * 2654435761u;
    x[i] = int(v ^ v >> 15);
    items[i] = {x[i] % 3, int(i)};
  }
  for (const std::size_t nth : {0, 100, 10000, 19999})
    check_nth(x, nth, std::less<int>());
  check_nth(equal, 5000, std::less<int>());
  check_nth(items, 7000,
            [](const item &a, const item &b) { return a.key < b.key; });
}

int main() {
  loops(std::execution::par_unseq);
  strict_elements(std::execution::par_unseq);
  searches(std::execution::par_unseq);
  orders(std::execution::par_unseq);
  nth_elements();
  host(std::execution::par);
  if (!failures)
    std::printf("all as on the host\n");
  return failures != 0;
}
