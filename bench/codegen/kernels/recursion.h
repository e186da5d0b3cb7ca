// How many steps a recursive function takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides of the comparison use it, and the host checks with it.

#ifndef XCC_BENCH_CODEGEN_RECURSION_H
#define XCC_BENCH_CODEGEN_RECURSION_H

#include "../suite.h"

namespace suite {

/// Ackermann's function, for small arguments.
SUITE_INLINE int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

/// A number of Fibonacci, by its definition.
SUITE_INLINE int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

} // namespace suite

#endif // XCC_BENCH_CODEGEN_RECURSION_H
