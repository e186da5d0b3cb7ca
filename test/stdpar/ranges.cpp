// -foffload-stdpar: searches with two ranges, copies, moves in a range, merges
// and sets give what their forms on the host give.
// RUN: %xcc -O0 -std=c++20 -w -foffload-stdpar --offload-arch=host,gfx90a -foffload-no-cubin %s -o %t
// RUN: env XCC_LOG=stdpar XCC_CPU_SEPARATE=1 %t 2>&1 | FileCheck %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa XCC_LOG=stdpar %t 2>&1 | FileCheck %s
// A CPU with few cores finds one element, or a few, faster in sequence.
// CHECK-NOT: runs on the host: {{[^a]|a [^C]}}
// CHECK: 65 calls give the same
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <execution>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <vector>

using numbers = std::vector<int>;
static std::size_t n = 6000;
static int failures, done;

/// Calls the same with a policy and without. What it returns, and what it leaves
/// in the ranges, has to be the same.
template <class Call> void same(const char *what, Call call) {
  static numbers a, b, out, other;
  auto fill = [](unsigned modulus) {
    numbers all(n);
    for (std::size_t i = 0; i < n; ++i)
      all[i] = int((i * 2654435761u >> 7) % modulus);
    return all;
  };
  numbers results[2][4];
  decltype(call(std::execution::par, a, b, out, other)) place[2];
  for (int with : {1, 0}) {
    a = fill(900);
    b = fill(700);
    out.assign(3 * n, -1);
    other.assign(n, -1);
    place[with] = with ? call(std::execution::par_unseq, a, b, out, other)
                       : call(std::execution::seq, a, b, out, other);
    results[with][0] = a, results[with][1] = b;
    results[with][2] = out, results[with][3] = other;
  }
  for (int i = 0; i < 4; ++i)
    if (results[0][i] != results[1][i])
      std::printf("wrong: %s, range %d\n", what, i), ++failures;
  if (place[0] != place[1])
    std::printf("wrong: %s returns %td, not %td\n", what,
                std::ptrdiff_t(place[1]), std::ptrdiff_t(place[0])),
        ++failures;
  ++done;
}
#define SAME(name, ...)                                                        \
  same(#name,                                                                  \
       [](auto policy, numbers &a, numbers &b, numbers &out,                   \
          numbers &other) -> std::ptrdiff_t { __VA_ARGS__; })

static const auto even = [](int v) { return v % 2 == 0; };

/// In which of these places an element comes too late, as bits.
template <class Policy> int late(Policy policy, numbers &a) {
  int result = 0;
  for (const std::size_t at : {std::size_t(0), std::size_t(1), std::size_t(63),
                               std::size_t(64), std::size_t(65), n - 1}) {
    a.assign(n, 1);
    a[at] = 2;
    result =
        2 * result + std::is_partitioned(policy, a.begin(), a.end(), even);
  }
  return result;
}
static void searches() {
  SAME(find_first_of,
       return std::find_first_of(policy, a.begin(), a.end(), b.begin() + 300,
                                 b.begin() + 303) -
              a.begin());
  SAME(search, return std::search(policy, a.begin(), a.end(), a.begin() + 555,
                                  a.begin() + 560) -
                      a.begin());
  SAME(find_end, return std::find_end(policy, a.begin(), a.end(),
                                      a.begin() + 555, a.begin() + 557) -
                        a.begin());
  SAME(search_n, std::fill(a.begin() + 5000 % n, a.begin() + 5003 % n, 77);
       return std::search_n(policy, a.begin(), a.end(), 3, 77) - a.begin());
  SAME(minmax_element,
       auto found = std::minmax_element(policy, a.begin(), a.end());
       return (found.first - a.begin()) * 10000 + (found.second - a.begin()));
  SAME(is_partitioned,
       return std::is_partitioned(policy, a.begin(), a.end(), even));
  SAME(is_partitioned, std::partition(a.begin(), a.end(), even);
       return std::is_partitioned(policy, a.begin(), a.end(), even));
  SAME(is_partitioned, return late(policy, a));
  SAME(lexicographical_compare, b = a; b[n - 2] += 1;
       return std::lexicographical_compare(policy, a.begin(), a.end(),
                                           b.begin(), b.end()) *
                  2 +
              std::lexicographical_compare(policy, b.begin(), b.end(),
                                           a.begin(), a.end()));
  SAME(lexicographical_compare,
       return std::lexicographical_compare(policy, a.begin(), a.end() - 1,
                                           a.begin(), a.end()) *
                  2 +
              std::lexicographical_compare(policy, a.begin(), a.end(),
                                           a.begin(), a.end() - 1));
  SAME(is_heap, std::make_heap(a.begin(), a.end());
       return std::is_heap(policy, a.begin(), a.end()));
  SAME(is_heap_until, std::make_heap(a.begin(), a.end()); a[n - 9] = 1000;
       return std::is_heap_until(policy, a.begin(), a.end()) - a.begin());
  SAME(mismatch, b = a; b[n - 3] = -1;
       return std::mismatch(policy, a.begin(), a.end(), b.begin(), b.end())
                  .first -
              a.begin());
  SAME(equal, b = a;
       return std::equal(policy, a.begin(), a.end(), b.begin(), b.end()) * 2 +
              std::equal(policy, a.begin(), a.end(), b.begin(), b.end() - 1));
}

