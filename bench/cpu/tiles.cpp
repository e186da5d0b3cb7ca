// Kernels over a plane with blocks of 16 x 16, on the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   xcc -std=c++20 -O3 --offload-arch=native tiles.cpp -o tiles
//   XCC_CPU_THREADS=1 ./tiles
//
// Prints the least processor time of 40 launches in milliseconds, and a sum of the
// results.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <vector>
#include <xcc/xcc.h>

using xcc::block_dim, xcc::block_idx, xcc::thread_idx;

constexpr int Side = 1024, Tile = 16;

static void add(const float *in, float *out, int n) {
  const int x = int(block_idx().x * Tile + thread_idx().x);
  const int y = int(block_idx().y * Tile + thread_idx().y);
  if (x < n && y < n)
    out[y * n + x] = in[y * n + x] + 1;
}
static void addSizes(const float *in, float *out, unsigned n) {
  const std::size_t x = block_idx().x * Tile + thread_idx().x;
  const std::size_t y = block_idx().y * Tile + thread_idx().y;
  if (x < n && y < n)
    out[y * n + x] = in[y * n + x] + 1;
}
static void addShifted(const float *in, float *out, unsigned n) {
  const unsigned x = (block_idx().x << 4) + thread_idx().x;
  const unsigned y = (block_idx().y << 4) + thread_idx().y;
  if (x < n && y < n)
    out[y * n + x] = in[y * n + x] + 1;
}
static void blur(const float *in, float *out, int n) {
  const int x = int(block_idx().x * Tile + thread_idx().x);
  const int y = int(block_idx().y * Tile + thread_idx().y);
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  float sum = 0;
  for (int v = y - 1; v <= y + 1; ++v)
    for (int u = x - 1; u <= x + 1; ++u)
      sum += in[v * n + u];
  out[y * n + x] = sum / 9;
}
static void toColumns(const float *in, float *out, int n) {
  const int x = int(block_idx().x * block_dim().x + thread_idx().x);
  const int y = int(block_idx().y * block_dim().y + thread_idx().y);
  if (x < n && y < n)
    out[x * n + y] = in[y * n + x];
}
static void fromColumns(const float *in, float *out, int n) {
  const int x = int(block_idx().x * block_dim().x + thread_idx().x);
  const int y = int(block_idx().y * block_dim().y + thread_idx().y);
  if (x < n && y < n)
    out[y * n + x] = in[x * n + y];
}

static double processorTime() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

template <auto Kernel>
void measure(const char *name, const std::vector<float> &in, unsigned tile) {
  std::vector<float> out(in.size());
  double least = 1e300;
  for (int turn = 0; turn < 40; ++turn) {
    const double begin = processorTime();
    xcc::launch({{Side / Tile, Side / Tile}, {tile, tile}}, Kernel, in.data(),
                out.data(), Side);
    xcc::synchronize();
    least = std::min(least, processorTime() - begin);
  }
  unsigned sum = 0;
  for (float each : out)
    sum = sum * 31 + std::bit_cast<unsigned>(each);
  std::printf("%-24s %8.4f ms, %08x\n", name, least, sum);
}

int main() {
  std::vector<float> in(Side * Side);
  for (int i = 0; i < Side * Side; ++i)
    in[i] = float(i * 7 % 1021) / 1021;
  measure<add>("int", in, Tile);
  measure<addSizes>("std::size_t", in, Tile);
  measure<addShifted>("shifted", in, Tile);
  measure<blur>("blur", in, Tile);
  measure<toColumns>("to columns", in, Tile);
  measure<fromColumns>("from columns", in, Tile);
  measure<addSizes>("blocks of another size", in, Tile / 2);
}
