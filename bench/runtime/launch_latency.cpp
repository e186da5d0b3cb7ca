// What a launch costs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An empty kernel, launched and waited for, beside an empty OpenMP region: both
// hand work to every core and wait until all have done it.

#include "unit.h"

#include <benchmark/benchmark.h>
#include <omp.h>
#include <thread>

using namespace xcc::test;

static Unit &unit() {
  static Unit u;
  return u;
}

/// Launch and synchronise, with that many blocks.
static void launchAndWait(benchmark::State &state) {
  xcc_kernel_info &k = unit().kernel("nothing");
  xcc_launch_config c = config(uint32_t(state.range(0)), 1);
  for (auto _ : state) {
    if (launch(k, c) != XCC_SUCCESS ||
        xcc_stream_synchronize(nullptr) != XCC_SUCCESS)
      state.SkipWithError(xcc_error_last());
  }
}
BENCHMARK(launchAndWait)->Arg(1)->Arg(2)->Arg(16)->Arg(1024)->UseRealTime();

/// Launches alone, a thousand to one synchronisation.
static void launchOnly(benchmark::State &state) {
  xcc_kernel_info &k = unit().kernel("nothing");
  xcc_launch_config c = config(1, 1);
  for (auto _ : state) {
    for (int i = 0; i != 1000; ++i)
      benchmark::DoNotOptimize(launch(k, c));
    (void)xcc_stream_synchronize(nullptr);
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(launchOnly)->UseRealTime();

/// A launch after the workers have gone to sleep.
static void launchAfterPause(benchmark::State &state) {
  xcc_kernel_info &k = unit().kernel("nothing");
  xcc_launch_config c = config(2, 1);
  for (auto _ : state) {
    state.PauseTiming();
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    state.ResumeTiming();
    (void)launch(k, c);
    (void)xcc_stream_synchronize(nullptr);
  }
}
BENCHMARK(launchAfterPause)->UseRealTime()->Iterations(500);

/// 4 MiB incremented by many small blocks: the cost of sharing real work.
static void increment(benchmark::State &state) {
  static std::vector<uint32_t> data(1 << 20);
  uint32_t *pointer = data.data();
  xcc_kernel_info &k = unit().kernel("increment", 8);
  xcc_launch_config c =
      config(uint32_t(data.size() / state.range(0)), uint32_t(state.range(0)));
  for (auto _ : state) {
    (void)launch(k, c, pointer);
    (void)xcc_stream_synchronize(nullptr);
  }
}
BENCHMARK(increment)->Arg(32)->Arg(256)->Arg(1024)->UseRealTime();

static void ompIncrement(benchmark::State &state) {
  static std::vector<uint32_t> data(1 << 20);
  uint32_t *pointer = data.data();
  for (auto _ : state) {
#pragma omp parallel for
    for (int i = 0; i < 1 << 20; ++i)
      pointer[i] += 1;
  }
}
BENCHMARK(ompIncrement)->UseRealTime();

static void ompEmptyFor(benchmark::State &state) {
  int threads = omp_get_max_threads();
  for (auto _ : state) {
#pragma omp parallel for
    for (int i = 0; i < threads; ++i)
      benchmark::ClobberMemory();
  }
}
BENCHMARK(ompEmptyFor)->UseRealTime();

static void ompAfterPause(benchmark::State &state) {
  for (auto _ : state) {
    state.PauseTiming();
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    state.ResumeTiming();
#pragma omp parallel for
    for (int i = 0; i < 2; ++i)
      benchmark::ClobberMemory();
  }
}
BENCHMARK(ompAfterPause)->UseRealTime()->Iterations(500);

/// Barriers of a fiber kernel: ten for each thread.
static void fiberBarriers(benchmark::State &state) {
  static std::vector<uint32_t> data(1024 * 16);
  uint32_t *pointer = data.data();
  xcc_kernel_info &k = unit().kernel("reverse", 8);
  xcc_launch_config c = config(16, uint32_t(state.range(0)));
  for (auto _ : state) {
    (void)launch(k, c, pointer);
    (void)xcc_stream_synchronize(nullptr);
  }
  state.SetItemsProcessed(state.iterations() * 16 * state.range(0) * 10);
}
BENCHMARK(fiberBarriers)->Arg(32)->Arg(256)->Arg(1024)->UseRealTime();

BENCHMARK_MAIN();
