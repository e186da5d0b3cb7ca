// A kernel that writes every tenth element
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<int> x = ramp<int>(N);
#ifdef _OPENMP
  int *xs = x.data();
#pragma omp target teams distribute parallel for map(tofrom : xs[ : N])
  for (std::size_t i = 0; i < N; i += 10)
    xs[i] = -1;
#else
  xcc::parallel_for((N + 9) / 10, [&](std::size_t i) { x[10 * i] = -1; });
  xcc::synchronize();
#endif
  print(x);
}
