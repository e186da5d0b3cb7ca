// Algorithms beside OpenMP: what both sides share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_CPU_OTHERS_H
#define XCC_BENCH_CPU_OTHERS_H

#include <cstdint>

constexpr int Length = 1 << 20, BlockLength = 256;
constexpr int Bins = 256, Means = 16, Dimensions = 2;
constexpr int SparseRows = 16384;
constexpr int Width = 1024, Height = 512, Radius = 2;
constexpr int Side = 512; ///< of matrices
constexpr int PatternLength = 6;
constexpr int Steps = 64; ///< of options
constexpr int Systems = 4096, SystemLength = 64;
constexpr int ChunkLength = 1024;

/// Inputs, and outputs with an o.
struct Arrays {
  const float *a, *b, *c;
  float *o;
  const int *keys, *rows, *columns; ///< keys: below 2^24
  int *io;
  const unsigned char *text;
  const std::uint32_t *table; ///< of a CRC
};

// clang-format off
#define BENCH_OTHERS(X) \
  X(histogram) X(assign) X(spmv) X(digits) X(blelloch) X(convolution) X(box) \
  X(gauss) X(floyd) X(panel) X(match) X(crc) X(binomial) X(pi) X(systems)
// clang-format on

#define BENCH_DECLARE(name) void (*name)(Arrays);
struct Table {
  BENCH_OTHERS(BENCH_DECLARE)
};

#endif // XCC_BENCH_CPU_OTHERS_H
