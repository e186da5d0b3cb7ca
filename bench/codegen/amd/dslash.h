// A sparse product of small complex matrices, as lattice QCD has them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BENCH_CODEGEN_AMD_DSLASH_H
#define BENCH_CODEGEN_AMD_DSLASH_H

struct Complex {
  float re, im;
};
struct Matrix {
  Complex e[3][3];
};
struct Vector {
  Complex c[3];
};

/// One site: matrices of four directions and of the sites behind it, times the
/// vectors of the sites on both sides.
DEVICE inline void dslashSite(int site, int n, const int *neighbours,
                              const Matrix *links, const Vector *in,
                              Vector *out) {
  Complex sum[3] = {};
  for (int mu = 0; mu < 4; ++mu) {
    const int to = neighbours[2 * mu * n + site],
              from = neighbours[(2 * mu + 1) * n + site];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Complex a = links[site * 4 + mu].e[i][j], x = in[to].c[j];
        const Complex b = links[from * 4 + mu].e[j][i], y = in[from].c[j];
        sum[i].re += a.re * x.re - a.im * x.im - b.re * y.re - b.im * y.im;
        sum[i].im += a.re * x.im + a.im * x.re - b.re * y.im + b.im * y.re;
      }
  }
  for (int i = 0; i < 3; ++i)
    out[site].c[i] = sum[i];
}

/// A table of polynomials, each evaluated at its thread's place: sixteen steps
/// that are independent of each other.
DEVICE inline void gatherSite(int site, int n, const int *neighbours,
                              const Vector *in, Vector *out) {
  Vector sum = {};
  for (int k = 0; k < 16; ++k) {
    const Vector v = in[neighbours[k * n + site]];
    for (int i = 0; i < 3; ++i) {
      sum.c[i].re += v.c[i].re * v.c[(i + 1) % 3].im;
      sum.c[i].im += v.c[i].im * v.c[(i + 2) % 3].re;
    }
  }
  out[site] = sum;
}

#endif // BENCH_CODEGEN_AMD_DSLASH_H
