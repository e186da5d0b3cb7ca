// What mapping costs beside the same by hand
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each benchmark is a pair that takes turns on the same memory, and counts the
// median time of both and their ratio. By hand means xcc's own copies, in stream
// order, and kernels that take pointers of device memory that was allocated
// once. Those called "shared" are meant for the CPU device as it is, all others
// for the CPU device with XCC_CPU_SEPARATE=2; speed.py runs both.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <vector>
#include <xcc/xcc.h>

namespace {

/// Seconds: of the process's threads, where SPEED_CLOCK=cpu is set (for a busy
/// machine, with XCC_CPU_THREADS=1); else of the day.
double now() {
  static const bool cpu = std::getenv("SPEED_CLOCK");
  timespec t;
  clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double median(std::vector<double> &all) {
  const auto middle = all.begin() + std::ptrdiff_t(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

template <class Hand, class Mapped>
void compare(benchmark::State &state, Hand hand, Mapped mapped) {
  auto time = [](auto &&call) {
    const double start = now();
    call();
    return now() - start;
  };
  hand();
  mapped();
  std::vector<double> byHand, byMapping;
  bool turn = false;
  for (auto _ : state) {
    // Whoever comes second finds what the first left in caches.
    if ((turn = !turn))
      byHand.push_back(time(hand));
    byMapping.push_back(time(mapped));
    if (!turn)
      byHand.push_back(time(hand));
    state.SetIterationTime(byMapping.back());
  }
  const double h = median(byHand), m = median(byMapping);
  state.counters["hand_us"] = 1e6 * h;
  state.counters["mapped_us"] = 1e6 * m;
  state.counters["ratio"] = m / h;
}

void toDevice(void *to, const std::vector<float> &from) {
  xcc::detail::check(xcc_memory_copy_async(
      to, from.data(), from.size() * sizeof(float), nullptr));
}
void toHost(std::vector<float> &to, const void *from) {
  xcc::detail::check(xcc_memory_copy_async(to.data(), from,
                                           to.size() * sizeof(float), nullptr));
}

/// There, a kernel, and back.
void oneVector(benchmark::State &state) {
  const std::size_t n = std::size_t(state.range(0));
  std::vector<float> y(n, 1);
  float a = 0.5f;
  xcc::buffer<float> memory(n);
  float *d = memory.data();
  compare(
      state,
      [&] {
        toDevice(d, y);
        xcc::parallel_for(n, [=](std::size_t i) { d[i] = d[i] * a + 1; });
        toHost(y, d);
        xcc::synchronize();
      },
      [&] {
        xcc::parallel_for(n, [&](std::size_t i) { y[i] = y[i] * a + 1; });
        xcc::synchronize();
      });
}

template <class T> struct Twenty {
  T v00, v01, v02, v03, v04, v05, v06, v07, v08, v09, v10, v11, v12, v13, v14,
      v15, v16, v17, v18, v19;

  template <class F> void each(F f) {
    for (T *v : {&v00, &v01, &v02, &v03, &v04, &v05, &v06, &v07, &v08, &v09,
                 &v10, &v11, &v12, &v13, &v14, &v15, &v16, &v17, &v18, &v19})
      f(*v);
  }
};

template <class T> void addOne(const Twenty<T> &in, std::size_t i) {
  auto &all = const_cast<Twenty<T> &>(in);
  all.v00[i] += 1, all.v01[i] += 1, all.v02[i] += 1, all.v03[i] += 1;
  all.v04[i] += 1, all.v05[i] += 1, all.v06[i] += 1, all.v07[i] += 1;
  all.v08[i] += 1, all.v09[i] += 1, all.v10[i] += 1, all.v11[i] += 1;
  all.v12[i] += 1, all.v13[i] += 1, all.v14[i] += 1, all.v15[i] += 1;
  all.v16[i] += 1, all.v17[i] += 1, all.v18[i] += 1, all.v19[i] += 1;
}

/// A class of twenty, each of which is read and written.
void twentyVectors(benchmark::State &state) {
  const std::size_t n = std::size_t(state.range(0));
  Twenty<std::vector<float>> fields;
  fields.each([&](auto &v) { v.assign(n, 1); });
  std::vector<xcc::buffer<float>> memory;
  Twenty<float *> pointers;
  pointers.each([&](float *&p) {
    memory.emplace_back(n);
    p = memory.back().data();
  });
  compare(
      state,
      [&] {
        std::size_t at = 0;
        fields.each([&](auto &v) { toDevice(memory[at++].data(), v); });
        xcc::parallel_for(n, [=](std::size_t i) { addOne(pointers, i); });
        at = 0;
        fields.each([&](auto &v) { toHost(v, memory[at++].data()); });
        xcc::synchronize();
      },
      [&] {
        xcc::parallel_for(n, [&](std::size_t i) { addOne(fields, i); });
        xcc::synchronize();
      });
}

/// 64 launches with raw pointers, and in a scope where so many other ranges are
/// present.
void launches(benchmark::State &state) {
  constexpr std::size_t n = 256;
  std::vector<std::vector<float>> many(std::size_t(state.range(0)),
                                       std::vector<float>(16));
  xcc::map others(many);
  std::vector<float> x(n, 1), y(n, 1);
  float a = 2;
  xcc::buffer<float> mx(n), my(n);
  float *dx = mx.data(), *dy = my.data();
  mx.fill(1), my.fill(1);
  xcc::map scope(x, y, a);
  compare(
      state,
      [&] {
        for (int step = 0; step != 64; ++step)
          xcc::parallel_for(n, [=](std::size_t i) { dy[i] += a * dx[i]; });
        xcc::synchronize();
      },
      [&] {
        for (int step = 0; step != 64; ++step)
          xcc::parallel_for(n, [&](std::size_t i) { y[i] += a * x[i]; });
        xcc::synchronize();
      });
}

/// An empty kernel with five captures, where nothing needs to move.
void emptyLaunch(benchmark::State &state) {
  int a = 1, b = 2, c = 3, d = 4, e = 5;
  auto many = [](auto launch) {
    for (int i = 0; i != 100; ++i) {
      launch();
      xcc::synchronize();
    }
  };
  compare(
      state,
      [&] {
        many([&] {
          xcc::launch({{1}, {1}},
                      [=] { (void)a, (void)b, (void)c, (void)d, (void)e; });
        });
      },
      [&] {
        many([&] {
          xcc::launch({{1}, {1}},
                      [&] { (void)a, (void)b, (void)c, (void)d, (void)e; });
        });
      });
}

} // namespace

BENCHMARK(oneVector)->Name("one vector")->Arg(16 << 20)->UseManualTime();
BENCHMARK(twentyVectors)
    ->Name("twenty vectors")
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->UseManualTime();
BENCHMARK(launches)
    ->Name("64 launches, others present")
    ->Arg(0)
    ->Arg(10'000)
    ->UseManualTime();
BENCHMARK(emptyLaunch)->Name("shared: empty launches")->UseManualTime();

BENCHMARK_MAIN();
