// GSL in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <gsl/gsl>
int main() {
  both("span", std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}, [](int *p) {
    gsl::span<int> s(p, 8);
    for (int &x : s.subspan(2, 3))
      x *= 3;
    gsl::not_null<int *> q = p;
    *q = gsl::narrow<short>(s[4]);
    p[1] = gsl::at(s, 5) + gsl::narrow_cast<int>(3.9);
    auto last = gsl::finally([p] { p[7] += 100; });
    Expects(s.size() == 8);
  });
}
