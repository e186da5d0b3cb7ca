// Kinds of kernels by hand: loops over threads that end at each barrier
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithm is the kernel's, where OpenMP's side has another one: what a
// programmer writes who has the kernel and wants loops. A guard is the loop's
// bound. A block's size that the kernel asks for is an argument here.

#include "kinds.h"
#include <cmath>
#include <utility>

/// Of a loop whose iterations do not depend on each other.
#define EACH_THREAD _Pragma("omp simd")
/// Of a loop whose elements are apart, so that vectors would gather.
#define APART _Pragma("clang loop vectorize(disable) unroll_count(2)")

/// The size of blocks, where kernels do not know it.
static const volatile int threads = BlockLength;

typedef float Floats __attribute__((vector_size(64), aligned(4)));
typedef int Ints __attribute__((vector_size(64), aligned(4)));

/// Exchanges the elements of two rows whose column has the bit \p Half or not.
template <int Half, int... Column>
static void exchange(Floats &a, Floats &b,
                     std::integer_sequence<int, Column...>) {
  Floats low = __builtin_shufflevector(
      a, b, (Column & Half ? Column - Half + 16 : Column)...);
  b = __builtin_shufflevector(a, b,
                              (Column & Half ? Column + 16 : Column + Half)...);
  a = low;
}

template <int Half> static void transpose(Floats (&rows)[16]) {
  for (int i = 0; i < 16; ++i)
    if ((i & Half) == 0)
      exchange<Half>(rows[i], rows[i + Half],
                     std::make_integer_sequence<int, 16>());
}

/// 16 rows at a time: a square of the matrix is transposed in registers.
static void matvec(Arrays d) {
  for (int row = 0; row < MatrixRows; row += 16) {
    Floats sum = {};
    for (int k = 0; k < MatrixColumns; k += 16) {
      Floats square[16];
      for (int i = 0; i < 16; ++i)
        square[i] = *(const Floats *)(d.a + (row + i) * MatrixColumns + k);
      transpose<8>(square);
      transpose<4>(square);
      transpose<2>(square);
      transpose<1>(square);
      for (int i = 0; i < 16; ++i)
        sum += square[i] * d.b[k + i];
    }
    *(Floats *)(d.c + row) = sum;
  }
}

static void tree(Arrays d) {
  int part[BlockLength];
  for (int block = 0; block < Length / BlockLength; ++block) {
    EACH_THREAD
    for (int x = 0; x < BlockLength; ++x)
      part[x] = d.keys[block * BlockLength + x];
    for (int o = 1; o < BlockLength; o *= 2)
      APART for (int x = 0; x < BlockLength; x += 2 * o) part[x] += part[x + o];
    d.out[block] = part[0];
  }
}

static void jacobi(Arrays d) {
  float tile[18][18];
  for (int by = 0; by < GridSide; by += 16)
    for (int bx = 0; bx < GridSide; bx += 16) {
      const float *in = d.a + by * GridSide + bx;
      for (int y = 0; y < 16; ++y)
        EACH_THREAD
      for (int x = 0; x < 16; ++x)
        tile[y + 1][x + 1] = in[y * GridSide + x];
      if (bx > 0)
        for (int y = 0; y < 16; ++y)
          tile[y + 1][0] = in[y * GridSide - 1];
      if (bx + 16 < GridSide)
        for (int y = 0; y < 16; ++y)
          tile[y + 1][17] = in[y * GridSide + 16];
      if (by > 0)
        EACH_THREAD
      for (int x = 0; x < 16; ++x)
        tile[0][x + 1] = in[x - GridSide];
      if (by + 16 < GridSide)
        EACH_THREAD
      for (int x = 0; x < 16; ++x)
        tile[17][x + 1] = in[16 * GridSide + x];
      const int left = bx == 0, right = bx + 16 == GridSide ? 15 : 16;
      for (int y = by == 0; y < (by + 16 == GridSide ? 15 : 16); ++y)
        EACH_THREAD
      for (int x = left; x < right; ++x)
        d.c[(by + y) * GridSide + bx + x] =
            0.25f * (tile[y + 1][x] + tile[y + 1][x + 2] + tile[y][x + 1] +
                     tile[y + 2][x + 1]);
    }
}

/// The sum of \p n elements, a power of two, by halves.
template <class T> static void halve(T *part, int n) {
  for (int o = n / 2; o > 0; o /= 2)
    EACH_THREAD
  for (int x = 0; x < o; ++x)
    part[x] += part[x + o];
}

static void dot(Arrays d) {
  const int n = threads, stride = 64 * n;
  float part[BlockLength];
  for (int block = 0; block < 64; ++block) {
    EACH_THREAD
    for (int x = 0; x < n; ++x)
      part[x] = 0;
    for (int i = block * n; i < Length; i += stride)
      EACH_THREAD
    for (int x = 0; x < n; ++x)
      part[x] += d.a[i + x] * d.b[i + x];
    halve(part, n);
    d.c[block] = part[0];
  }
  for (int i = 1; i < 64; ++i)
    d.c[0] += d.c[i];
}

