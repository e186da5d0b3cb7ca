// Parallel algorithms of several libraries in one process, which take turns
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: turns ELEMENTS SECONDS NAME=LIBRARY...
//
// Prints for each algorithm and each side the least wall time and the least
// processor time of a call, in microseconds; SECONDS are for an algorithm.

#include "cases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

struct side {
  std::string name;
  bench::list algorithms;
};

side open_side(const std::string &argument) {
  const std::size_t equals = argument.find('=');
  void *library =
      dlopen(argument.substr(equals + 1).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  const auto list =
      reinterpret_cast<bench::list (*)()>(dlsym(library, "bench_algorithms"));
  return {argument.substr(0, equals), list()};
}

const bench::algorithm *find(const side &from, const char *name) {
  for (std::size_t i = 0; i != from.algorithms.count; ++i)
    if (!std::strcmp(from.algorithms.first[i].name, name))
      return &from.algorithms.first[i];
  return nullptr;
}

double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

/// The memory that all sides work on.
class memory {
public:
  explicit memory(std::size_t count)
      : numbers(count), scratch(count), out(2 * count), sorted(count),
        groups(count) {
    std::mt19937_64 engine(1);
    for (bench::value &v : numbers)
      v = (engine() >> 11) * 0x1p-53;
    for (std::size_t i = 0; i != count; ++i)
      groups[i] = static_cast<bench::value>(i / 3);
    sorted = numbers;
    std::sort(sorted.begin(), sorted.begin() + count / 2);
    std::sort(sorted.begin() + count / 2, sorted.end());
  }
  bench::data prepare(bench::before state) {
    const std::vector<bench::value> *from = nullptr;
    if (state == bench::before::numbers)
      from = &numbers;
    if (state == bench::before::groups)
      from = &groups;
    if (state == bench::before::sorted)
      from = &sorted;
    if (from)
      std::copy(from->begin(), from->end(), scratch.begin());
    if (state == bench::before::falling)
      for (std::size_t i = 0; i != scratch.size(); ++i)
        scratch[i] = 1 - bench::value(i) / bench::value(scratch.size());
    return {numbers.data(), scratch.data(), out.data(), numbers.size()};
  }

private:
  std::vector<bench::value> numbers, scratch, out, sorted, groups;
};

struct times {
  double wall = 1e9, processor = 1e9;
};

/// Times one call.
void turn(const bench::algorithm &algorithm, memory &elements, times &best) {
  const bench::data data = elements.prepare(algorithm.scratch);
  const double processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
  const double wall = seconds(CLOCK_MONOTONIC);
  algorithm.run(data);
  const double took = seconds(CLOCK_MONOTONIC) - wall,
               used = seconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  best.wall = std::min(best.wall, took);
  // The clock of a process may stand still while another has its processor.
  if (used > 0)
    best.processor = std::min(best.processor, used);
}

void measure(const std::vector<side> &sides, const char *name, memory &elements,
             double limit) {
  std::vector<times> best(sides.size());
  const double begin = seconds(CLOCK_MONOTONIC);
  for (int round = 0; round < 3 || seconds(CLOCK_MONOTONIC) - begin < limit;
       ++round)
    for (std::size_t i = 0; i != sides.size(); ++i)
      if (const bench::algorithm *algorithm = find(sides[i], name))
        // The second call in a row finds the threads of its side awake.
        for (int again = 0; again < 3; ++again)
          turn(*algorithm, elements, best[i]);
  for (std::size_t i = 0; i != sides.size(); ++i)
    if (find(sides[i], name))
      std::printf("%s\t%s\t%.3f\t%.3f\n", name, sides[i].name.c_str(),
                  best[i].wall * 1e6, best[i].processor * 1e6);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4)
    return std::fprintf(stderr,
                        "usage: turns ELEMENTS SECONDS NAME=LIBRARY...\n");
  memory elements(std::strtoull(argv[1], nullptr, 10));
  std::vector<side> sides;
  for (int i = 3; i < argc; ++i)
    sides.push_back(open_side(argv[i]));
  const char *only = std::getenv("BENCH_ONLY");
  for (std::size_t i = 0; i != sides[0].algorithms.count; ++i) {
    const char *name = sides[0].algorithms.first[i].name;
    if (!only || std::strstr(name, only))
      measure(sides, name, elements, std::atof(argv[2]));
  }
}