static void copies() {
  SAME(move,
       return std::move(policy, a.begin(), a.end(), out.begin()) - out.begin());
  SAME(reverse_copy,
       return std::reverse_copy(policy, a.begin(), a.end(), out.begin()) -
              out.begin());
  SAME(rotate_copy, return std::rotate_copy(policy, a.begin(), a.begin() + 1234,
                                            a.end(), out.begin()) -
                           out.begin());
  SAME(replace_copy, return std::replace_copy(policy, a.begin(), a.end(),
                                              out.begin(), 5, -5) -
                            out.begin());
  SAME(replace_copy_if, return std::replace_copy_if(policy, a.begin(), a.end(),
                                                    out.begin(), even, -5) -
                               out.begin());
  SAME(
      adjacent_difference,
      return std::adjacent_difference(policy, a.begin(), a.end(), out.begin()) -
             out.begin());
  SAME(adjacent_difference,
       return std::adjacent_difference(policy, a.begin(), a.end(), out.begin(),
                                       std::plus<>()) -
              out.begin());
  SAME(generate, std::generate(policy, a.begin(), a.end(), [] { return 7; });
       return 0);
  SAME(generate_n,
       return std::generate_n(policy, a.begin(), n - 1, [] { return 7; }) -
              a.begin());
  SAME(unique_copy, std::sort(a.begin(), a.end());
       return std::unique_copy(policy, a.begin(), a.end(), out.begin()) -
              out.begin());
  SAME(partition_copy,
       auto ends = std::partition_copy(policy, a.begin(), a.end(), out.begin(),
                                       other.begin(), even);
       return (ends.first - out.begin()) * 10000 +
              (ends.second - other.begin()));
  SAME(partial_sort_copy,
       return std::partial_sort_copy(policy, a.begin(), a.end(), out.begin(),
                                     out.begin() + 100) -
              out.begin());
  SAME(partial_sort_copy,
       return std::partial_sort_copy(policy, a.begin(), a.end(), out.begin(),
                                     out.end(), std::greater<>()) -
              out.begin());
  SAME(transform_inclusive_scan,
       return std::transform_inclusive_scan(policy, a.begin(), a.end(),
                                            out.begin(), std::plus<>(),
                                            std::negate<>()) -
              out.begin());
}

