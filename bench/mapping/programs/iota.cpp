// A vector that is only written
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::vector<int> y(N, -1);
#ifdef _OPENMP
  int *ys = y.data();
#pragma omp target teams distribute parallel for map(from : ys[ : N])
  for (std::size_t i = 0; i < N; ++i)
    ys[i] = int(i);
#else
  xcc::parallel_for(N, [&](std::size_t i) { y[i] = int(i); });
  xcc::synchronize();
#endif
  print(y);
}
