// LU of blocks in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void luKernel(int n, double *matrix) {
  static xcc::block_shared<double[16][17]> panel;
  int x = xcc::thread_idx().x, y = xcc::thread_idx().y;
  std::size_t at = std::size_t(xcc::block_idx().x) * 16;
  double *own = matrix + (at + y) * n + at + x;
  panel[y][x] = *own;
  xcc::sync_block();
  for (int k = 0; k < 15; ++k) {
    if (y > k && x == k)
      panel[y][k] /= panel[k][k];
    xcc::sync_block();
    if (y > k && x > k)
      panel[y][x] -= panel[y][k] * panel[k][x];
    xcc::sync_block();
  }
  *own = panel[y][x];
}

void suite::lu(int n, double *matrix) {
  xcc::launch({{n / 16}, {16, 16}}, luKernel, n, matrix);
}
