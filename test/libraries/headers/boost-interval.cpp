// Boost.Interval in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <boost/numeric/interval.hpp>
int main() {
  both("interval", std::vector<double>(8, 3), [](double *p) {
    boost::numeric::interval<double> i(1, 2), j(3, 5);
    auto k = i * j - i;
    p[0] = k.lower();
    p[1] = width(k);
  });
}
