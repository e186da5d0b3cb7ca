// The suite as xcc kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "suite.h"
#include <atomic>
#include <cmath>
#include <xcc/xcc.h>

static void saxpy(int n, float a, const float *x, float *y) {
  int i = xcc::global_id();
  if (i < n)
    y[i] += a * x[i];
}

static void triad(int n, const float *a, const float *b, float s, float *c) {
  int i = xcc::global_id();
  if (i < n)
    c[i] = a[i] + s * b[i];
}

static void stencil(int side, const float *in, float *out) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  int y = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y;
  if (x > 0 && y > 0 && x < side - 1 && y < side - 1) {
    int i = y * side + x;
    out[i] =
        0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
  }
}

static void nbody(int n, const Body *bodies, float *force) {
  int i = xcc::global_id();
  if (i >= n)
    return;
  Body self = bodies[i];
  float fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < n; ++j) {
    float dx = bodies[j].x - self.x;
    float dy = bodies[j].y - self.y;
    float dz = bodies[j].z - self.z;
    float r = dx * dx + dy * dy + dz * dz + 1e-3f;
    float w = bodies[j].mass / (r * std::sqrt(r));
    fx += dx * w;
    fy += dy * w;
    fz += dz * w;
  }
  force[3 * i] = fx;
  force[3 * i + 1] = fy;
  force[3 * i + 2] = fz;
}

// Each side has the tile that suits it best: 32 here, 16 for OpenMP.
constexpr int Tile = 32;

static void matmul(int n, const float *a, const float *b, float *c) {
  static xcc::block_shared<float[Tile][Tile]> as, bs;
  int tx = xcc::thread_idx().x, ty = xcc::thread_idx().y;
  int row = xcc::block_idx().y * Tile + ty;
  int col = xcc::block_idx().x * Tile + tx;
  float sum = 0;
  for (int t = 0; t < n; t += Tile) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + col];
    xcc::sync_block();
    for (int k = 0; k < Tile; ++k)
      sum += as[ty][k] * bs[k][tx];
    xcc::sync_block();
  }
  c[row * n + col] = sum;
}

constexpr int ReduceThreads = 256, ReduceEach = 64;

static void reduce(int n, const float *in, float *out) {
  static xcc::block_shared<float[ReduceThreads]> partial;
  int t = xcc::thread_idx().x;
  int first = xcc::block_idx().x * ReduceThreads * ReduceEach + t;
  float sum = 0;
  for (int k = 0; k < ReduceEach; ++k)
    sum += in[first + k * ReduceThreads];
  partial[t] = sum;
  for (int half = ReduceThreads / 2; half > 0; half /= 2) {
    xcc::sync_block();
    if (t < half)
      partial[t] += partial[t + half];
  }
  if (t == 0)
    std::atomic_ref<float>(*out).fetch_add(partial[0],
                                           std::memory_order_relaxed);
}

// The way of CUDA programs: by the size of the grid, with an int.
constexpr int DotThreads = 256, DotBlocks = 64;

static void dot(int n, const float *a, const float *b, float *out) {
  static xcc::block_shared<float[DotThreads]> partial;
  int t = xcc::thread_idx().x;
  float sum = 0;
  for (int i = xcc::block_idx().x * xcc::block_dim().x + t; i < n;
       i += xcc::block_dim().x * xcc::grid_dim().x)
    sum += a[i] * b[i];
  partial[t] = sum;
  for (int half = DotThreads / 2; half > 0; half /= 2) {
    xcc::sync_block();
    if (t < half)
      partial[t] += partial[t + half];
  }
  if (t == 0)
    std::atomic_ref<float>(*out).fetch_add(partial[0],
                                           std::memory_order_relaxed);
}

constexpr int HistogramThreads = 256, HistogramEach = 256;

static void histogram(int n, const std::uint8_t *text, std::uint32_t *bins) {
  static xcc::block_shared<std::uint32_t[Bins]> local;
  int t = xcc::thread_idx().x;
  local[t] = 0;
  xcc::sync_block();
  int first = (xcc::block_idx().x * HistogramThreads + t) * HistogramEach;
  for (int k = 0; k < HistogramEach && first + k < n; ++k)
    std::atomic_ref<std::uint32_t>(local[text[first + k]])
        .fetch_add(1, std::memory_order_relaxed);
  xcc::sync_block();
  std::atomic_ref<std::uint32_t>(bins[t]).fetch_add(local[t],
                                                    std::memory_order_relaxed);
}

