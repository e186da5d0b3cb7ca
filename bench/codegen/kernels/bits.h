// Morton codes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison use it; the host checks it bit by bit.

#ifndef XCC_BENCH_CODEGEN_BITS_H
#define XCC_BENCH_CODEGEN_BITS_H

#include "../suite.h"

namespace suite {

/// The bits of x at the even positions of the result.
SUITE_INLINE std::uint64_t spread(std::uint32_t x) {
  std::uint64_t v = x;
  v = (v | (v << 16)) & 0x0000ffff0000ffffull;
  v = (v | (v << 8)) & 0x00ff00ff00ff00ffull;
  v = (v | (v << 4)) & 0x0f0f0f0f0f0f0f0full;
  v = (v | (v << 2)) & 0x3333333333333333ull;
  v = (v | (v << 1)) & 0x5555555555555555ull;
  return v;
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_BITS_H
