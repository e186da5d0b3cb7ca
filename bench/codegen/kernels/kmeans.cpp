// The nearest of some centres
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"
#include <xcc/xcc.h>

static void kmeansKernel(int points, int features, int clusters,
                         const float *point, const float *centre, int *member) {
  int i = xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x;
  if (i >= points)
    return;
  int best = 0;
  float least = 3.4e38f;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0;
    for (int f = 0; f < features; ++f) {
      float d = point[f * points + i] - centre[c * features + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  member[i] = best;
}

void suite::kmeans(int points, int features, int clusters, const float *point,
                   const float *centre, int *member) {
  xcc::launch({{(points + 255) / 256}, {256}}, kmeansKernel, points, features,
              clusters, point, centre, member);
}