static void moves() {
  SAME(rotate, return std::rotate(policy, a.begin(), a.begin() + 777, a.end()) -
                      a.begin());
  SAME(shift_left, auto end = std::shift_left(policy, a.begin(), a.end(), 777);
       a.erase(end, a.end()); return a.size());
  SAME(shift_right,
       auto begin = std::shift_right(policy, a.begin(), a.end(), 777);
       a.erase(a.begin(), begin); return a.size());
  SAME(nth_element,
       std::nth_element(policy, a.begin(), a.begin() + 999, a.end());
       int nth = a[999]; std::sort(a.begin(), a.end()); return nth);
  SAME(partial_sort,
       std::partial_sort(policy, a.begin(), a.begin() + 999, a.end());
       std::sort(a.begin() + 999, a.end()); return 0);
  SAME(partition,
       auto end = std::partition(policy, a.begin(), a.end(), even) - a.begin();
       std::sort(a.begin(), a.end()); return end);
  SAME(inplace_merge, std::sort(a.begin(), a.begin() + 2000);
       std::sort(a.begin() + 2000, a.end());
       std::inplace_merge(policy, a.begin(), a.begin() + 2000, a.end());
       return 0);
  SAME(swap_ranges,
       return std::swap_ranges(policy, a.begin(), a.end(), b.begin()) -
              b.begin());
}

static void uninitialized() {
  SAME(uninitialized_copy,
       return std::uninitialized_copy(policy, a.begin(), a.end(), out.begin()) -
              out.begin());
  SAME(uninitialized_copy_n,
       return std::uninitialized_copy_n(policy, a.begin(), n, out.begin()) -
              out.begin());
  SAME(uninitialized_move,
       return std::uninitialized_move(policy, a.begin(), a.end(), out.begin()) -
              out.begin());
  SAME(uninitialized_move_n,
       return std::uninitialized_move_n(policy, a.begin(), n, out.begin())
                  .second -
              out.begin());
  SAME(uninitialized_fill,
       std::uninitialized_fill(policy, a.begin(), a.end(), 3);
       return 0);
  SAME(uninitialized_fill_n,
       return std::uninitialized_fill_n(policy, a.begin(), n, 3) - a.begin());
  SAME(uninitialized_value_construct,
       std::uninitialized_value_construct(policy, a.begin(), a.end());
       return 0);
  SAME(uninitialized_value_construct_n,
       return std::uninitialized_value_construct_n(policy, a.begin(), n) -
              a.begin());
}

#define OF_SETS policy, a.begin(), a.end(), b.begin(), b.end(), out.begin()
#define SORTED std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end())
static void sets() {
  SAME(merge, SORTED; return std::merge(OF_SETS) - out.begin());
  SAME(set_union, SORTED; return std::set_union(OF_SETS) - out.begin());
  SAME(set_intersection, SORTED;
       return std::set_intersection(OF_SETS) - out.begin());
  SAME(set_difference, SORTED;
       return std::set_difference(OF_SETS) - out.begin());
  SAME(set_symmetric_difference, SORTED;
       return std::set_symmetric_difference(OF_SETS) - out.begin());
  SAME(includes, SORTED;
       return std::includes(policy, a.begin(), a.end(), b.begin(), b.end()));
  SAME(includes, SORTED; b = a; b.erase(b.begin() + 50, b.begin() + 90);
       return std::includes(policy, a.begin(), a.end(), b.begin(), b.end()));
}

static int twice(int v) { return 2 * v; }
template <class Type> void add(Type &v) noexcept { v += 5; }
namespace {
bool later(int one, int other) { return one % 100 > other % 100; }
} // namespace
struct counted {
  int value, calls;
  int next() const { return value + 1; }
  void call() { ++calls; }
};

/// Functions that the compiler knows, by all their names.
static void functions() {
  SAME(function,
       return std::transform(policy, a.begin(), a.end(), out.begin(), twice) -
              out.begin());
  SAME(address, constexpr auto known = &twice;
       return std::transform(policy, a.begin(), a.end(), out.begin(), known) -
              out.begin());
  SAME(of_template, std::for_each(policy, a.begin(), a.end(), add<int>);
       return 0);
  SAME(of_lambda, return std::count_if(policy, a.begin(), a.end(), +even));
  SAME(order, std::stable_sort(policy, a.begin(), a.end(), later); return 0);
  SAME(reference, return std::transform_reduce(policy, a.begin(), a.end(), 0,
                                               std::plus<>(), std::ref(twice)));
  SAME(member, std::vector<counted> all(n); all[70].value = 3; std::for_each(
           policy, all.begin(), all.end(), std::mem_fn(&counted::call));
       std::transform(policy, all.begin(), all.end(), out.begin(),
                      std::mem_fn(&counted::next));
       return all[n - 1].calls);
}

