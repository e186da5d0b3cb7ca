// Accelerations of bodies
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All pairs. The reciprocal square root is written as plain C++ has it, as a
// division by a square root.

#include "../suite.h"
#include <cmath>

static __global__ void nbodyKernel(int n, const suite::Body *__restrict bodies,
                                   suite::Body *__restrict acceleration) {
  __shared__ suite::Body tile[suite::BodyThreads];
  int t = threadIdx.x;
  int i = blockIdx.x * suite::BodyThreads + t;
  suite::Body self = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += suite::BodyThreads) {
    tile[t] = bodies[first + t];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < suite::BodyThreads; ++j) {
      float dx = tile[j].x - self.x;
      float dy = tile[j].y - self.y;
      float dz = tile[j].z - self.z;
      float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float inverse = 1.0f / std::sqrt(r2);
      float w = tile[j].mass * inverse * inverse * inverse;
      ax += dx * w;
      ay += dy * w;
      az += dz * w;
    }
    __syncthreads();
  }
  acceleration[i] = {ax, ay, az, 0};
}

void suite::nbody(int n, const Body *bodies, Body *acceleration) {
  nbodyKernel<<<n / BodyThreads, BodyThreads>>>(n, bodies, acceleration);
}
