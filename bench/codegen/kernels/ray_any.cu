// Whether a ray meets any sphere
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rays.h"

static __global__ void rayAnyKernel(int n, int balls, float reach,
                                    const suite::Ball *__restrict ball,
                                    const suite::Ray *__restrict ray,
                                    unsigned char *__restrict hit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  suite::Ray r = ray[i];
  bool any = false;
  for (int k = 0; k < balls; ++k)
    if (suite::hits(ball[k], r.ox, r.oy, r.oz, r.dx, r.dy, r.dz, reach)) {
      any = true;
      break;
    }
  hit[i] = any;
}

void suite::rayAny(int n, int balls, float reach, const Ball *ball,
                   const Ray *ray, unsigned char *hit) {
  rayAnyKernel<<<(n + 255) / 256, 256>>>(n, balls, reach, ball, ray, hit);
}
