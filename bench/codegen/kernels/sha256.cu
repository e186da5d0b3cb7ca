// A block of SHA-256 for each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sha256.h"

static __global__ void sha256Kernel(int n,
                                    const std::uint32_t *__restrict message,
                                    std::uint32_t *__restrict digest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  std::uint32_t w[16];
#pragma unroll
  for (int k = 0; k < 16; ++k)
    w[k] = message[k * n + i];
  std::uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  suite::shaBlock(w, h);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    digest[k * n + i] = h[k];
}

void suite::sha256(int n, const std::uint32_t *message, std::uint32_t *digest) {
  sha256Kernel<<<(n + 255) / 256, 256>>>(n, message, digest);
}