static void uneven(int n, int work, const float *in, float *out) {
  int i = int(xcc::global_id());
  if (i >= n)
    return;
  float x = in[i];
  if (i < work)
    for (int k = 0; k < UnevenSteps; ++k)
      x = x * 0.5f + std::sqrt(x);
  out[i] = x;
}

static void rows(int w, int h, const float *in, float *out) {
  using namespace xcc;
  for (int y = block_idx().y * block_dim().y + thread_idx().y; y < h;
       y += block_dim().y * grid_dim().y)
    for (int x = block_idx().x * block_dim().x + thread_idx().x; x < w;
         x += block_dim().x * grid_dim().x)
      out[y * w + x] = 2 * in[y * w + x] + 1;
}

static void through(int n, const float *in, float *out) {
  using namespace xcc;
  const int inBlock = thread_idx().y * block_dim().x + thread_idx().x;
  const int block = block_idx().y * grid_dim().x + block_idx().x;
  for (int i = block * block_dim().x * block_dim().y + inBlock; i < n;
       i += block_dim().x * block_dim().y * grid_dim().x * grid_dim().y)
    out[i] = 2 * in[i] + 1;
}

static void mixed(long long n, const float *in, float *out) {
  for (unsigned i =
           xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
       i < n; i += xcc::block_dim().x * xcc::grid_dim().x)
    out[i] = 2 * in[i] + 1;
}

static void sumInt(int n, const float *in, float *out) {
  float sum = 0;
  for (int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
       i < n; i += xcc::block_dim().x * xcc::grid_dim().x)
    sum += in[i];
  std::atomic_ref<float>(*out).fetch_add(sum, std::memory_order_relaxed);
}

static void countIf(int n, const float *in, std::uint32_t *out) {
  const int i = int(xcc::global_id());
  if (i < n && in[i] > 0.5f)
    std::atomic_ref<std::uint32_t>(*out).fetch_add(1,
                                                   std::memory_order_relaxed);
}

static float warpSum(float v) {
  for (int d = 16; d > 0; d /= 2)
    v += xcc::shuffle_xor(v, d);
  return v;
}

static void warpRows(int count, int width, const float *in, float *out) {
  using namespace xcc;
  int row = (block_idx().x * block_dim().x + thread_idx().x) / 32;
  int lane = thread_idx().x % 32;
  if (row >= count)
    return;
  float sum = 0;
  for (int i = lane; i < width; i += 32)
    sum += in[row * width + i];
  sum = warpSum(sum);
  if (lane == 0)
    out[row] = sum;
}

static float blockSum(float v) {
  static xcc::block_shared<float[32]> sums;
  static xcc::block_shared<float> all;
  int lane = xcc::thread_idx().x % 32, warp = xcc::thread_idx().x / 32;
  v = warpSum(v);
  if (lane == 0)
    sums[warp] = v;
  xcc::sync_block();
  if (warp == 0) {
    v = warpSum(lane < int(xcc::block_dim().x / 32) ? sums[lane] : 0.0f);
    if (lane == 0)
      all = v;
  }
  xcc::sync_block();
  return all;
}

static void blockRows(int width, const float *in, float *out) {
  const float *x = in + xcc::block_idx().x * width;
  float sum = 0, squares = 0;
  for (int i = xcc::thread_idx().x; i < width; i += xcc::block_dim().x) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  sum = blockSum(sum);
  squares = blockSum(squares);
  float mean = sum / width, each = 1 / std::sqrt(squares / width - mean * mean);
  for (int i = xcc::thread_idx().x; i < width; i += xcc::block_dim().x)
    out[xcc::block_idx().x * width + i] = (x[i] - mean) * each;
}

constexpr int ProductTile = 16;

static void product(int n, const float *a, const float *b, float *c) {
  int row = xcc::block_idx().y * ProductTile + xcc::thread_idx().y;
  int col = xcc::block_idx().x * ProductTile + xcc::thread_idx().x;
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}

