// Algorithms beside OpenMP: as a CUDA programmer writes them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   clang++ -O3 -march=native -fopenmp -DBENCH_TABLE=clangTable -c others_omp.cpp -o clang.o
//   g++ -O3 -march=native -fopenmp -DBENCH_TABLE=gccTable -c others_omp.cpp -o gcc.o
//   xcc -std=c++20 -O3 --offload-arch=native others.cpp clang.o gcc.o -lomp -o others
//   XCC_CPU_THREADS=1 OMP_NUM_THREADS=1 ./others [KERNEL]
//
// Prints the least processor time of each side in milliseconds, and how many times
// as fast xcc is as the better one.

#include "others.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <time.h>
#include <vector>
#include <xcc/xcc.h>

extern "C" const Table clangTable, gccTable;

using xcc::block_dim, xcc::block_idx, xcc::block_shared, xcc::sync_block,
    xcc::thread_idx;

static int globalX() {
  return int(block_idx().x * block_dim().x + thread_idx().x);
}

// Four copies of the counters for each block.
static void histogram(const int *keys, int *out, int n) {
  static block_shared<int[4][Bins]> counts;
  const int x = int(thread_idx().x);
  for (int c = 0; c < 4; ++c)
    counts[c][x] = 0;
  sync_block();
  for (int i = globalX(); i < n; i += int(block_dim().x * xcc::grid_dim().x))
    std::atomic_ref(counts[x & 3][keys[i] & (Bins - 1)])
        .fetch_add(1, std::memory_order_relaxed);
  sync_block();
  const int sum = counts[0][x] + counts[1][x] + counts[2][x] + counts[3][x];
  std::atomic_ref(out[x]).fetch_add(sum, std::memory_order_relaxed);
}

static void assign(const float *px, const float *py, const float *means,
                   int *out, int n) {
  static block_shared<float[Means * 2]> m;
  const int i = globalX();
  if (thread_idx().x < Means * 2)
    m[thread_idx().x] = means[thread_idx().x];
  sync_block();
  if (i >= n)
    return;
  float least = 1e30f;
  int best = 0;
  for (int k = 0; k < Means; ++k) {
    float x = px[i] - m[2 * k], y = py[i] - m[2 * k + 1];
    float r = x * x + y * y;
    if (r < least) {
      least = r;
      best = k;
    }
  }
  out[i] = best;
}

static void spmv(const int *rows, const int *columns, const float *values,
                 const float *x, float *y, int n) {
  const int row = globalX() / 32, lane = int(thread_idx().x & 31);
  if (row >= n)
    return;
  float sum = 0;
  for (int k = rows[row] + lane; k < rows[row + 1]; k += 32)
    sum += values[k] * x[columns[k]];
  for (int o = 16; o > 0; o /= 2)
    sum += xcc::shuffle_down(sum, o);
  if (lane == 0)
    y[row] = sum;
}

static void digits(const int *keys, int *out, int shift, int blocks) {
  static block_shared<int[16]> counts;
  const int x = int(thread_idx().x);
  if (x < 16)
    counts[x] = 0;
  sync_block();
  for (int k = 0; k < 8; ++k) {
    int key =
        keys[block_idx().x * 2048 + unsigned(k) * block_dim().x + unsigned(x)];
    std::atomic_ref(counts[key >> shift & 15])
        .fetch_add(1, std::memory_order_relaxed);
  }
  sync_block();
  if (x < 16)
    out[x * blocks + int(block_idx().x)] = counts[x];
}

static void blelloch(const int *in, int *out) {
  static block_shared<int[2 * BlockLength]> part;
  const int x = int(thread_idx().x), n = 2 * BlockLength;
  const int first = int(block_idx().x) * n;
  part[2 * x] = in[first + 2 * x];
  part[2 * x + 1] = in[first + 2 * x + 1];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    sync_block();
    if (x < d) {
      int a = offset * (2 * x + 1) - 1, b = offset * (2 * x + 2) - 1;
      part[b] += part[a];
    }
    offset *= 2;
  }
  if (x == 0)
    part[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    sync_block();
    if (x < d) {
      int a = offset * (2 * x + 1) - 1, b = offset * (2 * x + 2) - 1;
      int t = part[a];
      part[a] = part[b];
      part[b] += t;
    }
  }
  sync_block();
  out[first + 2 * x] = part[2 * x];
  out[first + 2 * x + 1] = part[2 * x + 1];
}