static void norm(Arrays d) {
  const int n = threads;
  float sums[BlockLength], squares[BlockLength];
  for (int row = 0; row < MatrixRows; ++row) {
    const float *in = d.a + row * MatrixColumns;
    float *out = d.c + row * MatrixColumns;
    EACH_THREAD
    for (int x = 0; x < n; ++x)
      sums[x] = squares[x] = 0;
    for (int k = 0; k < MatrixColumns; k += n)
      EACH_THREAD
    for (int x = 0; x < n; ++x) {
      sums[x] += in[k + x];
      squares[x] += in[k + x] * in[k + x];
    }
    halve(sums, BlockLength);
    halve(squares, BlockLength);
    float mean = sums[0] / MatrixColumns;
    float by = 1 / std::sqrt(squares[0] / MatrixColumns - mean * mean + 1e-5f);
    EACH_THREAD
    for (int k = 0; k < MatrixColumns; ++k)
      out[k] = (in[k] - mean) * by;
  }
}

static void stages(Arrays d) {
  const int n = threads;
  float part[BlockLength];
  for (int row = 0; row < MatrixRows; ++row) {
    const float *in = d.a + row * MatrixColumns;
    float *out = d.c + row * MatrixColumns;
    EACH_THREAD
    for (int x = 0; x < n; ++x)
      part[x] = 0;
    for (int k = 0; k < MatrixColumns; k += n)
      EACH_THREAD
    for (int x = 0; x < n; ++x)
      part[x] += in[k + x];
    halve(part, n);
    float mean = part[0] / MatrixColumns;
    EACH_THREAD
    for (int x = 0; x < n; ++x)
      part[x] = 0;
    for (int k = 0; k < MatrixColumns; k += n)
      EACH_THREAD
    for (int x = 0; x < n; ++x)
      part[x] += (in[k + x] - mean) * (in[k + x] - mean);
    halve(part, n);
    float by = 1 / std::sqrt(part[0] / MatrixColumns + 1e-5f);
    EACH_THREAD
    for (int k = 0; k < MatrixColumns; ++k)
      out[k] = (in[k] - mean) * by;
  }
}

static void scan(Arrays d) {
  int part[BlockLength], other[BlockLength];
  for (int block = 0; block < Length / BlockLength; ++block) {
    EACH_THREAD
    for (int x = 0; x < BlockLength; ++x)
      part[x] = d.keys[block * BlockLength + x];
    for (int o = 1; o < BlockLength; o *= 2) {
      EACH_THREAD
      for (int x = o; x < BlockLength; ++x)
        other[x] = part[x - o];
      EACH_THREAD
      for (int x = o; x < BlockLength; ++x)
        part[x] += other[x];
    }
    EACH_THREAD
    for (int x = 0; x < BlockLength; ++x)
      d.out[block * BlockLength + x] = part[x];
  }
}

/// The sum of 32 lanes: each adds what is 16, 8, 4, 2 and 1 lanes after it.
static int sumOfWarp(const int *in) {
  Ints v = *(const Ints *)in + *(const Ints *)(in + 16);
  v += __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3,
                               4, 5, 6, 7);
  v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1,
                               2, 3);
  v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
                               0, 1);
  return v[0] + v[1];
}

static void shuffle(Arrays d) {
  for (int warp = 0; warp < Length / 32; ++warp)
    d.out[warp] = sumOfWarp(d.keys + warp * 32);
}

static void levels(Arrays d) {
  const int n = threads;
  int part[32] = {};
  for (int block = 0; block < Length / BlockLength; ++block) {
    for (int warp = 0; warp < n / 32; ++warp)
      part[warp] = sumOfWarp(d.keys + block * n + warp * 32);
    d.out[block] = sumOfWarp(part);
  }
}

static void packed(Arrays d) {
  const unsigned n = threads;
  int part[BlockLength];
  for (int block = 0; block < Length / BlockLength; ++block) {
    EACH_THREAD
    for (unsigned x = 0; x < n; ++x)
      part[x] = d.keys[block * n + x];
    for (unsigned o = 1; o < n; o *= 2)
      APART for (unsigned i = 0; i < n; i += 2 * o) part[i] += part[i + o];
    d.out[block] = part[0];
  }
}

static void sweeps(Arrays d) {
  const unsigned n = threads;
  int part[BlockLength];
  for (int block = 0; block < Length / BlockLength; ++block) {
    const int *in = d.keys + block * n;
    EACH_THREAD
    for (unsigned x = 0; x < n; ++x)
      part[x] = in[x];
    unsigned offset = 1;
    for (unsigned k = n / 2; k > 0; k /= 2, offset *= 2)
      APART for (unsigned x = 0; x < k; ++x) part[offset * (2 * x + 2) - 1] +=
          part[offset * (2 * x + 1) - 1];
    part[n - 1] = 0;
    for (unsigned k = 1; k < n; k *= 2) {
      offset /= 2;
      APART for (unsigned x = 0; x < k; ++x) {
        unsigned a = offset * (2 * x + 1) - 1, b = offset * (2 * x + 2) - 1;
        int left = part[a];
        part[a] = part[b];
        part[b] += left;
      }
    }
    EACH_THREAD
    for (unsigned x = 0; x < n; ++x)
      d.out[block * n + x] = part[x] + in[x];
  }
}

Side handSide() {
  Side s = {};
  s.matvec = matvec;
  s.tree = tree;
  s.jacobi = jacobi;
  s.dot = dot;
  s.norm = norm;
  s.scan = scan;
  s.shuffle = shuffle;
  s.levels = levels;
  s.packed = packed;
  s.sweeps = sweeps;
  s.stages = stages;
  return s;
}
