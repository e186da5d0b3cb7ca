// Coefficients in a structure, by value to each thread
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

struct Polynomial {
  double c[4];
  double operator()(double x) const {
    return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
  }
};

int main() {
  Polynomial f{{1, 2, 3, 4}};
  std::vector<double> x = ramp<double>(N);
#ifdef _OPENMP
  double *xs = x.data();
#pragma omp target teams distribute parallel for map(to : f)                   \
    map(tofrom : xs[ : N])
  for (std::size_t i = 0; i < N; ++i)
    xs[i] = f(xs[i]);
#else
  xcc::parallel_for(N, [&](std::size_t i) { x[i] = f(x[i]); });
  xcc::synchronize();
#endif
  print(x);
}
