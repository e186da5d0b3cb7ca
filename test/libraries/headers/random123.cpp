// Random123 in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <Random123/ars.h>
#include <Random123/boxmuller.hpp>
#include <Random123/philox.h>
#include <Random123/threefry.h>
#include <Random123/uniform.hpp>
int main() {
  both("numbers", std::vector<double>(16, 0), [](double *p) {
    r123::Philox4x32 f;
    r123::Philox4x32::ctr_type c = {{1, 2, 3, 4}};
    r123::Philox4x32::key_type k = {{5, 6}};
    auto r = f(c, k);
    for (int i = 0; i < 4; ++i)
      p[i] = r[i];
    r123::Threefry2x64 t;
    auto s = t({{1, 2}}, {{3, 4}});
    p[4] = double(s[0]);
    p[5] = double(s[1]);
    p[6] = r123::u01<double>(r[0]);
    auto b = r123::boxmuller(r[0], r[1]);
    p[7] = b.x;
    r123::Philox2x64 h;
    auto u = h({{1, 2}}, {{3}});
    p[8] = double(u[0]);
  });
}
