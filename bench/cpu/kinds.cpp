// Kinds of kernels beside OpenMP, in one process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sides take turns. Prints, for each kernel, the least processor time of
// each side in milliseconds, and how many times as fast xcc is. `hand` is the
// kernel's algorithm as loops, where OpenMP's side has another one:
//
//   clang++ -O3 -march=native -fopenmp -c kinds_omp.cpp kinds_hand.cpp
//   xcc -std=c++20 -O3 --offload-arch=native kinds.cpp kinds_omp.o \
//       kinds_hand.o -lomp -o kinds
//   XCC_CPU_THREADS=1 OMP_NUM_THREADS=1 ./kinds [KERNEL]

#include "kinds.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <time.h>
#include <vector>
#include <xcc/xcc.h>

static void matvec(int rows, int columns, const float *m, const float *x,
                   float *y) {
  int row = int(xcc::global_id());
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < columns; ++k)
    sum += m[row * columns + k] * x[k];
  y[row] = sum;
}

static void gauss(int rows, int columns, const float *m, float *out) {
  int row = int(xcc::global_id());
  if (row == 0 || row >= rows)
    return;
  float by = m[row * columns];
  for (int k = 0; k < columns; ++k)
    out[row * columns + k] = m[row * columns + k] - by * m[k];
}

static void tree(const int *in, int *out) {
  static xcc::block_shared<int[BlockLength]> part;
  int x = int(xcc::thread_idx().x);
  part[x] = in[xcc::global_id()];
  xcc::sync_block();
  for (int o = 1; o < BlockLength; o *= 2) {
    if (x % (2 * o) == 0)
      part[x] += part[x + o];
    xcc::sync_block();
  }
  if (x == 0)
    out[xcc::block_idx().x] = part[0];
}

static void planes(int w, int h, int depth, const float *in, float *out) {
  int x = int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  int y = int(xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  const int plane = w * h;
  int i = y * w + x + plane;
  float below = in[i - plane], here = in[i];
  for (int z = 1; z < depth - 1; ++z, i += plane) {
    float above = in[i + plane];
    out[i] = 0.5f * here + 0.1f * (in[i - 1] + in[i + 1] + in[i - w] +
                                   in[i + w] + below + above);
    below = here;
    here = above;
  }
}

static void sums(int columns, int height, const float *m, float *y) {
  for (int i = int(xcc::global_id()); i < columns;
       i += int(xcc::global_size())) {
    float sum = 0;
    for (int k = 0; k < height; ++k)
      sum += m[k * columns + i];
    y[i] = sum;
  }
}

static void jacobi(int side, const float *in, float *out) {
  static xcc::block_shared<float[18][18]> tile;
  int tx = int(xcc::thread_idx().x) + 1, ty = int(xcc::thread_idx().y) + 1;
  int x = int(xcc::block_idx().x * 16) + tx - 1;
  int y = int(xcc::block_idx().y * 16) + ty - 1;
  int i = y * side + x;
  tile[ty][tx] = in[i];
  if (tx == 1 && x > 0)
    tile[ty][0] = in[i - 1];
  if (tx == 16 && x < side - 1)
    tile[ty][17] = in[i + 1];
  if (ty == 1 && y > 0)
    tile[0][tx] = in[i - side];
  if (ty == 16 && y < side - 1)
    tile[17][tx] = in[i + side];
  xcc::sync_block();
  if (x > 0 && y > 0 && x < side - 1 && y < side - 1)
    out[i] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                      tile[ty + 1][tx]);
}

static void bitonic(const int *in, int *out) {
  static xcc::block_shared<int[BlockLength]> part;
  int x = int(xcc::thread_idx().x);
  part[x] = in[xcc::global_id()];
  xcc::sync_block();
  for (int size = 2; size <= BlockLength; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      int other = x ^ step;
      if (other > x) {
        bool up = (x & size) == 0;
        int a = part[x], b = part[other];
        if (up ? a > b : a < b) {
          part[x] = b;
          part[other] = a;
        }
      }
      xcc::sync_block();
    }
  out[xcc::global_id()] = part[x];
}

