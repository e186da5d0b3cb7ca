// A checksum of each row, bit by bit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void crc32Kernel(int rows, int bytes,
                                   const std::uint32_t *__restrict text,
                                   std::uint32_t *__restrict crc) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int words = bytes / 4;
  std::uint32_t sum = ~0u;
  for (int w = 0; w < words; ++w) {
    sum ^= text[row * words + w];
#pragma unroll
    for (int bit = 0; bit < 32; ++bit)
      sum = (sum >> 1) ^ (sum & 1 ? 0xedb88320u : 0u);
  }
  crc[row] = ~sum;
}

void suite::crc32(int rows, int bytes, const std::uint32_t *text,
                  std::uint32_t *crc) {
  crc32Kernel<<<(rows + 255) / 256, 256>>>(rows, bytes, text, crc);
}
