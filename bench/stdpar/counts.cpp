// One algorithm of the standard on a simulated GPU, for bench/stdpar/counts.py
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: counts ALGORITHM ELEMENTS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execution>
#include <numeric>
#include <vector>

namespace {

using std::execution::par;

struct item {
  float key;
  int values[3];
};

std::vector<unsigned> numbers(std::size_t n) {
  std::vector<unsigned> all(n);
  for (std::size_t i = 0; i != n; ++i) {
    unsigned v = unsigned(i) * 2654435761u;
    all[i] = (v ^ v >> 15) * 2246822519u;
  }
  return all;
}

bool check(const char *name, bool right) {
  if (!right)
    std::printf("%s is wrong\n", name);
  return right;
}

bool run(const char *name, std::size_t n) {
  const auto is = [name](const char *other) {
    return !std::strcmp(name, other);
  };
  std::vector<unsigned> x = numbers(n), y(n);
  const auto low = [](unsigned v) { return v < 1u << 31; };
  if (is("reduce"))
    return check(name, std::reduce(par, x.begin(), x.end()) ==
                           std::accumulate(x.begin(), x.end(), 0u));
  if (is("inclusive_scan")) {
    std::inclusive_scan(par, x.begin(), x.end(), y.begin());
    return check(name, y.back() == std::accumulate(x.begin(), x.end(), 0u));
  }
  if (is("copy_if")) {
    const auto end = std::copy_if(par, x.begin(), x.end(), y.begin(), low);
    return check(name,
                 end - y.begin() == std::count_if(x.begin(), x.end(), low));
  }
  if (is("unique")) {
    for (std::size_t i = 0; i != n; ++i)
      x[i] = unsigned(i / 2);
    const auto end = std::unique(par, x.begin(), x.end());
    return check(name, std::size_t(end - x.begin()) == (n + 1) / 2);
  }
  if (is("merge")) {
    const auto middle = x.begin() + std::ptrdiff_t(n / 2);
    std::sort(x.begin(), middle);
    std::sort(middle, x.end());
    std::merge(par, x.begin(), middle, middle, x.end(), y.begin());
    return check(name, std::is_sorted(y.begin(), y.end()));
  }
  if (is("sort")) {
    std::sort(par, x.begin(), x.end());
    return check(name, std::is_sorted(x.begin(), x.end()));
  }
  if (is("nth_element")) {
    const auto middle = x.begin() + std::ptrdiff_t(n / 2);
    std::nth_element(par, x.begin(), middle, x.end());
    return check(name, *std::max_element(x.begin(), middle) <= *middle);
  }
  if (is("sort of structs")) {
    std::vector<item> items(n);
    for (std::size_t i = 0; i != n; ++i)
      items[i] = {float(x[i] >> 8), {int(i)}};
    const auto less = [](const item &a, const item &b) {
      return a.key < b.key;
    };
    std::sort(par, items.begin(), items.end(), less);
    return check(name, std::is_sorted(items.begin(), items.end(), less));
  }
  std::printf("%s is not known\n", name);
  return false;
}

} // namespace

int main(int argc, char **argv) {
  return argc == 3 && run(argv[1], std::strtoull(argv[2], nullptr, 10)) ? 0 : 1;
}