// Each block loads a tile and its border, then each thread computes one pixel.
static void convolution(const float *in, const float *mask, float *out, int w,
                        int h) {
  constexpr int tile = 16, side = tile + 2 * Radius;
  static block_shared<float[side][side]> shared;
  const int tx = int(thread_idx().x), ty = int(thread_idx().y);
  const int left = int(block_idx().x) * tile - Radius,
            top = int(block_idx().y) * tile - Radius;
  for (int y = ty; y < side; y += tile)
    for (int x = tx; x < side; x += tile) {
      int u = left + x, v = top + y;
      shared[y][x] = u >= 0 && u < w && v >= 0 && v < h ? in[v * w + u] : 0.0f;
    }
  sync_block();
  float sum = 0;
  for (int dy = 0; dy < 2 * Radius + 1; ++dy)
    for (int dx = 0; dx < 2 * Radius + 1; ++dx)
      sum += shared[ty + dy][tx + dx] * mask[dy * (2 * Radius + 1) + dx];
  const int x = left + Radius + tx, y = top + Radius + ty;
  if (x < w && y < h)
    out[y * w + x] = sum;
}

static void box(const float *in, float *out, int w, int h) {
  const int x = globalX();
  if (x >= w)
    return;
  float sum = in[x] * (Radius + 1);
  for (int y = 0; y < Radius; ++y)
    sum += in[y * w + x];
  for (int y = 0; y < h; ++y) {
    sum += in[std::min(y + Radius, h - 1) * w + x];
    out[y * w + x] = sum / (2 * Radius + 1);
    sum -= in[std::max(y - Radius, 0) * w + x];
  }
}

static void gauss(const float *m, float *out, int n, int k) {
  const int j = int(block_idx().x * 16 + thread_idx().x),
            i = int(block_idx().y * 16 + thread_idx().y);
  if (i <= k || i >= n || j < k || j >= n)
    return;
  float by = m[i * n + k] / (m[k * n + k] + 2);
  out[i * n + j] = m[i * n + j] - by * m[k * n + j];
}

static void floyd(const int *in, int *out, int n, int k) {
  const int j = globalX(), i = int(block_idx().y);
  if (j >= n)
    return;
  static block_shared<int> first;
  if (thread_idx().x == 0)
    first = in[i * n + k];
  sync_block();
  const int other = first + in[k * n + j];
  out[i * n + j] = other < in[i * n + j] ? other : in[i * n + j];
}

// A row for each thread, in registers; the block's triangle in shared memory.
static void panel(const float *m, float *out, int n) {
  static block_shared<float[16][16]> upper;
  const int x = int(thread_idx().x);
  for (int k = x; k < 256; k += int(block_dim().x))
    upper[k / 16][k % 16] = m[k / 16 * n + k % 16];
  sync_block();
  const int i = 16 + globalX();
  if (i >= n)
    return;
  float row[16];
  for (int k = 0; k < 16; ++k)
    row[k] = m[i * n + k];
  for (int k = 0; k < 16; ++k) {
    row[k] /= upper[k][k] + 2;
    for (int j = k + 1; j < 16; ++j)
      row[j] -= row[k] * upper[k][j];
  }
  for (int k = 0; k < 16; ++k)
    out[i * n + k] = row[k];
}

static void match(const unsigned char *text, const unsigned char *pattern,
                  int length, int *count, int n) {
  const int i = globalX();
  if (i >= n)
    return;
  for (int k = 0; k < length; ++k)
    if (text[i + k] != pattern[k])
      return;
  std::atomic_ref(*count).fetch_add(1, std::memory_order_relaxed);
}

