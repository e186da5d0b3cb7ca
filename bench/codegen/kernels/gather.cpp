// Structures of 16 bytes by an index
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void gatherKernel(int n, const int *__restrict index,
                         const suite::Particle *__restrict in,
                         suite::Particle *__restrict out) {
  for (int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
       i < n; i += xcc::grid_dim().x * xcc::block_dim().x)
    out[i] = in[index[i]];
}

void suite::gather(int n, const int *index, const suite::Particle *in,
                   suite::Particle *out) {
  xcc::launch({{1024}, {256}}, gatherKernel, n, index, in, out);
}
