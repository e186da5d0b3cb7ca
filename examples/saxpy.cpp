// A whole program: y = a * x + y
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is an ordinary function that a launch names. Its data is in buffers,
// memory of the device, so the program runs on any device.

#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

void saxpy(std::size_t n, float a, const float *x, float *y) {
  if (std::size_t i = xcc::global_id(); i < n)
    y[i] += a * x[i];
}

int main() {
  const std::size_t n = 1'000'000;
  std::vector<float> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = float(i % 1000);
    y[i] = 1;
  }

  xcc::buffer<float> device_x(n), device_y(n);
  device_x.copy_from(x.data(), n);
  device_y.copy_from(y.data(), n);
  const unsigned threads = 256;
  xcc::launch({{(n + threads - 1) / threads}, {threads}}, saxpy, n, 2.0f,
              device_x.data(), device_y.data());
  device_y.copy_to(y.data(), n); // after the kernel: copies keep the order

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    wrong += y[i] != 1 + 2.0f * x[i];
  std::printf("saxpy: y = 2 x + y for %zu elements on %s: %s\n", n,
              xcc::device::current().name(), wrong ? "WRONG" : "correct");
  return wrong ? 1 : 0;
}
