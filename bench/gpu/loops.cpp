// parallel_for beside a kernel in which each thread takes one index
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     xcc -O2 -std=c++20 --offload-arch=sm_90 bench/gpu/loops.cpp -o loops && ./loops
//
// Prints a line for each: type, indices, GB/s of the kernel, GB/s of parallel_for.

#include <xcc/xcc.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

template <class T>
static void one(std::size_t n, const T *x, const T *y, T *z, T a) {
  if (std::size_t i = xcc::global_id(); i < n)
    z[i] = T(a * x[i] + y[i]);
}

/// Milliseconds of a launch: the fastest of five batches.
template <class F> static double fastest(int times, F launch) {
  xcc::event first, last;
  double best = 1e9;
  for (int batch = 0; batch < 5; ++batch) {
    first.record();
    for (int i = 0; i < times; ++i)
      launch();
    last.record();
    best = std::min(
        best,
        first.elapsed<std::chrono::duration<double, std::milli>>(last).count() /
            times);
  }
  return best;
}

template <class T> static void compare(const char *type, std::size_t n) {
  xcc::buffer<T> x(n), y(n), z(n);
  x.fill(T(1));
  y.fill(T(2));
  const T a(3), *px = x.data(), *py = y.data();
  T *pz = z.data();
  const double bytes = 3.0 * double(n) * sizeof(T);
  const int times = bytes > 5e7 ? 10 : 100;
  const double kernel = fastest(times, [&] {
    xcc::launch({{unsigned((n + 255) / 256)}, {256}}, one<T>, n, px, py, pz, a);
  });
  const double loop = fastest(times, [&] {
    xcc::parallel_for(n, [=](std::size_t i) { pz[i] = T(a * px[i] + py[i]); });
  });
  std::printf("%s %zu %.0f %.0f\n", type, n, bytes / kernel / 1e6,
              bytes / loop / 1e6);
}

int main() {
  for (int bits : {16, 20, 23, 26})
    compare<float>("float", (std::size_t(1) << bits) + 3);
  compare<double>("double", (std::size_t(1) << 25) + 3);
  compare<std::int16_t>("short", (std::size_t(1) << 26) + 3);
  compare<std::uint8_t>("byte", (std::size_t(1) << 26) + 3);
}
