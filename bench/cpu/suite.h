// What both sides of the CPU comparison share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels on the same data. Each side defines run(); main() times it,
// checks the result against a plain loop once, and prints seconds per call.

#ifndef XCC_BENCH_CPU_SUITE_H
#define XCC_BENCH_CPU_SUITE_H

#include <cstdint>

constexpr int VectorLength = 1 << 22; // floats: 16 MiB an array
constexpr int GridSide = 2048;        // stencil: 16 MiB a grid
constexpr int Bodies = 8192;
constexpr int MatrixSide = 768;
constexpr int ReduceLength = 1 << 24; // floats: 64 MiB
constexpr int Text = 1 << 24;         // bytes
constexpr int Bins = 256;
// All work in the first of many blocks: 391 of 256.
constexpr int UnevenLength = 391 * 256, UnevenWork = 24 * 256,
              UnevenSteps = 4000;
// Rows for a warp or for a block each.
constexpr int CubeSide = 160; // floats: 16 MiB a volume
constexpr int RowWidth = 512, RowsOfBlocks = VectorLength / RowWidth,
              RowsOfWarps = ReduceLength / RowWidth;

struct Body {
  float x, y, z, mass;
};

/// Arrays large enough for every kernel; each uses what its name says.
struct Data {
  float *a, *b, *c;         // MatrixSide^2, VectorLength, GridSide^2
  const float *reduceIn;    // ReduceLength
  float *reduceOut;         // one float
  const Body *bodies;       // Bodies
  float *force;             // 3 * Bodies
  const std::uint8_t *text; // Text
  std::uint32_t *bins;      // Bins
};

enum Kernel {
  Saxpy,
  Triad,
  Stencil,
  NBody,
  MatMul,
  Reduce,
  Dot,
  Histogram,
  Uneven,
  // Loops by the size of the grid: rows and columns, blocks of two dimensions,
  // an index narrower than its bound, and a sum.
  Rows,
  Through,
  Mixed,
  SumInt,
  // What threads do together: a warp sums up a row; a block takes a row to mean 0
  // and deviation 1.
  WarpRows,
  BlockRows,
  // The block's size as a number, and a border that threads leave out.
  Product, ///< of matrices, without tiles
  Planes,  ///< a stencil of a volume, along z
  CountIf, ///< numbers above a bound, by atomic additions
  RootIf,  ///< a root under a branch, in double
  Exp,     ///< libmvec's, with -ffast-math
  Kernels
};

/// Runs one kernel and waits for it.
void run(Kernel kernel, const Data &data);

#endif // XCC_BENCH_CPU_SUITE_H
