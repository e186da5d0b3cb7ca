// dlib, matrices in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <dlib/geometry.h>
#include <dlib/matrix.h>
int main() {
  both("matrices", std::vector<double>(16, 0), [](double *p) {
    dlib::matrix<double, 3, 3> m;
    m = 2, 1, 0, 1, 3, 1, 0, 1, 4;
    dlib::matrix<double, 3, 1> v;
    v = 1, 2, 3;
    dlib::matrix<double, 3, 1> r = dlib::inv(m) * v;
    p[0] = r(0);
    p[1] = r(1);
    p[2] = dlib::det(m);
    p[3] = dlib::sum(dlib::trans(m) * m);
    dlib::rectangle a(1, 2, 10, 12);
    p[4] = (double)a.area();
  });
}
