// What bench/stdpar/turns.cpp knows of a side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BENCH_STDPAR_CASES_H
#define BENCH_STDPAR_CASES_H

#include <cstddef>

namespace bench {

using value = double;

/// What the scratch elements are before a call is timed.
enum class before { nothing, numbers, groups, sorted, falling };

struct data {
  value *numbers; // never written
  value *scratch;
  value *out;
  std::size_t count;
};
struct algorithm {
  const char *name;
  before scratch;
  void (*run)(const data &);
};
struct list {
  const algorithm *first;
  std::size_t count;
};

} // namespace bench

extern "C" __attribute__((visibility("default"))) bench::list
bench_algorithms();

#endif // BENCH_STDPAR_CASES_H
