// Areas of shapes, through their tables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../suite.h"

struct Shape {
  __device__ virtual float area(float x) const = 0;
};
struct Square : Shape {
  __device__ float area(float x) const override { return x * x; }
};
struct Circle : Shape {
  __device__ float area(float x) const override { return 3.14159265f * x * x; }
};
struct Triangle : Shape {
  __device__ float area(float x) const override { return 0.4330127f * x * x; }
};

static __global__ void virtualCallsKernel(int n, const int *kind,
                                          const float *size, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Square square;
  Circle circle;
  Triangle triangle;
  const Shape *shapes[] = {&square, &circle, &triangle};
  out[i] = shapes[kind[i] % 3u]->area(size[i]);
}

void suite::virtualCalls(int n, const int *kind, const float *size,
                         float *out) {
  virtualCallsKernel<<<dim3((n + 255) / 256), dim3(256)>>>(n, kind, size, out);
}
