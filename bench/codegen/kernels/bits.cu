// Bits counted, reversed and interleaved
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bits.h"

static __global__ void bitsKernel(int n, const std::uint32_t *__restrict x,
                                  const std::uint32_t *__restrict y,
                                  std::uint64_t *__restrict out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  std::uint32_t a = x[i], b = y[i];
  std::uint64_t code = suite::spread(a) | (suite::spread(b) << 1);
  std::uint32_t mixed = __brev(a) ^ __funnelshift_l(b, b, 7);
  code += __popc(mixed) * std::uint32_t(__clz(a | 1));
  code ^= std::uint64_t(__byte_perm(mixed, 0, 0x0123)) << (__ffs(b | 256) - 1);
  out[i] = code;
}

void suite::bits(int n, const std::uint32_t *x, const std::uint32_t *y,
                 std::uint64_t *out) {
  bitsKernel<<<(n + 255) / 256, 256>>>(n, x, y, out);
}
