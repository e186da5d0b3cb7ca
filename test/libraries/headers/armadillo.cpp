// Armadillo, without LAPACK in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_LAPACK
#define ARMA_DONT_USE_BLAS
#include <armadillo>
int main() {
  both("matrices", std::vector<double>(16, 0), [](double *p) {
    arma::mat a(4, 4), b(4, 4);
    for (int i = 0; i < 16; ++i) {
      a(i) = i * 7 % 5;
      b(i) = i % 3 + .5;
    }
    arma::mat c = a * b + 2 * a.t();
    p[0] = arma::accu(c);
    p[1] = arma::trace(c);
    p[2] = c.max();
    arma::vec3 u{1, 2, 3}, v{4, 5, 6};
    p[3] = arma::dot(u, v);
    p[4] = arma::norm(arma::cross(u, v));
    arma::vec s = arma::sort(c.col(1));
    p[5] = s(0);
    p[6] = arma::mean(c.row(2));
    p[7] = arma::accu(arma::exp(a / 10));
  });
}
