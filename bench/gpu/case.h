// A kernel with data, a launch and a check
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_GPU_CASE_H
#define XCC_BENCH_GPU_CASE_H

#include "device.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// A small problem with awkward sizes, to be checked in full, or one that
/// keeps a large GPU busy.
enum class Size { Check, Time };

/// An array on the host and on the device. Copies name the same array.
template <class T> class Array {
public:
  explicit Array(std::size_t count) : state(std::make_shared<State>(count)) {}

  /// Each element becomes f(its index), on both sides.
  template <class F> Array &&fill(F f) && {
    for (std::size_t i = 0; i < size(); ++i)
      state->host[i] = f(i);
    device::copyIn(state->memory, state->host.data(), size() * sizeof(T));
    return std::move(*this);
  }
  /// What the device holds now; the host's copy stays.
  std::vector<T> read() const {
    std::vector<T> result(size());
    device::copyOut(result.data(), state->memory, size() * sizeof(T));
    return result;
  }

  T *data() const { return state->memory; }
  std::size_t size() const { return state->host.size(); }
  /// The host's element.
  T &operator[](std::size_t i) const { return state->host[i]; }

private:
  struct State {
    explicit State(std::size_t count)
        : host(count),
          memory(static_cast<T *>(device::allocate(count * sizeof(T)))) {}
    ~State() { device::release(memory); }
    std::vector<T> host;
    T *memory;
  };
  std::shared_ptr<State> state;
};

struct Case {
  /// Launches the kernel once.
  std::function<void()> launch;
  /// After one launch: what is wrong, "" if nothing is.
  std::function<std::string()> check;
  /// Bytes that a launch must move, 0 if bandwidth is not the point.
  double bytes = 0;
};

struct CaseEntry {
  const char *name; ///< as the kernel's file
  Case (*make)(Size);
};

/// The cases of each file.
std::vector<CaseEntry> denseCases();
std::vector<CaseEntry> gridCases();
std::vector<CaseEntry> collectiveCases();
std::vector<CaseEntry> numericCases();
std::vector<CaseEntry> integerCases();
std::vector<CaseEntry> searchCases();

/// The same numbers on every machine, in [0, 1), from an index.
inline std::uint32_t hashOf(std::size_t i) {
  std::uint64_t v = (i + 1) * 0x9e3779b97f4a7c15ull;
  v = (v ^ (v >> 32)) * 0xd6e8feb86659fd93ull;
  return std::uint32_t(v >> 32);
}
inline float randomFloat(std::size_t i) {
  return float(hashOf(i) >> 8) * 0x1p-24f;
}

/// Compares result[i] with expected(i), with a tolerance relative to 1 or to
/// the value, whichever is larger; 0 asks for equality.
template <class T, class F>
std::string compare(const std::vector<T> &result, double tolerance,
                    F expected) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double got = double(result[i]), want = double(expected(i));
    if (!(std::fabs(got - want) <= tolerance * std::max(1.0, std::fabs(want))))
      return "element " + std::to_string(i) + " is " + std::to_string(got) +
             ", not " + std::to_string(want);
  }
  return "";
}

#endif // XCC_BENCH_GPU_CASE_H
