// C = A * B, tile by tile
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block computes one tile of C. It walks along a row of tiles of A and a
// column of tiles of B, and keeps the two it is at in memory that its threads
// share, so each number is read from far memory once per tile, not per thread.

#include <xcc/xcc.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr unsigned tile = 16;

/// C (m x n) = A (m x k) * B (k x n), all row by row, of any size.
void matmul(const float *a, const float *b, float *c, unsigned m, unsigned n,
            unsigned k) {
  static xcc::block_shared<float[tile][tile]> tile_a, tile_b;
  const auto [tx, ty, tz] = xcc::thread_idx();
  const unsigned row = xcc::block_idx().y * tile + ty;
  const unsigned column = xcc::block_idx().x * tile + tx;

  float sum = 0;
  for (unsigned first = 0; first < k; first += tile) {
    tile_a[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0.0f;
    tile_b[ty][tx] =
        column < n && first + ty < k ? b[(first + ty) * n + column] : 0.0f;
    xcc::sync_block(); // both tiles are complete
    for (unsigned i = 0; i < tile; ++i)
      sum += tile_a[ty][i] * tile_b[i][tx];
    xcc::sync_block(); // and no longer needed
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

int main() {
  const unsigned m = 500, n = 400, k = 300;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = float(i % 13) - 6;
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = float(i % 7) - 3;

  xcc::buffer<float> device_a(a.size()), device_b(b.size()), device_c(c.size());
  device_a.copy_from(a.data(), a.size());
  device_b.copy_from(b.data(), b.size());
  const xcc::launch_config config{
      {(n + tile - 1) / tile, (m + tile - 1) / tile}, {tile, tile}};
  xcc::event start, stop;
  start.record();
  xcc::launch(config, matmul, device_a.data(), device_b.data(), device_c.data(),
              m, n, k);
  stop.record();
  device_c.copy_to(c.data(), c.size());

  // Small whole numbers: the sums are exact in any order.
  std::size_t wrong = 0;
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      float sum = 0;
      for (unsigned i = 0; i < k; ++i)
        sum += a[row * k + i] * b[i * n + column];
      wrong += c[row * n + column] != sum;
    }
  const double milliseconds =
      start.elapsed<std::chrono::duration<double, std::milli>>(stop).count();
  std::printf(
      "matmul: %u x %u times %u x %u on %s: %.2f ms, %.1f GFLOP/s, %s\n", m, k,
      k, n, xcc::device::current().name(), milliseconds,
      2.0 * m * n * k / milliseconds / 1e6, wrong ? "WRONG" : "correct");
  return wrong ? 1 : 0;
}
