// What finding an address among mapped ranges costs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The present table beside a std::map of the same ranges: random addresses in
// them, and the addresses that one object after the other holds.

#include "mapping/present.h"

#include <benchmark/benchmark.h>
#include <deque>
#include <map>
#include <random>

using namespace xcc::rt;

namespace {

/// Ranges of 100 bytes, and as many addresses in each as a vector holds.
struct Ranges {
  std::deque<Entry> entries;
  PresentTable table;
  std::map<uintptr_t, Entry *> map;
  std::vector<uintptr_t> inOrder, random;

  explicit Ranges(size_t count) {
    for (size_t i = 0; i != count; ++i) {
      Entry &e = entries.emplace_back();
      e.begin = 0x7f0000000000 + 160 * i;
      e.allocated = 100;
      table.insert(&e);
      map[e.begin] = &e;
      for (uintptr_t offset : {0, 60, 99})
        inOrder.push_back(e.begin + offset);
    }
    random = inOrder;
    std::shuffle(random.begin(), random.end(), std::mt19937_64(1));
  }
};

template <class Find>
void look(benchmark::State &state, const std::vector<uintptr_t> &at,
          Find find) {
  size_t i = 0;
  for (auto _ : state) {
    Entry *e = find(at[i]);
    benchmark::DoNotOptimize(e);
    if (++i == at.size())
      i = 0;
  }
}

void presentRandom(benchmark::State &state) {
  Ranges r(size_t(state.range(0)));
  look(state, r.random, [&](uintptr_t at) { return r.table.find(at); });
}
void presentInOrder(benchmark::State &state) {
  Ranges r(size_t(state.range(0)));
  look(state, r.inOrder, [&](uintptr_t at) { return r.table.find(at); });
}
void mapRandom(benchmark::State &state) {
  Ranges r(size_t(state.range(0)));
  look(state, r.random, [&](uintptr_t at) {
    auto after = r.map.upper_bound(at);
    return after != r.map.begin() && (--after)->second->holds(at)
               ? after->second
               : nullptr;
  });
}

} // namespace

BENCHMARK(presentRandom)->Arg(100)->Arg(10'000)->Arg(1'000'000);
BENCHMARK(presentInOrder)->Arg(10'000);
BENCHMARK(mapRandom)->Arg(10'000);

BENCHMARK_MAIN();
