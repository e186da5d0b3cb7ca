// What both sides of the algorithms' benchmark share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_ALGORITHMS_SUITE_H
#define XCC_BENCH_ALGORITHMS_SUITE_H
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace suite {

/// 16 bytes, ordered by a part of them.
struct item {
  std::int64_t key;
  double weight;
  item() = default;
  item(int from) : key(from), weight(from) {}
  bool operator<(const item &other) const { return key < other.key; }
  bool operator==(const item &other) const { return key == other.key; }
  friend item operator+(const item &a, const item &b) {
    item sum;
    sum.key = std::int64_t(std::uint64_t(a.key) + std::uint64_t(b.key));
    sum.weight = a.weight + b.weight;
    return sum;
  }
};

template <class Type> std::vector<Type> numbers(std::size_t count) {
  std::vector<Type> out;
  out.reserve(count);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    out.push_back(Type(int(state) / 128));
  }
  return out;
}
/// Those next to each other are often the same.
template <class Type> std::vector<Type> groups(std::size_t count) {
  std::vector<Type> out;
  out.reserve(count);
  for (int value : numbers<int>(count))
    out.push_back(Type(value & 1));
  return out;
}

/// Whether `[TYPE COUNT]` asks for that; nothing asks for all.
inline bool asks(int argc, char **argv, const std::string &type,
                 std::size_t count) {
  return argc != 3 || (type == argv[1] && std::to_string(count) == argv[2]);
}

/// Prints the fastest of some calls, each after one of `before`.
template <class Before, class Call>
void measure(const char *algorithm, const char *type, std::size_t count,
             Before before, Call call) {
  using clock = std::chrono::steady_clock;
  double best = 1e9, all = 0;
  for (int i = 0; i < 400 && (i < 3 || all < 0.05); ++i) {
    before();
    const auto start = clock::now();
    call();
    const double seconds =
        std::chrono::duration<double>(clock::now() - start).count();
    best = seconds < best ? seconds : best;
    all += seconds;
  }
  std::printf("%s %s %zu %.9f\n", algorithm, type, count, best);
}

} // namespace suite
#endif