static void crc(const unsigned char *text, const std::uint32_t *table, int *out,
                int n) {
  static block_shared<std::uint32_t[256]> t;
  for (unsigned i = thread_idx().x; i < 256; i += block_dim().x)
    t[i] = table[i];
  sync_block();
  const int chunk = globalX();
  if (chunk >= n)
    return;
  std::uint32_t crc = ~0u;
  for (int i = 0; i < ChunkLength; ++i)
    crc = crc >> 8 ^ t[(crc ^ text[chunk * ChunkLength + i]) & 255];
  out[chunk] = int(~crc);
}

// An option for each block, a leaf for each thread.
static void binomial(const float *a, const float *b, float *out) {
  static block_shared<float[Steps + 1]> v;
  const int k = int(thread_idx().x), i = int(block_idx().x);
  v[k] =
      std::max(0.0f, 50 + 50 * a[i] + float(2 * k - Steps) * (1 + b[i]) - 60);
  if (k == 0)
    v[Steps] = std::max(0.0f, 50 + 50 * a[i] + float(Steps) * (1 + b[i]) - 60);
  sync_block();
  for (int n = Steps; n > 0; --n) {
    float here = 0;
    if (k < n)
      here = 0.499f * v[k] + 0.5f * v[k + 1];
    sync_block();
    if (k < n)
      v[k] = here;
    sync_block();
  }
  if (k == 0)
    out[i] = v[0];
}

static void pi(int *out, int steps) {
  const int i = globalX();
  std::uint32_t s = std::uint32_t(i) * 2654435761u + 1;
  int in = 0;
  for (int k = 0; k < steps; ++k) {
    s = s * 1664525u + 1013904223u;
    float x = float(s >> 8) * (1.0f / 16777216);
    s = s * 1664525u + 1013904223u;
    float y = float(s >> 8) * (1.0f / 16777216);
    if (x * x + y * y < 1)
      ++in;
  }
  out[i] = in;
}

static void systems(const float *a, const float *r, float *out, int n) {
  const int s = globalX();
  if (s >= n)
    return;
  float cp[SystemLength], dp[SystemLength];
  float before = 0, last = 0;
  for (int k = 0; k < SystemLength; ++k) {
    float m = 1 / (4 - a[k * n + s] * before);
    before = cp[k] = m;
    last = dp[k] = (r[k * n + s] - a[k * n + s] * last) * m;
  }
  for (int k = SystemLength - 2; k >= 0; --k)
    dp[k] -= cp[k] * dp[k + 1];
  for (int k = 0; k < SystemLength; ++k)
    out[k * n + s] = dp[k];
}

static const Table xccTable = {
    [](Arrays d) {
      std::fill_n(d.io, Bins, 0);
      xcc::launch({{64}, {Bins}}, histogram, d.keys, d.io, Length);
    },
    [](Arrays d) {
      xcc::launch({{Length / 256}, {256}}, assign, d.a, d.b, d.c, d.io, Length);
    },
    [](Arrays d) {
      xcc::launch({{SparseRows / 8}, {256}}, spmv, d.rows, d.columns, d.a, d.b,
                  d.o, SparseRows);
    },
    [](Arrays d) {
      xcc::launch({{Length / 2048}, {256}}, digits, d.keys, d.io, 8,
                  Length / 2048);
    },
    [](Arrays d) {
      xcc::launch({{Length / (2 * BlockLength)}, {BlockLength}}, blelloch,
                  d.keys, d.io);
    },
    [](Arrays d) {
      xcc::launch({{Width / 16, Height / 16}, {16, 16}}, convolution, d.a, d.c,
                  d.o, Width, Height);
    },
    [](Arrays d) {
      xcc::launch({{Width / 128}, {128}}, box, d.a, d.o, Width, Height);
    },
    [](Arrays d) {
      xcc::launch({{Side / 16, Side / 16}, {16, 16}}, gauss, d.a, d.o, Side, 5);
    },
    [](Arrays d) {
      xcc::launch({{Side / 256, Side}, {256}}, floyd, d.keys, d.io, Side, 7);
    },
    [](Arrays d) { xcc::launch({{Side / 64}, {64}}, panel, d.a, d.o, Side); },
    [](Arrays d) {
      d.io[0] = 0;
      xcc::launch({{Length / 256}, {256}}, match, d.text, d.text + 1000,
                  PatternLength, d.io, Length - PatternLength);
    },
    [](Arrays d) {
      xcc::launch({{Length / ChunkLength / 64}, {64}}, crc, d.text, d.table,
                  d.io, Length / ChunkLength);
    },
    [](Arrays d) { xcc::launch({{4096}, {Steps}}, binomial, d.a, d.b, d.o); },
    [](Arrays d) { xcc::launch({{64}, {256}}, pi, d.io, 256); },
    [](Arrays d) {
      xcc::launch({{Systems / 128}, {128}}, systems, d.a, d.b, d.o, Systems);
    },
};

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

