// What a launch and a small buffer cost, beside the driver's own calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a line for each way to launch: what, nanoseconds through xcc,
// nanoseconds of the raw driver call ("-" on a machine without a driver).
//
// Launches are timed in batches that fit into a GPU's queue, so that what is
// measured is the host's work and not the device's. xcc and the driver take
// turns in one process; each is given the median of its batches.

#include "raw_cuda.h"
#include <xcc/xcc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

static void nothing() {}
static void four(int, float, const float *, float *) {}

constexpr int Batches = 401, Launches = 200;

/// Nanoseconds for each of so many calls.
template <class F> double nanoseconds(int times, F call) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  for (int i = 0; i < times; ++i)
    call();
  return std::chrono::duration<double, std::nano>(clock::now() - start)
             .count() /
         times;
}

static double median(std::vector<double> &values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

/// Times both in turns; `wait` runs after each batch, outside the time.
template <class Own, class Raw, class OwnWait, class RawWait>
void compare(const char *what, int times, bool haveRaw, Own own, Raw raw,
             OwnWait ownWait, RawWait rawWait) {
  std::vector<double> ownTimes, rawTimes;
  for (int batch = 0; batch < Batches; ++batch) {
    ownTimes.push_back(nanoseconds(times, own));
    ownWait();
    if (haveRaw) {
      rawTimes.push_back(nanoseconds(times, raw));
      rawWait();
    }
  }
  std::printf("%s %.0f ", what, median(ownTimes));
  if (haveRaw)
    std::printf("%.0f\n", median(rawTimes));
  else
    std::puts("-");
}

int main(int, char **argv) {
  try {
    std::unique_ptr<RawCuda> raw;
    try {
      raw = std::make_unique<RawCuda>();
    } catch (const std::runtime_error &reason) {
      std::fprintf(stderr, "no raw launches: %s\n", reason.what());
    }
    xcc::stream stream;
    const xcc::launch_config one{{1}, {1}, 0, &stream};
    auto ownWait = [&] { stream.synchronize(); };
    auto rawWait = [&] { raw->synchronize(); };
    float *memory = nullptr;

    compare(
        "launch", Launches, bool(raw), [&] { xcc::launch(one, nothing); },
        [&] { raw->launchNothing(); }, ownWait, rawWait);
    compare(
        "launch-4-arguments", Launches, bool(raw),
        [&] { xcc::launch(one, four, 1, 2.0f, memory, memory); },
        [&] { raw->launchFour(1, 2.0f, memory, memory); }, ownWait, rawWait);
    compare(
        "launch-and-wait", 20, bool(raw),
        [&] {
          xcc::launch(one, nothing);
          stream.synchronize();
        },
        [&] {
          raw->launchNothing();
          raw->synchronize();
        },
        ownWait, rawWait);

    // Whether it is the driver's mapping of memory that takes the time: beside
    // another buffer, or in a stream's order, there is nothing to map.
    auto nothingToWaitFor = [] {};
    constexpr std::size_t some = 8;
    auto own = [] { xcc::buffer<int> memory(some); };
    auto ofDriver = [&] { raw->allocateAndFree(some * sizeof(int)); };
    compare("buffer", 2, bool(raw), own, ofDriver, nothingToWaitFor,
            nothingToWaitFor);
    xcc::buffer<int> another(some);
    compare("buffer-beside-another", 20, bool(raw), own, ofDriver,
            nothingToWaitFor, nothingToWaitFor);
    const std::vector<int> values(some);
    compare(
        "buffer-with-values", 20, bool(raw),
        [&] { xcc::buffer<int> memory(values); }, ofDriver, nothingToWaitFor,
        nothingToWaitFor);
    compare(
        "buffer-in-stream", 20, bool(raw),
        [&] {
          void *memory = nullptr;
          if (xcc_memory_alloc_async(some * sizeof(int), stream.handle(),
                                     &memory) ||
              xcc_memory_free_async(memory, stream.handle()))
            throw std::runtime_error(xcc_error_last());
        },
        [&] { raw->allocateAndFreeInStream(some * sizeof(int)); }, ownWait,
        rawWait);
    return 0;
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s: %s\n", argv[0], failure.what());
    return 1;
  }
}
