// dragonbox in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <dragonbox-1.1.3/dragonbox/dragonbox.h>
int main() {
  both("decimal",
       std::vector<double>{0.1, 3.14159, 1e300, 5e-324, 0, 0, 0, 0, 0, 0, 0, 0},
       [](double *p) {
         for (int i = 0; i < 4; ++i) {
           auto d = jkj::dragonbox::to_decimal(p[i]);
           p[4 + i] = double(d.significand);
           p[8 + i] = d.exponent;
         }
       });
}
