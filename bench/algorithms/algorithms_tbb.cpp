// libstdc++'s parallel algorithms, which TBB runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "suite.h"
#include <algorithm>
#include <execution>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

using std::execution::par;

template <class Type> void run(const char *type, std::size_t count) {
  const auto given = suite::numbers<Type>(count);
  const auto groups = suite::groups<Type>(count);
  std::vector<Type> x = given, y(count);
  const Type one(1);
  const auto above = [](const Type &v) { return Type(0) < v; };
  volatile std::size_t number;
  Type sum;
  const auto nothing = [] {};
  const auto again = [&] { y = given; };
#define MEASURE(name, before, ...)                                             \
  suite::measure(name, type, count, before, [&] { __VA_ARGS__; })
  MEASURE("transform", nothing,
          std::transform(par, x.begin(), x.end(), y.begin(),
                         [=](const Type &v) { return v + one; }));
  MEASURE("fill", nothing, std::fill(par, y.begin(), y.end(), one));
  MEASURE("reduce", nothing,
          sum = std::reduce(par, x.begin(), x.end(), Type(0));
          asm volatile("" : : "r"(&sum) : "memory"));
  MEASURE("count_if", nothing,
          number = std::count_if(par, x.begin(), x.end(), above));
  MEASURE("min_element", nothing,
          number = std::min_element(par, x.begin(), x.end()) - x.begin());
  MEASURE("inclusive_scan", nothing,
          std::inclusive_scan(par, x.begin(), x.end(), y.begin()));
  MEASURE("exclusive_scan", nothing,
          std::exclusive_scan(par, x.begin(), x.end(), y.begin(), Type(0)));
  MEASURE("copy_if", nothing,
          std::copy_if(par, x.begin(), x.end(), y.begin(), above));
  MEASURE("remove_if", again,
          number = std::remove_if(par, y.begin(), y.end(), above) - y.begin());
  MEASURE(
      "unique", [&] { y = groups; },
      number = std::unique(par, y.begin(), y.end()) - y.begin());
  MEASURE("partition", again,
          number = std::stable_partition(par, y.begin(), y.end(), above) -
                   y.begin());
  MEASURE("sort", again, std::sort(par, y.begin(), y.end()));
  MEASURE("stable_sort", again, std::stable_sort(par, y.begin(), y.end()));
}

/// The standard has no histogram: each task counts by itself.
void histogram(std::size_t count) {
  const auto x = suite::numbers<int>(count);
  std::vector<unsigned> counts(256);
  suite::measure(
      "histogram", "int", count, [] {},
      [&] {
        counts = tbb::parallel_reduce(
            tbb::blocked_range<std::size_t>(0, count, 1 << 14),
            std::vector<unsigned>(256),
            [&](const tbb::blocked_range<std::size_t> &here,
                std::vector<unsigned> own) {
              for (std::size_t i = here.begin(); i != here.end(); ++i)
                ++own[unsigned(x[i]) & 255];
              return own;
            },
            [](std::vector<unsigned> a, const std::vector<unsigned> &b) {
              for (std::size_t i = 0; i < 256; ++i)
                a[i] += b[i];
              return a;
            });
      });
}

int main(int argc, char **argv) {
  for (std::size_t count : {100000, 10000000}) {
    auto asks = [&](const char *type) {
      return suite::asks(argc, argv, type, count);
    };
    if (asks("int")) {
      run<int>("int", count);
      histogram(count);
    }
    if (asks("float"))
      run<float>("float", count);
    if (asks("double"))
      run<double>("double", count);
    if (asks("struct"))
      run<suite::item>("struct", count);
  }
}
