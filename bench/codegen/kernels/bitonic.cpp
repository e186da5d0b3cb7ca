// Sorting tiles in shared memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void bitonicKernel(const unsigned *__restrict in,
                          unsigned *__restrict out) {
  static xcc::block_shared<unsigned[512]> keys;
  unsigned t = xcc::thread_idx().x, base = xcc::block_idx().x * 512;
  keys[t] = in[base + t];
  keys[t + 256] = in[base + t + 256];
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      xcc::sync_block();
      unsigned i = 2 * t - (t & (stride - 1));
      bool up = (i & size) == 0;
      unsigned a = keys[i], b = keys[i + stride];
      if ((a > b) == up) {
        keys[i] = b;
        keys[i + stride] = a;
      }
    }
  xcc::sync_block();
  out[base + t] = keys[t];
  out[base + t + 256] = keys[t + 256];
}

void suite::bitonic(int blocks, const unsigned *in, unsigned *out) {
  xcc::launch({{blocks}, {256}}, bitonicKernel, in, out);
}