static void product(int n, const float *a, const float *b, float *c) {
  int x = int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  int y = int(xcc::block_idx().y * xcc::block_dim().y + xcc::thread_idx().y);
  if (x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

static void dot(int n, const float *a, const float *b, float *out) {
  static xcc::block_shared<float[BlockLength]> part;
  int x = int(xcc::thread_idx().x);
  float sum = 0;
  for (int i = int(xcc::global_id()); i < n; i += int(xcc::global_size()))
    sum += a[i] * b[i];
  part[x] = sum;
  xcc::sync_block();
  for (int o = int(xcc::block_dim().x) / 2; o > 0; o /= 2) {
    if (x < o)
      part[x] += part[x + o];
    xcc::sync_block();
  }
  if (x == 0)
    out[xcc::block_idx().x] = part[0];
}

static void norm(int columns, const float *in, float *out) {
  static xcc::block_shared<float[BlockLength]> sums, squares;
  int x = int(xcc::thread_idx().x);
  const float *row = in + int(xcc::block_idx().x) * columns;
  float sum = 0, square = 0;
  for (int k = x; k < columns; k += int(xcc::block_dim().x)) {
    sum += row[k];
    square += row[k] * row[k];
  }
  sums[x] = sum;
  squares[x] = square;
  xcc::sync_block();
  for (int o = BlockLength / 2; o > 0; o /= 2) {
    if (x < o) {
      sums[x] += sums[x + o];
      squares[x] += squares[x + o];
    }
    xcc::sync_block();
  }
  float mean = sums[0] / float(columns);
  float by = 1 / std::sqrt(squares[0] / float(columns) - mean * mean + 1e-5f);
  for (int k = x; k < columns; k += int(xcc::block_dim().x))
    out[int(xcc::block_idx().x) * columns + k] = (row[k] - mean) * by;
}

static void sparse(int rows, const int *columns, const float *values,
                   const float *x, float *y) {
  int row = int(xcc::global_id()) / 32, lane = int(xcc::thread_idx().x) % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = row * SparseWidth + lane; k < (row + 1) * SparseWidth; k += 32)
    sum += values[k] * x[columns[k]];
  for (int o = 16; o > 0; o /= 2)
    sum += xcc::shuffle_down(sum, unsigned(o));
  if (lane == 0)
    y[row] = sum;
}

static void scan(const int *in, int *out) {
  static xcc::block_shared<int[BlockLength]> part;
  int x = int(xcc::thread_idx().x);
  part[x] = in[xcc::global_id()];
  xcc::sync_block();
  for (int o = 1; o < BlockLength; o *= 2) {
    int other = x >= o ? part[x - o] : 0;
    xcc::sync_block();
    part[x] += other;
    xcc::sync_block();
  }
  out[xcc::global_id()] = part[x];
}

static void shuffle(const int *in, int *out) {
  int sum = in[xcc::global_id()];
  for (int o = 16; o > 0; o /= 2)
    sum += xcc::shuffle_down(sum, unsigned(o));
  if (xcc::thread_idx().x % 32 == 0)
    out[xcc::global_id() / 32] = sum;
}

static void levels(const int *in, int *out) {
  static xcc::block_shared<int[32]> part;
  int x = int(xcc::thread_idx().x), lane = x % 32, warp = x / 32;
  int sum = in[xcc::global_id()];
  for (int o = 16; o > 0; o /= 2)
    sum += xcc::shuffle_down(sum, unsigned(o));
  if (lane == 0)
    part[warp] = sum;
  xcc::sync_block();
  if (warp == 0) {
    sum = lane < int(xcc::block_dim().x) / 32 ? part[lane] : 0;
    for (int o = 16; o > 0; o /= 2)
      sum += xcc::shuffle_down(sum, unsigned(o));
    if (lane == 0)
      out[xcc::block_idx().x] = sum;
  }
}

static void packed(const int *in, int *out) {
  static xcc::block_shared<int[BlockLength]> part;
  unsigned x = xcc::thread_idx().x;
  part[x] = in[xcc::global_id()];
  xcc::sync_block();
  for (unsigned o = 1; o < xcc::block_dim().x; o *= 2) {
    unsigned i = 2 * o * x;
    if (i < xcc::block_dim().x)
      part[i] += part[i + o];
    xcc::sync_block();
  }
  if (x == 0)
    out[xcc::block_idx().x] = part[0];
}

static void sweeps(const int *in, int *out) {
  static xcc::block_shared<int[BlockLength]> part;
  unsigned x = xcc::thread_idx().x, n = xcc::block_dim().x, offset = 1;
  part[x] = in[xcc::global_id()];
  for (unsigned d = n >> 1; d > 0; d >>= 1) {
    xcc::sync_block();
    if (x < d) {
      unsigned a = offset * (2 * x + 1) - 1, b = offset * (2 * x + 2) - 1;
      part[b] += part[a];
    }
    offset *= 2;
  }
  if (x == 0)
    part[n - 1] = 0;
  for (unsigned d = 1; d < n; d *= 2) {
    offset >>= 1;
    xcc::sync_block();
    if (x < d) {
      unsigned a = offset * (2 * x + 1) - 1, b = offset * (2 * x + 2) - 1;
      int left = part[a];
      part[a] = part[b];
      part[b] += left;
    }
  }
  xcc::sync_block();
  out[xcc::global_id()] = part[x] + in[xcc::global_id()];
}

static void stages(unsigned columns, const float *in, float *out) {
  static xcc::block_shared<float[BlockLength]> part;
  unsigned x = xcc::thread_idx().x, row = xcc::block_idx().x;
  float sum = 0;
  for (unsigned k = x; k < columns; k += xcc::block_dim().x)
    sum += in[row * columns + k];
  part[x] = sum;
  for (unsigned o = xcc::block_dim().x / 2; o > 0; o >>= 1) {
    xcc::sync_block();
    if (x < o)
      part[x] += part[x + o];
  }
  xcc::sync_block();
  float mean = part[0] / float(columns);
  xcc::sync_block();
  sum = 0;
  for (unsigned k = x; k < columns; k += xcc::block_dim().x) {
    float from = in[row * columns + k] - mean;
    sum += from * from;
  }
  part[x] = sum;
  for (unsigned o = xcc::block_dim().x / 2; o > 0; o >>= 1) {
    xcc::sync_block();
    if (x < o)
      part[x] += part[x + o];
  }
  xcc::sync_block();
  float by = 1 / std::sqrt(part[0] / float(columns) + 1e-5f);
  for (unsigned k = x; k < columns; k += xcc::block_dim().x)
    out[row * columns + k] = (in[row * columns + k] - mean) * by;
}

static Side xccSide() {
  constexpr unsigned blocks = Length / BlockLength;
  return {
      [](Arrays d) {
        xcc::launch({{MatrixRows / 128}, {128}}, matvec, MatrixRows,
                    MatrixColumns, d.a, d.b, d.c);
      },
      [](Arrays d) {
        xcc::launch({{MatrixRows / 128}, {128}}, gauss, MatrixRows,
                    MatrixColumns, d.a, d.c);
      },
      [](Arrays d) {
        xcc::launch({{blocks}, {BlockLength}}, tree, d.keys, d.out);
      },
      [](Arrays d) {
        xcc::launch({{(Plane + 31) / 32, Plane / 8}, {32, 8}}, planes, Plane,
                    Plane, Depth, d.a, d.c);
      },
      [](Arrays d) {
        xcc::launch({{64}, {256}}, sums, ColumnRows, ColumnHeight, d.a, d.c);
      },
      [](Arrays d) {
        xcc::launch({{GridSide / 16, GridSide / 16}, {16, 16}}, jacobi,
                    GridSide, d.a, d.c);
      },
      [](Arrays d) {
        xcc::launch({{blocks}, {BlockLength}}, bitonic, d.keys, d.out);
      },
      [](Arrays d) {
        xcc::launch({{ProductSide / 16, ProductSide / 16}, {16, 16}}, product,
                    ProductSide, d.a, d.b, d.c);
      },
      [](Arrays d) {
        xcc::launch({{64}, {BlockLength}}, dot, Length, d.a, d.b, d.c);
        xcc::synchronize();
        for (int i = 1; i < 64; ++i)
          d.c[0] += d.c[i];
      },
      [](Arrays d) {
        xcc::launch({{MatrixRows}, {BlockLength}}, norm, MatrixColumns, d.a,
                    d.c);
      },
      [](Arrays d) {
        xcc::launch({{SparseRows / 8}, {256}}, sparse, SparseRows, d.columns,
                    d.b, d.a, d.c);
      },
      [](Arrays d) {
        xcc::launch({{blocks}, {BlockLength}}, scan, d.keys, d.out);
      },
      [](Arrays d) {
        xcc::launch({{blocks}, {BlockLength}}, shuffle, d.keys, d.out);
      },
      [](Arrays d) {
        xcc::launch({{blocks}, {BlockLength}}, levels, d.keys, d.out);
      },
      [](Arrays d) {
        xcc::launch({{blocks}, {BlockLength}}, packed, d.keys, d.out);
      },
      [](Arrays d) {
        xcc::launch({{blocks}, {BlockLength}}, sweeps, d.keys, d.out);
      },
      [](Arrays d) {
        xcc::launch({{MatrixRows}, {BlockLength}}, stages, MatrixColumns, d.a,
                    d.c);
      },
  };
}

static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

namespace {
class Comparison {
public:
  Comparison(Arrays data, const char *only)
      : data(data), only(only), sides{ompSide(), xccSide(), handSide()} {}

  /// \p floats and \p ints are how many elements the kernel computes.
  void run(const char *name, void (*Side::*kernel)(Arrays), int floats,
           int ints);
  bool isWrong = false;

private:
  Arrays data;
  const char *only;
  Side sides[3];

  bool isEqual(const std::vector<float> &c, const std::vector<int> &out) const;
};
} // namespace

bool Comparison::isEqual(const std::vector<float> &c,
                         const std::vector<int> &out) const {
  bool same = std::equal(out.begin(), out.end(), data.out);
  for (std::size_t i = 0; i < c.size(); ++i)
    same &= std::fabs(c[i] - data.c[i]) <= 1e-3f * (1 + std::fabs(c[i]));
  return same;
}

void Comparison::run(const char *name, void (*Side::*kernel)(Arrays),
                     int floats, int ints) {
  if (only && std::strcmp(only, name) != 0)
    return;
  std::vector<float> c(floats);
  std::vector<int> out(ints);
  bool same = true;
  for (const Side &side : sides) {
    if (!(side.*kernel))
      continue;
    std::fill_n(data.c, Length, 0.0f);
    std::fill_n(data.out, Length, 0);
    (side.*kernel)(data);
    xcc::synchronize();
    if (&side == sides) {
      std::copy_n(data.c, floats, c.begin());
      std::copy_n(data.out, ints, out.begin());
    }
    same &= isEqual(c, out);
  }
  isWrong |= !same;
  double best[3] = {1e30, 1e30, 1e30}, start = now();
  for (int round = 0; round < 5 || (round < 200 && now() - start < 400);
       ++round)
    for (int side = 0; side < 3; ++side) {
      if (!(sides[side].*kernel))
        continue;
      double begin = now();
      (sides[side].*kernel)(data);
      xcc::synchronize();
      best[side] = std::min(best[side], now() - begin);
    }
  std::printf("%-10s %9.4f %9.4f %6.2f", name, best[0], best[1],
              best[0] / best[1]);
  if (sides[2].*kernel)
    std::printf(" %9.4f %6.2f", best[2], best[2] / best[1]);
  std::printf("%s\n", same ? "" : "  WRONG");
}

int main(int argc, char **argv) {
  std::vector<float> a(Length), b(Length), c(Length);
  std::vector<int> keys(Length), columns(Length), out(Length);
  std::uint32_t seed = 12345;
  auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (int i = 0; i < Length; ++i) {
    a[i] = float(random() % 1000) / 1000;
    b[i] = float(random() % 1000) / 1000;
    keys[i] = int(random() % 100000);
    columns[i] = int(random() % Length);
  }
  Comparison all(
      {a.data(), b.data(), c.data(), keys.data(), columns.data(), out.data()},
      argc > 1 ? argv[1] : nullptr);
  constexpr int blocks = Length / BlockLength;
  std::printf("%-10s %9s %9s %6s %9s %6s\n", "kernel", "OpenMP", "xcc", "ratio",
              "hand", "ratio");
  all.run("matvec", &Side::matvec, MatrixRows, 0);
  all.run("gauss", &Side::gauss, MatrixRows * MatrixColumns, 0);
  all.run("tree", &Side::tree, 0, blocks);
  all.run("planes", &Side::planes, Plane * Plane * Depth, 0);
  all.run("sums", &Side::sums, ColumnRows, 0);
  all.run("jacobi", &Side::jacobi, GridSide * GridSide, 0);
  all.run("bitonic", &Side::bitonic, 0, Length);
  all.run("product", &Side::product, ProductSide * ProductSide, 0);
  all.run("dot", &Side::dot, 1, 0);
  all.run("norm", &Side::norm, MatrixRows * MatrixColumns, 0);
  all.run("sparse", &Side::sparse, SparseRows, 0);
  all.run("scan", &Side::scan, 0, Length);
  all.run("shuffle", &Side::shuffle, 0, Length / 32);
  all.run("levels", &Side::levels, 0, blocks);
  all.run("packed", &Side::packed, 0, blocks);
  all.run("sweeps", &Side::sweeps, 0, Length);
  all.run("stages", &Side::stages, MatrixRows * MatrixColumns, 0);
  return all.isWrong;
}