/// The blocks of a deque, from any place in one.
static void deques() {
  SAME(deque, std::deque<int> all(b.begin(), b.end());
       all.insert(all.begin(), a.begin(), a.begin() + 300); std::transform(
           policy, all.begin() + 7, all.begin() + 1007, out.begin(), twice);
       std::copy(policy, a.begin(), a.end(), all.begin() + 150);
       std::for_each(policy, all.rbegin() + 3, all.rend(), add<int>);
       std::inclusive_scan(policy, all.cbegin(), all.cend(), out.rbegin());
       return all[0] * 3 + all[298] + all[n - 1]);
  SAME(deques, std::deque<int> all(a.begin(), a.end()), more(n + 1);
       std::adjacent_difference(policy, all.begin(), all.end(),
                                more.begin() + 1);
       std::swap_ranges(policy, more.begin(), more.end() - 1, all.begin());
       std::copy(all.begin(), all.end(), a.begin());
       return std::max_element(policy, more.begin(), more.end()) -
              more.begin());
}

/// What views' iterators lead to.
static void views() {
  SAME(view_transform, const int by = b[3];
       auto all = a |
                  std::views::transform([&](int v) { return v * by + b[5]; }) |
                  std::views::drop(10);
       std::copy(policy, all.begin(), all.end(), out.begin());
       return std::reduce(policy, all.begin(), all.end()));
  SAME(view_elements, std::vector<std::pair<int, int>> all(n);
       for (std::size_t i = 0; i < n; ++i) all[i] = {a[i], b[i]};
       auto values = all | std::views::values;
       std::for_each(policy, values.begin(), values.end(), add<int>);
       auto keys = all | std::views::keys;
       return std::reduce(policy, keys.begin(), keys.end()) - all[70].second);
  SAME(view_iota, auto all = std::views::iota(0, int(n)); std::for_each(
           policy, all.begin(), all.end(), [&](int i) { out[i] = a[i] + i; });
       auto squares =
           all | std::views::transform([](int i) { return i * i % 7; });
       return std::count(policy, squares.begin(), squares.end(), 2));
  SAME(view_iota_of_sizes,
       auto all = std::views::iota(std::size_t(0), n); std::for_each(
           policy, all.begin(), all.end(),
           [&](std::size_t i) { out[i] = a[i] * 2; });
       return std::transform_reduce(
           policy, all.begin(), all.end(), std::size_t(0), std::plus<>(),
           [&](std::size_t i) { return i % 7 + b[i]; }));
  SAME(bits, std::vector<bool> all(n); all[n / 2] = true; all[n - 1] = true;
       return std::count(policy, all.begin() + 3, all.end(), true) * 10000 +
              (std::find(policy, all.cbegin(), all.cend(), true) -
               all.cbegin()));
}

/// xcc::par says where, for one call.
static void places() {
  const xcc::device before = xcc::device::current(),
                    last = xcc::device::get(xcc::device::count() - 1);
  numbers a(n, 1);
  xcc::stream stream;
  std::fill(xcc::par.on(stream), a.begin(), a.end(), 2);
  std::for_each(xcc::par.on(last), a.begin(), a.end(), [](int &v) { v *= 3; });
  std::for_each(xcc::par, a.begin(), a.end(), [](int &v) { ++v; });
  if (a != numbers(n, 7) ||
      xcc::device::current().ordinal() != before.ordinal())
    std::printf("wrong: xcc::par\n"), ++failures;
}

int main() {
  setenv("XCC_STDPAR_LEAST", "64", 1);
  searches();
  copies();
  moves();
  uninitialized();
  sets();
  functions();
  deques();
  views();
  places();
  if (!failures)
    std::printf("%d calls give the same\n", done);
  return failures != 0;
}
