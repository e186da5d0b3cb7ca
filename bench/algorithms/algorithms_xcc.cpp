// <xcc/algorithm.h> on the CPU device, or on a GPU (-DALGORITHMS_ON_GPU): there
// inputs are set anew on the device, and each call is waited for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "suite.h"
#include <xcc/algorithm.h>
#include <xcc/xcc.h>

template <class Type> void run(const char *type, std::size_t count) {
  const auto given = suite::numbers<Type>(count);
  const auto groups = suite::groups<Type>(count);
  xcc::buffer<Type> x(given), y(count);
  y.copy_from(given);
  const Type one(1);
  const auto above = [](const Type &v) { return Type(0) < v; };
  volatile std::size_t number;
  Type sum;
  const auto nothing = [] {};
#ifdef ALGORITHMS_ON_GPU
  xcc::buffer<Type> grouped(groups);
  const auto set = [&](xcc::buffer<Type> &from) {
    xcc::transform(from, y, [](const Type &v) { return v; });
    xcc::synchronize();
  };
  const auto again = [&] { set(x); };
  const auto again_grouped = [&] { set(grouped); };
  const auto wait = [] { xcc::synchronize(); };
#else
  const auto again = [&] { y.copy_from(given); };
  const auto again_grouped = [&] { y.copy_from(groups); };
  const auto wait = [] {};
#endif
#define MEASURE(name, before, ...)                                             \
  suite::measure(name, type, count, before, [&] {                              \
    __VA_ARGS__;                                                               \
    wait();                                                                    \
  })
  MEASURE("transform", nothing,
          xcc::transform(x, y, [=](const Type &v) { return v + one; }));
  MEASURE("fill", nothing, xcc::fill(y, one));
  MEASURE("reduce", nothing, sum = xcc::reduce(x, Type(0));
          asm volatile("" : : "r"(&sum) : "memory"));
  MEASURE("count_if", nothing, number = xcc::count_if(x, above));
  MEASURE("min_element", nothing, number = xcc::min_index(x));
  MEASURE("inclusive_scan", nothing, xcc::inclusive_scan(x, y));
  MEASURE("exclusive_scan", nothing, xcc::exclusive_scan(x, y, Type(0)));
  MEASURE("copy_if", nothing, xcc::copy_if(x, y, above));
  MEASURE("remove_if", again, number = xcc::remove_if(y, above));
  MEASURE("unique", again_grouped, number = xcc::unique(y));
  MEASURE("partition", again, number = xcc::partition(y, above));
  MEASURE("sort", again, xcc::sort(y));
  MEASURE("stable_sort", again, xcc::sort(y));
}

void histogram(std::size_t count) {
  xcc::buffer<int> x(suite::numbers<int>(count));
  xcc::buffer<unsigned> counts(256);
  suite::measure(
      "histogram", "int", count, [] {},
      [&] {
        xcc::histogram(x, counts, [](int v) { return unsigned(v) & 255; });
#ifdef ALGORITHMS_ON_GPU
        xcc::synchronize();
#endif
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
