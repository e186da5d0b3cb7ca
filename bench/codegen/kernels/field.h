// Numbers modulo 2^256 - 2^32 - 977
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison use it, and the host checks with it.

#ifndef XCC_BENCH_CODEGEN_FIELD_H
#define XCC_BENCH_CODEGEN_FIELD_H

#include "../suite.h"

namespace suite {

/// A number of 256 bits, its low word first.
struct Field {
  std::uint32_t word[8];
};

/// a b modulo the prime of secp256k1, below 2^256.
SUITE_INLINE Field multiply(const Field &a, const Field &b) {
  std::uint32_t wide[16] = {};
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    std::uint64_t carry = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      carry += std::uint64_t(a.word[i]) * b.word[j] + wide[i + j];
      wide[i + j] = std::uint32_t(carry);
      carry >>= 32;
    }
    wide[i + 8] = std::uint32_t(carry);
  }
  // 2^256 is 2^32 + 977; twice, for what the first sum carries out.
  Field r;
  std::uint64_t carry = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    carry += std::uint64_t(wide[i + 8]) * 977 + wide[i] + (i ? wide[i + 7] : 0);
    r.word[i] = std::uint32_t(carry);
    carry >>= 32;
  }
  std::uint64_t over = carry + wide[15];
  carry = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    std::uint64_t add = i == 0   ? std::uint32_t(over) * std::uint64_t(977)
                        : i == 1 ? over + (over >> 32) * 977
                        : i == 2 ? over >> 32
                                 : 0;
    carry += add + r.word[i];
    r.word[i] = std::uint32_t(carry);
    carry >>= 32;
  }
  return r;
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_FIELD_H
