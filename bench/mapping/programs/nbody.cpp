// Positions go in, forces come out
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../program.h"

struct Body {
  float x, y, mass;
};

inline float pull(const Body *b, std::size_t n, std::size_t i) {
  float sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    float dx = b[j].x - b[i].x, dy = b[j].y - b[i].y;
    sum += b[j].mass * dx / (dx * dx + dy * dy + 1);
  }
  return sum;
}

int main() {
  constexpr std::size_t Bodies = 128;
  std::vector<Body> b(Bodies);
  for (std::size_t i = 0; i < Bodies; ++i)
    b[i] = {float(i), float(i * i % 17), float(i % 5 + 1)};
  std::vector<float> force(Bodies);
#ifdef _OPENMP
  Body *bs = b.data();
  float *fs = force.data();
#pragma omp target teams distribute parallel for map(to : bs[ : Bodies])       \
    map(from : fs[ : Bodies])
  for (std::size_t i = 0; i < Bodies; ++i)
    fs[i] = pull(bs, Bodies, i);
#else
  xcc::parallel_for(
      Bodies, [&](std::size_t i) { force[i] = pull(b.data(), Bodies, i); });
  xcc::synchronize();
#endif
  print(force);
}
