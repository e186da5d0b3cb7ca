// A Fourier transform of complex numbers, there and back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <math.h>
#include <stdio.h>

typedef struct {
  double re, im;
} number;
static number multiply(number a, number b) { return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static void transform(number *x, int n, int sign) {
  if (n == 1)
    return;
  number even[64], odd[64];
  for (int i = 0; i < n / 2; ++i) {
    even[i] = x[2 * i];
    odd[i] = x[2 * i + 1];
  }
  transform(even, n / 2, sign);
  transform(odd, n / 2, sign);
  for (int i = 0; i < n / 2; ++i) {
    double angle = sign * 2 * 3.14159265358979323846 * i / n;
    number t = multiply((number){cos(angle), sin(angle)}, odd[i]);
    x[i] = (number){even[i].re + t.re, even[i].im + t.im};
    x[i + n / 2] = (number){even[i].re - t.re, even[i].im - t.im};
  }
}

int main(void) {
  number x[64];
  for (int i = 0; i < 64; ++i)
    x[i] = (number){i % 8 < 4, 0};
  transform(x, 64, -1);
  for (int i = 0; i < 64; i += 8)
    printf("%d: %.4f %.4f\n", i, x[i].re + 0.00001, x[i].im + 0.00001);
  transform(x, 64, 1);
  double worst = 0;
  for (int i = 0; i < 64; ++i)
    worst = fmax(worst, fabs(x[i].re / 64 - (i % 8 < 4)));
  printf("%s\n", worst < 1e-12 ? "there and back" : "lost");
  return 0;
}
