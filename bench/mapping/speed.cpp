// What mapping costs beside the same by hand
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of benchmarks, NAME/hand and NAME/mapped, of which speed.py makes
// ratios. Those of a device with memory of its own are meant for the CPU device
// with XCC_CPU_SEPARATE=2, those that begin with "shared" for the CPU device as
// it is. By hand means xcc's own copies, in stream order, and kernels that take
// pointers of device memory that was allocated once.

#include <benchmark/benchmark.h>
#include <xcc/xcc.h>

#include <array>
#include <cstddef>
#include <vector>

namespace {

void toDevice(void *to, const std::vector<float> &from) {
  xcc::detail::check(
      xcc_copy_async(to, from.data(), from.size() * sizeof(float), nullptr));
}
void toHost(std::vector<float> &to, const void *from) {
  xcc::detail::check(
      xcc_copy_async(to.data(), from, to.size() * sizeof(float), nullptr));
}

//===----------------------------------------------------------------------===//
// One vector: there, a kernel, and back
//===----------------------------------------------------------------------===//

void oneByHand(benchmark::State &state) {
  const std::size_t n = std::size_t(state.range(0));
  std::vector<float> y(n, 1);
  float a = 0.5f;
  xcc::buffer<float> memory(n);
  float *d = memory.data();
  for (auto _ : state) {
    toDevice(d, y);
    xcc::parallel_for(n, [=](std::size_t i) { d[i] = d[i] * a + 1; });
    toHost(y, d);
    xcc::synchronize();
  }
}

void oneMapped(benchmark::State &state) {
  const std::size_t n = std::size_t(state.range(0));
  std::vector<float> y(n, 1);
  float a = 0.5f;
  for (auto _ : state) {
    xcc::parallel_for(n, [&](std::size_t i) { y[i] = y[i] * a + 1; });
    xcc::synchronize();
  }
}

//===----------------------------------------------------------------------===//
// A class of twenty vectors
//===----------------------------------------------------------------------===//

struct Fields {
  std::vector<float> v00, v01, v02, v03, v04, v05, v06, v07, v08, v09, v10, v11,
      v12, v13, v14, v15, v16, v17, v18, v19;

  template <class F> void each(F f) {
    for (auto *v : {&v00, &v01, &v02, &v03, &v04, &v05, &v06, &v07, &v08, &v09,
                    &v10, &v11, &v12, &v13, &v14, &v15, &v16, &v17, &v18, &v19})
      f(*v);
  }
};

// Each field is read and written.
#define STEP(f)                                                                \
  f(00) f(01) f(02) f(03) f(04) f(05) f(06) f(07) f(08) f(09) f(10) f(11)      \
      f(12) f(13) f(14) f(15) f(16) f(17) f(18) f(19)

struct Pointers {
  float *v00, *v01, *v02, *v03, *v04, *v05, *v06, *v07, *v08, *v09, *v10, *v11,
      *v12, *v13, *v14, *v15, *v16, *v17, *v18, *v19;
};

void twentyByHand(benchmark::State &state) {
  const std::size_t n = std::size_t(state.range(0));
  Fields fields;
  fields.each([&](auto &v) { v.assign(n, 1); });
  std::vector<xcc::buffer<float>> memory;
  for (int i = 0; i != 20; ++i)
    memory.emplace_back(n);
  Pointers p;
#define POINTER(i) p.v##i = memory[1##i - 100].data();
  STEP(POINTER)
  for (auto _ : state) {
    std::size_t at = 0;
    fields.each([&](auto &v) { toDevice(memory[at++].data(), v); });
    xcc::parallel_for(n, [=](std::size_t i) {
#define ADD(f) p.v##f[i] += 1;
      STEP(ADD)
#undef ADD
    });
    at = 0;
    fields.each([&](auto &v) { toHost(v, memory[at++].data()); });
    xcc::synchronize();
  }
}

void twentyMapped(benchmark::State &state) {
  const std::size_t n = std::size_t(state.range(0));
  Fields fields;
  fields.each([&](auto &v) { v.assign(n, 1); });
  for (auto _ : state) {
    xcc::parallel_for(n, [&](std::size_t i) {
#define ADD(f) fields.v##f[i] += 1;
      STEP(ADD)
#undef ADD
    });
    xcc::synchronize();
  }
}

//===----------------------------------------------------------------------===//
// 64 launches
//===----------------------------------------------------------------------===//

constexpr std::size_t Small = 256;

void launchesByHand(benchmark::State &state) {
  xcc::buffer<float> mx(Small), my(Small);
  float *x = mx.data(), *y = my.data();
  float a = 2;
  for (auto _ : state) {
    for (int step = 0; step != 64; ++step)
      xcc::parallel_for(Small, [=](std::size_t i) { y[i] += a * x[i]; });
    xcc::synchronize();
  }
}

void launchesInScope(benchmark::State &state) {
  std::vector<float> x(Small, 1), y(Small, 1);
  float a = 2;
  xcc::map scope(x, y, a);
  for (auto _ : state) {
    for (int step = 0; step != 64; ++step)
      xcc::parallel_for(Small, [&](std::size_t i) { y[i] += a * x[i]; });
    xcc::synchronize();
  }
}

/// The same where 10,000 other ranges are present.
void launchesAmongMany(benchmark::State &state) {
  std::vector<std::vector<float>> many(10'000, std::vector<float>(16));
  xcc::map others(many);
  launchesInScope(state);
}

//===----------------------------------------------------------------------===//
// Where nothing needs to move
//===----------------------------------------------------------------------===//

void emptyByValue(benchmark::State &state) {
  int a = 1, b = 2, c = 3, d = 4, e = 5;
  for (auto _ : state) {
    xcc::launch({{1}, {1}},
                [=] { (void)a, (void)b, (void)c, (void)d, (void)e; });
    xcc::synchronize();
  }
}

void emptyByReference(benchmark::State &state) {
  int a = 1, b = 2, c = 3, d = 4, e = 5;
  for (auto _ : state) {
    xcc::launch({{1}, {1}},
                [&] { (void)a, (void)b, (void)c, (void)d, (void)e; });
    xcc::synchronize();
  }
}

} // namespace

BENCHMARK(oneByHand)->Name("one vector/hand")->Arg(16 << 20)->UseRealTime();
BENCHMARK(oneMapped)->Name("one vector/mapped")->Arg(16 << 20)->UseRealTime();
BENCHMARK(twentyByHand)
    ->Name("twenty vectors/hand")
    ->Arg(100)
    ->Arg(10'000)
    ->Arg(1'000'000)
    ->UseRealTime();
BENCHMARK(twentyMapped)
    ->Name("twenty vectors/mapped")
    ->Arg(100)
    ->Arg(10'000)
    ->Arg(1'000'000)
    ->UseRealTime();
BENCHMARK(launchesByHand)->Name("64 launches/hand")->UseRealTime();
BENCHMARK(launchesInScope)->Name("64 launches/mapped")->UseRealTime();
BENCHMARK(launchesAmongMany)
    ->Name("64 launches/mapped among 10,000")
    ->UseRealTime();
BENCHMARK(emptyByValue)->Name("shared empty/hand")->UseRealTime();
BENCHMARK(emptyByReference)->Name("shared empty/mapped")->UseRealTime();

BENCHMARK_MAIN();
