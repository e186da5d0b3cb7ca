// The nearest of some centres
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

static __global__ void kmeansKernel(int points, int features, int clusters,
                                    const float *point, const float *centre,
                                    int *member) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
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
  kmeansKernel<<<dim3((points + 255) / 256), dim3(256)>>>(
      points, features, clusters, point, centre, member);
}
