// Bits counted, reversed and interleaved
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bits.h"
#include <bit>
#include <xcc/xcc.h>

static void bitsKernel(int n, const std::uint32_t *__restrict x,
                       const std::uint32_t *__restrict y,
                       std::uint64_t *__restrict out) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= n)
    return;
  std::uint32_t a = x[i], b = y[i];
  std::uint64_t code = suite::spread(a) | (suite::spread(b) << 1);
  std::uint32_t mixed = __builtin_bitreverse32(a) ^ std::rotl(b, 7);
  code += std::popcount(mixed) * std::uint32_t(std::countl_zero(a | 1));
  code ^= std::uint64_t(__builtin_bswap32(mixed)) << std::countr_zero(b | 256);
  out[i] = code;
}

void suite::bits(int n, const std::uint32_t *x, const std::uint32_t *y,
                 std::uint64_t *out) {
  xcc::launch({{(n + 255) / 256}, {256}}, bitsKernel, n, x, y, out);
}
