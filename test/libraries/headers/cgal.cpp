// CGAL, Simple_cartesian in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <CGAL/Simple_cartesian.h>
#include <CGAL/convex_hull_2.h>
int main() {
  both("hull", std::vector<double>(64, 0), [](double *p) {
    using K = CGAL::Simple_cartesian<double>;
    K::Point_2 in[20], out[20];
    for (int i = 0; i < 20; ++i)
      in[i] = {double(i * 37 % 19), double(i * i % 17)};
    auto e = CGAL::convex_hull_2(in, in + 20, out);
    int n = 0;
    for (auto *i = out; i != e; ++i) {
      p[n++] = i->x();
      p[n++] = i->y();
    }
    p[60] = CGAL::squared_distance(K::Segment_2(in[0], in[1]), in[5]);
  });
}
