// Kinds of kernels as a programmer writes them with OpenMP
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kinds.h"
#include <algorithm>
#include <cmath>

static void matvec(Arrays d) {
#pragma omp parallel for
  for (int row = 0; row < MatrixRows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int k = 0; k < MatrixColumns; ++k)
      sum += d.a[row * MatrixColumns + k] * d.b[k];
    d.c[row] = sum;
  }
}

static void gauss(Arrays d) {
#pragma omp parallel for
  for (int row = 1; row < MatrixRows; ++row) {
    float by = d.a[row * MatrixColumns];
    for (int k = 0; k < MatrixColumns; ++k)
      d.c[row * MatrixColumns + k] = d.a[row * MatrixColumns + k] - by * d.a[k];
  }
}

static void tree(Arrays d) {
#pragma omp parallel for
  for (int block = 0; block < Length / BlockLength; ++block) {
    int sum = 0;
    for (int i = 0; i < BlockLength; ++i)
      sum += d.keys[block * BlockLength + i];
    d.out[block] = sum;
  }
}

static void planes(Arrays d) {
  constexpr int plane = Plane * Plane;
#pragma omp parallel for
  for (int z = 1; z < Depth - 1; ++z)
    for (int y = 1; y < Plane - 1; ++y)
      for (int x = 1; x < Plane - 1; ++x) {
        int i = z * plane + y * Plane + x;
        d.c[i] = 0.5f * d.a[i] +
                 0.1f * (d.a[i - 1] + d.a[i + 1] + d.a[i - Plane] +
                         d.a[i + Plane] + d.a[i - plane] + d.a[i + plane]);
      }
}

static void sums(Arrays d) {
#pragma omp parallel for simd
  for (int i = 0; i < ColumnRows; ++i) {
    float sum = 0;
    for (int k = 0; k < ColumnHeight; ++k)
      sum += d.a[k * ColumnRows + i];
    d.c[i] = sum;
  }
}

static void jacobi(Arrays d) {
#pragma omp parallel for
  for (int y = 1; y < GridSide - 1; ++y)
    for (int x = 1; x < GridSide - 1; ++x) {
      int i = y * GridSide + x;
      d.c[i] = 0.25f * (d.a[i - 1] + d.a[i + 1] + d.a[i - GridSide] +
                        d.a[i + GridSide]);
    }
}

/// The network of the kernel, on memory that is not copied.
static void bitonic(Arrays d) {
#pragma omp parallel for
  for (int block = 0; block < Length / BlockLength; ++block) {
    int part[BlockLength];
    std::copy_n(d.keys + block * BlockLength, BlockLength, part);
    for (int size = 2; size <= BlockLength; size *= 2)
      for (int step = size / 2; step > 0; step /= 2)
        for (int start = 0; start < BlockLength; start += 2 * step)
          for (int i = start; i < start + step; ++i) {
            int low = std::min(part[i], part[i + step]),
                high = std::max(part[i], part[i + step]);
            bool up = (i & size) == 0;
            part[i] = up ? low : high;
            part[i + step] = up ? high : low;
          }
    std::copy_n(part, BlockLength, d.out + block * BlockLength);
  }
}

static void product(Arrays d) {
#pragma omp parallel for
  for (int y = 0; y < ProductSide; ++y)
    for (int x = 0; x < ProductSide; ++x) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < ProductSide; ++k)
        sum += d.a[y * ProductSide + k] * d.b[k * ProductSide + x];
      d.c[y * ProductSide + x] = sum;
    }
}

static void dot(Arrays d) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < Length; ++i)
    sum += d.a[i] * d.b[i];
  d.c[0] = sum;
}

static void norm(Arrays d) {
#pragma omp parallel for
  for (int row = 0; row < MatrixRows; ++row) {
    const float *in = d.a + row * MatrixColumns;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
    for (int k = 0; k < MatrixColumns; ++k) {
      sum += in[k];
      squares += in[k] * in[k];
    }
    float mean = sum / MatrixColumns;
    float by = 1 / std::sqrt(squares / MatrixColumns - mean * mean + 1e-5f);
    for (int k = 0; k < MatrixColumns; ++k)
      d.c[row * MatrixColumns + k] = (in[k] - mean) * by;
  }
}

static void sparse(Arrays d) {
#pragma omp parallel for
  for (int row = 0; row < SparseRows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int k = row * SparseWidth; k < (row + 1) * SparseWidth; ++k)
      sum += d.b[k] * d.a[d.columns[k]];
    d.c[row] = sum;
  }
}

static void scan(Arrays d) {
#pragma omp parallel for
  for (int block = 0; block < Length / BlockLength; ++block) {
    int sum = 0;
    for (int i = block * BlockLength; i < (block + 1) * BlockLength; ++i)
      d.out[i] = sum += d.keys[i];
  }
}

static void shuffle(Arrays d) {
#pragma omp parallel for
  for (int warp = 0; warp < Length / 32; ++warp) {
    int sum = 0;
    for (int i = 0; i < 32; ++i)
      sum += d.keys[warp * 32 + i];
    d.out[warp] = sum;
  }
}

Side ompSide() {
  return {matvec, gauss,  tree, planes,  sums, jacobi, bitonic, product, dot,
          norm,   sparse, scan, shuffle, tree, tree,   scan,    norm};
}
