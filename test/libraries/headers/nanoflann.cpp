// nanoflann in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#include <nanoflann.hpp>
struct cloud {
  const double *p;
  std::size_t n;
  std::size_t kdtree_get_point_count() const { return n; }
  double kdtree_get_pt(std::size_t i, std::size_t d) const {
    return p[3 * i + d];
  }
  template <class B> bool kdtree_get_bbox(B &) const { return false; }
};
int main() {
  both("nearest", std::vector<double>(320, 0), [](double *p) {
    for (int i = 0; i < 300; ++i)
      p[i] = i * 7919 % 997 / 10.;
    cloud c{p, 100};
    nanoflann::KDTreeSingleIndexAdaptor<
        nanoflann::L2_Simple_Adaptor<double, cloud>, cloud, 3>
        tree(3, c, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    tree.buildIndex();
    double q[3] = {50, 40, 30}, d[4];
    unsigned k[4];
    std::size_t n = tree.knnSearch(q, 4, k, d);
    for (std::size_t i = 0; i < n; ++i) {
      p[300 + i] = k[i];
      p[304 + i] = d[i];
    }
  });
}