static void planes(int n, const float *in, float *out) {
  int x = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x + 1;
  int y = xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y + 1;
  if (x >= n - 1 || y >= n - 1)
    return;
  for (int z = 1; z < n - 1; ++z) {
    int i = (z * n + y) * n + x;
    out[i] = 0.5f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] +
                                    in[i + n] + in[i - n * n] + in[i + n * n]);
  }
}

static void rootIf(const float *a, const float *b, float *c) {
  const auto i = xcc::global_id();
  c[i] = a[i] > 0.5f ? float(std::sqrt(double(a[i]) + b[i])) : b[i];
}

static void exponentials(const float *in, float *out) {
  const auto i = xcc::global_id();
  out[i] = std::exp(-in[i]);
}

void run(Kernel kernel, const Data &d) {
  constexpr int n = VectorLength;
  switch (kernel) {
  case Saxpy:
    xcc::launch({{n / 256}, {256}}, saxpy, n, 2.0f, d.a, d.b);
    break;
  case Triad:
    xcc::launch({{n / 256}, {256}}, triad, n, d.a, d.b, 3.0f, d.c);
    break;
  case Stencil:
    xcc::launch({{GridSide / 256, GridSide}, {256}}, stencil, GridSide, d.a,
                d.b);
    break;
  case NBody:
    xcc::launch({{Bodies / 128}, {128}}, nbody, Bodies, d.bodies, d.force);
    break;
  case MatMul:
    xcc::launch({{MatrixSide / Tile, MatrixSide / Tile}, {Tile, Tile}}, matmul,
                MatrixSide, d.a, d.b, d.c);
    break;
  case Reduce:
    *d.reduceOut = 0;
    xcc::launch({{ReduceLength / ReduceThreads / ReduceEach}, {ReduceThreads}},
                reduce, ReduceLength, d.reduceIn, d.reduceOut);
    break;
  case Dot:
    *d.reduceOut = 0;
    xcc::launch({{DotBlocks}, {DotThreads}}, dot, n, d.a, d.b, d.reduceOut);
    break;
  case Histogram:
    for (int i = 0; i < Bins; ++i)
      d.bins[i] = 0;
    xcc::launch({{Text / HistogramThreads / HistogramEach}, {HistogramThreads}},
                histogram, Text, d.text, d.bins);
    break;
  case Uneven:
    xcc::launch({{UnevenLength / 256}, {256}}, uneven, UnevenLength, UnevenWork,
                d.a, d.c);
    break;
  case Rows:
    xcc::launch({{16, 16}, {32, 8}}, rows, GridSide, GridSide, d.a, d.b);
    break;
  case Through:
    xcc::launch({{8, 8}, {32, 8}}, through, n, d.a, d.b);
    break;
  case Mixed:
    xcc::launch({{64}, {256}}, mixed, n, d.a, d.b);
    break;
  case SumInt:
    *d.reduceOut = 0;
    xcc::launch({{16}, {256}}, sumInt, ReduceLength, d.reduceIn, d.reduceOut);
    break;
  case WarpRows:
    xcc::launch({{RowsOfWarps / 8}, {256}}, warpRows, RowsOfWarps, RowWidth,
                d.reduceIn, d.c);
    break;
  case BlockRows:
    xcc::launch({{RowsOfBlocks}, {128}}, blockRows, RowWidth, d.a, d.c);
    break;
  case Product:
    xcc::launch({{MatrixSide / ProductTile, MatrixSide / ProductTile},
                 {ProductTile, ProductTile}},
                product, MatrixSide, d.a, d.b, d.c);
    break;
  case Planes:
    xcc::launch({{(CubeSide + 31) / 32, (CubeSide + 7) / 8}, {32, 8}}, planes,
                CubeSide, d.a, d.b);
    break;
  case CountIf:
    d.bins[0] = 0;
    xcc::launch({{ReduceLength / 256}, {256}}, countIf, ReduceLength,
                d.reduceIn, d.bins);
    break;
  case RootIf:
    xcc::launch({{n / 256}, {256}}, rootIf, d.a, d.b, d.c);
    break;
  case Exp:
    xcc::launch({{n / 256}, {256}}, exponentials, d.a, d.c);
    break;
  case Kernels:
    break;
  }
  xcc::synchronize();
}
