// PCG in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <pcg_random.hpp>
#include <random>
int main() {
  both("numbers", std::vector<double>(16, 3), [](double *p) {
    pcg32 r(42u, 54u);
    pcg64 l(7u);
    for (int i = 0; i < 6; ++i)
      p[i] = r();
    for (int i = 6; i < 9; ++i)
      p[i] = double(l());
    std::uniform_int_distribution<int> u(1, 6);
    p[9] = u(r);
    r.advance(1000000);
    p[10] = r();
    p[11] = std::normal_distribution<double>(0, 1)(l);
    pcg32_k64 k(3u);
    p[12] = k();
  });
}
