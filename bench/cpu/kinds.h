// Kinds of kernels beside OpenMP: what both sides share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BENCH_CPU_KINDS_H
#define XCC_BENCH_CPU_KINDS_H

constexpr int MatrixRows = 1024, MatrixColumns = 1024;
constexpr int ColumnRows = 16384, ColumnHeight = 64;
constexpr int Length = 1 << 20, BlockLength = 256;
constexpr int Plane = 72, Depth = 64;
constexpr int GridSide = 1024;
constexpr int ProductSide = 256;
constexpr int SparseRows = 16384, SparseWidth = 48;

/// Arrays of at least `Length` elements; each kernel uses what it needs.
struct Arrays {
  const float *a, *b;
  float *c;
  const int *keys, *columns; ///< numbers; places in `a`, `SparseWidth` a row
  int *out;
};

/// One implementation of each kernel.
struct Side {
  void (*matvec)(Arrays);  ///< a row of a matrix for each thread
  void (*gauss)(Arrays);   ///< takes a multiple of row 0 from each row
  void (*tree)(Arrays);    ///< sums of blocks, every second thread adding
  void (*planes)(Arrays);  ///< a column of a volume for each thread
  void (*sums)(Arrays);    ///< sums of columns, by the size of the grid
  void (*jacobi)(Arrays);  ///< tiles with a border in shared memory
  void (*bitonic)(Arrays); ///< sorts blocks in shared memory
  void (*product)(Arrays); ///< of matrices
  void (*dot)(Arrays);     ///< by a tree in shared memory
  void (*norm)(Arrays);    ///< rows to mean 0 and deviation 1
  void (*sparse)(Arrays);  ///< a row of a sparse matrix for each warp
  void (*scan)(Arrays);    ///< Hillis and Steele's, of blocks
  void (*shuffle)(Arrays); ///< sums of warps
  void (*levels)(Arrays);  ///< sums of blocks: of warps, then of the first warp
  void (*packed)(Arrays);  ///< the tree, its threads beside each other
  void (*sweeps)(Arrays);  ///< Blelloch's scan, of blocks
  void (*stages)(Arrays);  ///< the same as `norm`, mean and deviation in turn
};

Side ompSide();
Side handSide(); ///< some are null

#endif // XCC_BENCH_CPU_KINDS_H
