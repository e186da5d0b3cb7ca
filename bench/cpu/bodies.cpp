// Ordinary kernels beside OpenMP: one function is what a thread does, and what an
// iteration does
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clang++ -O3 -march=native -fopenmp -DBENCH_TABLE=clangTable -c bodies_omp.cpp -o clang.o
//   g++ -O3 -march=native -fopenmp -DBENCH_TABLE=gccTable -c bodies_omp.cpp -o gcc.o
//   xcc -std=c++20 -O3 --offload-arch=native bodies.cpp clang.o gcc.o -lomp -o bodies
//   XCC_CPU_THREADS=1 OMP_NUM_THREADS=1 ./bodies
//
// Prints the least processor time of nine runs in milliseconds, the ratio to the
// better of both, and whether the results are those of clang or of gcc bit by bit.

#include "bodies.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <time.h>
#include <vector>
#include <xcc/xcc.h>

extern "C" void (*const clangTable[])(Arrays);
extern "C" void (*const gccTable[])(Arrays);

#define KERNEL(name)                                                           \
  static void name##Kernel(Arrays d) {                                         \
    if (const int i = int(xcc::global_id()); i < Count)                        \
      bodies::name(i, d);                                                      \
  }
BENCH_BODIES(KERNEL)

struct Bench {
  const char *name;
  void (*run)(Arrays);
};
static const Bench benches[] = {
#define BENCH(name)                                                            \
  {#name, [](Arrays d) {                                                       \
     xcc::launch({{Count / 256}, {256}}, name##Kernel, d);                     \
     xcc::synchronize();                                                       \
   }},
    BENCH_BODIES(BENCH)};

/// Room for each array, of which all is part of the check sum.
class Memory {
public:
  Memory() {
    add(d.a), add(d.b), add(d.c), add(d.o), add(d.da), add(d.dd);
    add(d.ia), add(d.ib), add(d.io), add(d.u), add(d.uo);
    add(d.s, 4), add(d.so, 4), add(d.h), add(d.ho), add(d.px), add(d.pxo);
    add(d.p), add(d.po), add(d.la), add(d.lo);
  }

  Arrays d;

  /// The same numbers each time.
  void fill() {
    unsigned state = 12345;
    const auto next = [&] {
      state = state * 1664525 + 1013904223;
      return state >> 8;
    };
    const auto fraction = [&] { return float(next() & 1023) / 1024; };
    for (std::size_t i = 0; i < length; ++i) {
      d.a[i] = fraction(), d.b[i] = fraction(), d.c[i] = fraction();
      d.o[i] = 1, d.da[i] = d.a[i], d.dd[i] = 0;
      d.ia[i] = int(next() % Count), d.ib[i] = int(i) * 128, d.io[i] = 1 << 20;
      d.u[i] = next() * 977, d.uo[i] = 0;
      d.h[i] = short(next()), d.ho[i] = short(next());
      d.la[i] = next() * 1001LL, d.lo[i] = 0;
      const auto byte = [&] { return (unsigned char)(next()); };
      d.px[i] = {byte(), byte(), byte(), byte()};
      d.pxo[i] = {byte(), byte(), byte(), byte()};
      const auto place = [&] { return float(next() & 255); };
      d.p[i] = {place(), place(), place(), 1, place() - 128, 1, 2, 3};
      d.po[i] = {};
    }
    for (std::size_t i = 0; i < 4 * length; ++i)
      d.s[i] = (unsigned char)('a' + next() % 26), d.so[i] = 0;
  }

  unsigned long long sum() const {
    unsigned long long total = 1;
    for (const auto &part : parts)
      for (unsigned long long word : part) {
        total = (total ^ word) * 0x9E3779B97F4A7C15ULL;
        total ^= total >> 29;
      }
    return total;
  }

private:
  static constexpr std::size_t length = Count + 4096;
  std::vector<std::vector<unsigned long long>> parts;

  template <class Type> void add(Type *&array, std::size_t factor = 1) {
    parts.emplace_back(length * factor * sizeof(Type) / 8);
    array = reinterpret_cast<Type *>(parts.back().data());
  }
};

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

static void measure(Memory &memory, std::size_t number) {
  void (*const sides[])(Arrays) = {clangTable[number], gccTable[number],
                                   benches[number].run};
  unsigned long long sums[3];
  double best[3] = {1e9, 1e9, 1e9};
  for (int side = 0; side < 3; ++side) {
    memory.fill();
    sides[side](memory.d);
    sums[side] = memory.sum();
  }
  for (int turn = 0; turn < 9; ++turn)
    for (int side = 0; side < 3; ++side) {
      const double start = now();
      sides[side](memory.d);
      best[side] = std::min(best[side], now() - start);
    }
  std::printf("%-13s clang %8.3f gcc %8.3f xcc %8.3f ratio %5.2f %s\n",
              benches[number].name, best[0], best[1], best[2],
              std::min(best[0], best[1]) / best[2],
              sums[2] == sums[0]   ? ""
              : sums[2] == sums[1] ? "(as gcc)"
                                   : "(rounded otherwise)");
}

int main(int count, char **names) {
  Memory memory;
  for (std::size_t i = 0; i < std::size(benches); ++i)
    if (count < 2 || std::any_of(
                         names + 1, names + count,
                         [&](const char *n) {
                           return std::string_view(n) == benches[i].name;
                         }))
      measure(memory, i);
}
