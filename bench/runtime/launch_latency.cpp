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
  static Unit U;
  return U;
}

/// Launch and synchronise, with that many blocks.
static void launchAndWait(benchmark::State &State) {
  xcc_kernel_info &K = unit().kernel("nothing");
  xcc_launch_config C = config(uint32_t(State.range(0)), 1);
  for (auto _ : State) {
    if (launch(K, C) != XCC_SUCCESS ||
        xcc_stream_synchronize(nullptr) != XCC_SUCCESS)
      State.SkipWithError(xcc_last_error());
  }
}
BENCHMARK(launchAndWait)->Arg(1)->Arg(2)->Arg(16)->Arg(1024)->UseRealTime();

/// Launches alone, a thousand to one synchronisation.
static void launchOnly(benchmark::State &State) {
  xcc_kernel_info &K = unit().kernel("nothing");
  xcc_launch_config C = config(1, 1);
  for (auto _ : State) {
    for (int I = 0; I != 1000; ++I)
      benchmark::DoNotOptimize(launch(K, C));
    (void)xcc_stream_synchronize(nullptr);
  }
  State.SetItemsProcessed(State.iterations() * 1000);
}
BENCHMARK(launchOnly)->UseRealTime();

/// A launch after the workers have gone to sleep.
static void launchAfterPause(benchmark::State &State) {
  xcc_kernel_info &K = unit().kernel("nothing");
  xcc_launch_config C = config(2, 1);
  for (auto _ : State) {
    State.PauseTiming();
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    State.ResumeTiming();
    (void)launch(K, C);
    (void)xcc_stream_synchronize(nullptr);
  }
}
BENCHMARK(launchAfterPause)->UseRealTime()->Iterations(500);

/// 4 MiB incremented by many small blocks: the cost of sharing real work.
static void increment(benchmark::State &State) {
  static std::vector<uint32_t> Data(1 << 20);
  uint32_t *Pointer = Data.data();
  xcc_kernel_info &K = unit().kernel("increment", 8);
  xcc_launch_config C =
      config(uint32_t(Data.size() / State.range(0)), uint32_t(State.range(0)));
  for (auto _ : State) {
    (void)launch(K, C, Pointer);
    (void)xcc_stream_synchronize(nullptr);
  }
}
BENCHMARK(increment)->Arg(32)->Arg(256)->Arg(1024)->UseRealTime();

static void ompIncrement(benchmark::State &State) {
  static std::vector<uint32_t> Data(1 << 20);
  uint32_t *Pointer = Data.data();
  for (auto _ : State) {
#pragma omp parallel for
    for (int I = 0; I < 1 << 20; ++I)
      Pointer[I] += 1;
  }
}
BENCHMARK(ompIncrement)->UseRealTime();

static void ompEmptyFor(benchmark::State &State) {
  int Threads = omp_get_max_threads();
  for (auto _ : State) {
#pragma omp parallel for
    for (int I = 0; I < Threads; ++I)
      benchmark::ClobberMemory();
  }
}
BENCHMARK(ompEmptyFor)->UseRealTime();

static void ompAfterPause(benchmark::State &State) {
  for (auto _ : State) {
    State.PauseTiming();
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    State.ResumeTiming();
#pragma omp parallel for
    for (int I = 0; I < 2; ++I)
      benchmark::ClobberMemory();
  }
}
BENCHMARK(ompAfterPause)->UseRealTime()->Iterations(500);

/// Barriers of a fiber kernel: ten for each thread.
static void fiberBarriers(benchmark::State &State) {
  static std::vector<uint32_t> Data(1024 * 16);
  uint32_t *Pointer = Data.data();
  xcc_kernel_info &K = unit().kernel("reverse", 8);
  xcc_launch_config C = config(16, uint32_t(State.range(0)));
  for (auto _ : State) {
    (void)launch(K, C, Pointer);
    (void)xcc_stream_synchronize(nullptr);
  }
  State.SetItemsProcessed(State.iterations() * 16 * State.range(0) * 10);
}
BENCHMARK(fiberBarriers)->Arg(32)->Arg(256)->Arg(1024)->UseRealTime();

BENCHMARK_MAIN();