static void measure(const char *name, void (*Table::*kernel)(Arrays),
                    Arrays d) {
  const Table *const sides[] = {&clangTable, &gccTable, &xccTable};
  std::vector<float> o(Length);
  std::vector<int> io(Length);
  bool same = true;
  for (const Table *side : sides) {
    std::fill_n(d.o, Length, 0.0f);
    std::fill_n(d.io, Length, 0);
    (side->*kernel)(d);
    xcc::synchronize();
    if (side == sides[0]) {
      std::copy_n(d.o, Length, o.begin());
      std::copy_n(d.io, Length, io.begin());
    }
    for (int i = 0; i < Length; ++i)
      same &= std::fabs(o[i] - d.o[i]) <= 1e-3f * (1 + std::fabs(o[i])) &&
              io[i] == d.io[i];
  }
  double best[3] = {1e30, 1e30, 1e30}, start = now();
  for (int round = 0; round < 5 || (round < 200 && now() - start < 400);
       ++round)
    for (int side = 0; side < 3; ++side) {
      double begin = now();
      (sides[side]->*kernel)(d);
      xcc::synchronize();
      best[side] = std::min(best[side], now() - begin);
    }
  std::printf("%-12s clang %9.4f gcc %9.4f xcc %9.4f ratio %6.2f%s\n", name,
              best[0], best[1], best[2], std::min(best[0], best[1]) / best[2],
              same ? "" : "  WRONG");
}

int main(int argc, char **argv) {
  std::vector<float> a(Length), b(Length), c(Length), o(Length);
  std::vector<int> keys(Length), rows(SparseRows + 1), columns(Length),
      io(Length);
  std::vector<unsigned char> text(Length + 64);
  std::vector<std::uint32_t> table(256);
  std::uint32_t seed = 12345;
  auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (int i = 0; i < Length; ++i) {
    a[i] = float(random() % 1024) / 1024;
    b[i] = float(random() % 1024) / 1024;
    c[i] = float(random() % 1024) / 1024;
    keys[i] = int(random());
    columns[i] = int(random() % Length);
    text[i] = (unsigned char)('a' + random() % 4);
  }
  for (int i = 0; i < SparseRows; ++i)
    rows[i + 1] = rows[i] + 20 + int(random() % 40);
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t v = i;
    for (int k = 0; k < 8; ++k)
      v = v >> 1 ^ (v & 1 ? 0xEDB88320u : 0);
    table[i] = v;
  }
  const Arrays d = {a.data(),    b.data(),    c.data(),       o.data(),
                    keys.data(), rows.data(), columns.data(), io.data(),
                    text.data(), table.data()};
#define BENCH_MEASURE(name)                                                    \
  if (argc < 2 || !std::strcmp(argv[1], #name))                                \
    measure(#name, &Table::name, d);
  BENCH_OTHERS(BENCH_MEASURE)
}
