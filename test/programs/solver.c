// Linear equations by elimination with pivots, and their residual
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int solve(int n, double *a, double *b) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
        pivot = i;
    if (a[pivot * n + k] == 0)
      return 0;
    for (int j = 0; j < n; ++j) {
      double t = a[k * n + j];
      a[k * n + j] = a[pivot * n + j];
      a[pivot * n + j] = t;
    }
    double t = b[k];
    b[k] = b[pivot];
    b[pivot] = t;
    for (int i = k + 1; i < n; ++i) {
      double f = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; ++j)
        a[i * n + j] -= f * a[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (int i = n; i--;) {
    for (int j = i + 1; j < n; ++j)
      b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
  return 1;
}

int main(void) {
  for (int n = 1; n <= 24; n += 7) {
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * sizeof *b);
    unsigned seed = 17;
    for (int i = 0; i < n * n; ++i) {
      seed = seed * 1664525 + 1013904223;
      a[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
    }
    for (int i = 0; i < n; ++i) {
      b[i] = 0;
      for (int j = 0; j < n; ++j)
        b[i] += a[i * n + j] * (j + 1);
    }
    if (!solve(n, a, b))
      return 1;
    printf("%d:", n);
    for (int i = 0; i < n; ++i)
      printf(" %.6f", b[i]);
    printf("\n");
    free(a);
    free(b);
  }
  double singular[] = {1, 2, 2, 4}, right[] = {1, 2};
  return solve(2, singular, right) ? 1 : 3;
}
