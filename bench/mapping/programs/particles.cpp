// A structure of four vectors, two of which change
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

struct Particles {
  std::vector<float> x, y, vx, vy;
};

int main() {
  Particles p{ramp<float>(N), ramp<float>(N), ramp<float>(N), ramp<float>(N)};
  float step = 0.5f;
#ifdef _OPENMP
  float *x = p.x.data(), *y = p.y.data(), *vx = p.vx.data(), *vy = p.vy.data();
#pragma omp target teams distribute parallel for map(                          \
        tofrom : x[ : N], y[ : N]) map(to : vx[ : N], vy[ : N])
  for (std::size_t i = 0; i < N; ++i) {
    x[i] += step * vx[i];
    y[i] += step * vy[i];
  }
#else
  xcc::parallel_for(N, [&](std::size_t i) {
    p.x[i] += step * p.vx[i];
    p.y[i] += step * p.vy[i];
  });
  xcc::synchronize();
#endif
  print(p.x);
  print(p.y);
}
