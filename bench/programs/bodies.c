// Planets: floating point in a loop that nothing vectorises well
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <math.h>
#include <stdio.h>

static double p[5][3] = {{0, 0, 0},
                         {4.8, -1.2, -0.1},
                         {8.3, 4.1, -0.4},
                         {12.9, -15.1, -0.2},
                         {15.4, -25.9, 0.2}};
static double v[5][3] = {
    {0, 0, 0}, {0.6, 2.8, 0}, {-1.0, 1.8, 0}, {1.1, 0.9, 0}, {1.0, 0.6, 0}};
static const double m[5] = {39.5, 0.04, 0.01, 0.002, 0.002};

int main(void) {
  for (int step = 0; step < 3000000; ++step) {
    for (int i = 0; i < 5; ++i)
      for (int j = i + 1; j < 5; ++j) {
        double d[3], square = 0;
        for (int k = 0; k < 3; ++k) {
          d[k] = p[i][k] - p[j][k];
          square += d[k] * d[k];
        }
        double force = 0.001 / (square * sqrt(square));
        for (int k = 0; k < 3; ++k) {
          v[i][k] -= d[k] * m[j] * force;
          v[j][k] += d[k] * m[i] * force;
        }
      }
    for (int i = 0; i < 5; ++i)
      for (int k = 0; k < 3; ++k)
        p[i][k] += 0.001 * v[i][k];
  }
  printf("%.9f\n", p[4][0]);
  return 0;
}
