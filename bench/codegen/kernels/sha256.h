// The compression function of SHA-256
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FIPS 180-4. Both sides of the comparison use it; the host checks it against
// known digests.

#ifndef XCC_BENCH_CODEGEN_SHA256_H
#define XCC_BENCH_CODEGEN_SHA256_H

#include "../suite.h"

namespace suite {

SUITE_CONSTANT std::uint32_t ShaRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

SUITE_DEVICE std::uint32_t rotateRight(std::uint32_t x, int by) {
  return (x >> by) | (x << (32 - by));
}

/// One block: `w` is its 16 big-endian words, `h` the digest so far.
SUITE_DEVICE void shaBlock(std::uint32_t (&w)[16], std::uint32_t (&h)[8]) {
  std::uint32_t s[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    s[i] = h[i];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    if (i >= 16) {
      const std::uint32_t a = w[(i + 1) % 16], b = w[(i + 14) % 16];
      w[i % 16] += (rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >> 3)) +
                   w[(i + 9) % 16] +
                   (rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >> 10));
    }
    const std::uint32_t e = s[4], a = s[0];
    const std::uint32_t t1 =
        s[7] + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        ((e & s[5]) ^ (~e & s[6])) + ShaRound[i] + w[i % 16];
    const std::uint32_t t2 =
        (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) +
        ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
#pragma unroll
    for (int k = 7; k > 0; --k)
      s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    h[i] += s[i];
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_SHA256_H
