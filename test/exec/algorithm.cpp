// <algorithm>, <numeric> and <functional> on arrays of each thread's own.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <ranges>

using numbers = std::array<int, 20>;

numbers mixed(std::size_t seed) {
  numbers a;
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = (seed * 31 + i * 7919) % 101;
  return a;
}

int main() {
#define SAME(what, ...)                                                        \
  same(what, 300, [](std::size_t i) {                                          \
    numbers a = mixed(i);                                                      \
    __VA_ARGS__;                                                               \
    return a;                                                                  \
  })
  SAME("sort", std::sort(a.begin(), a.end()));
  SAME("sort down", std::sort(a.begin(), a.end(), std::greater<>()));
  SAME("ranges::sort", std::ranges::sort(a, {}, [](int x) { return x % 10; }));
  SAME("insertion by rotate", for (auto p = a.begin(); p != a.end(); ++p)
           std::rotate(std::upper_bound(a.begin(), p, *p), p, p + 1));
  SAME("nth_element", std::nth_element(a.begin(), a.begin() + 9, a.end());
       a[0] = a[9]; std::fill(a.begin() + 1, a.end(), 0));
  SAME("heap", std::make_heap(a.begin(), a.end());
       std::pop_heap(a.begin(), a.end()); std::sort_heap(a.begin(), a.end() - 1));
  SAME("partial_sort", std::partial_sort(a.begin(), a.begin() + 5, a.end());
       std::fill(a.begin() + 5, a.end(), 0));
  SAME("reverse, unique", std::reverse(a.begin(), a.end());
       std::fill(std::unique(a.begin(), a.end()), a.end(), -1));
  SAME("remove_if", std::fill(std::remove_if(a.begin(), a.end(),
                                             [](int x) { return x % 3 == 0; }),
                              a.end(), -1));
  SAME("partial_sum", std::partial_sum(a.begin(), a.end(), a.begin()));
  SAME("scan", std::exclusive_scan(a.begin(), a.end(), a.begin(), 100));
  SAME("iota", std::iota(a.begin(), a.end(), int(i)));
  SAME("permute", std::next_permutation(a.begin(), a.end()));
  SAME("merge", std::sort(a.begin(), a.begin() + 9);
       std::sort(a.begin() + 9, a.end());
       numbers b = a; std::merge(b.begin(), b.begin() + 9, b.begin() + 9,
                                 b.end(), a.begin()));
  SAME("stable by hand", std::transform(a.begin(), a.end(), a.begin(),
                                        std::negate<int>()));
  SAME("views", int sum = 0; for (int x : a | std::views::filter([](int y) {
                                            return y % 2;
                                          }) | std::views::take(5)) sum += x;
       a[0] = sum);
  SAME("queries", a[0] = std::accumulate(a.begin(), a.end(), 0);
       a[1] = std::inner_product(a.begin(), a.end(), a.begin(), 0);
       a[2] = *std::max_element(a.begin() + 3, a.end());
       a[3] = std::count_if(a.begin() + 4, a.end(), [](int x) { return x > 50; });
       a[4] = std::any_of(a.begin() + 5, a.end(), [](int x) { return x == 7; });
       a[5] = std::clamp(a[5], 10, 20);
       a[6] = std::find(a.begin() + 7, a.end(), 13) - a.begin();
       a[7] = std::lexicographical_compare(a.begin(), a.begin() + 9,
                                           a.begin() + 9, a.end());
       std::swap(a[8], a[9]));
  std::puts("done");
}
// CHECK-NOT: FAILED
// CHECK: done
