// A small table that all threads read
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

int main() {
  std::array<float, 256> table;
  for (int i = 0; i < 256; ++i)
    table[i] = float(i * i);
  std::vector<unsigned char> in = ramp<unsigned char>(N);
  std::vector<float> out(N);
#ifdef _OPENMP
  unsigned char *is = in.data();
  float *os = out.data();
#pragma omp target teams distribute parallel for map(to : table, is[ : N])     \
    map(from : os[ : N])
  for (std::size_t i = 0; i < N; ++i)
    os[i] = table[is[i]];
#else
  xcc::parallel_for(N, [&](std::size_t i) { out[i] = table[in[i]]; });
  xcc::synchronize();
#endif
  print(out);
}
