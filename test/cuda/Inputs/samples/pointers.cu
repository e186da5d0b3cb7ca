// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
typedef float (*op_t)(float, float);
__device__ float add_op(float a, float b) { return a + b; }
__device__ float mul_op(float a, float b) { return a * b; }
__device__ op_t d_add = add_op;
__device__ op_t d_table[2] = {add_op, mul_op};
__global__ void apply(op_t f, const float *a, float *b, int n) {
  int i = threadIdx.x;
  if (i < n)
    b[i] = f(a[i], 2) + d_table[i & 1](a[i], 3);
}
union Cell {
  unsigned char b[4];
  unsigned u;
  float f;
};
struct __align__(16) Particle {
  float3 p;
  unsigned id;
};
__device__ int managed_count = 5;
class Base {
public:
  __device__ virtual float eval(float) = 0;
  __device__ virtual ~Base() {}
};
class Twice : public Base {
public:
  __device__ float eval(float x) override { return 2 * x; }
};
__global__ void virtuals(float *out) {
  Base *b = new Twice;
  out[threadIdx.x] = b->eval(threadIdx.x);
  delete b;
}
__global__ void cells(Cell *c, Particle *p) {
  c[threadIdx.x].u = 0x3f800000u + (threadIdx.x << 20);
  p[threadIdx.x].id = c[threadIdx.x].b[3];
  atomicAdd(&managed_count, 1);
}
bool pointers() {
  op_t h;
  cudaMemcpyFromSymbol(&h, d_add, sizeof(op_t));
  float *a, *b;
  cudaMallocManaged(&a, 32);
  cudaMallocManaged(&b, 32);
  for (int i = 0; i < 8; ++i)
    a[i] = i;
  apply<<<1, 8>>>(h, a, b, 8);
  cudaDeviceSynchronize();
  bool good = true;
  for (int i = 0; i < 8; ++i)
    good &= b[i] == (i + 2) + (i & 1 ? i * 3 : i + 3);
  virtuals<<<1, 8>>>(b);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    good &= b[i] == 2 * i;
  Cell *c;
  Particle *p;
  cudaMallocManaged(&c, 32);
  cudaMallocManaged(&p, 8 * sizeof *p);
  cells<<<1, 8>>>(c, p);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    good &= p[i].id == 0x3f + ((i * 0x100000 + 0x800000) >> 24);
  int mc;
  cudaMemcpyFromSymbol(&mc, managed_count, 4);
  good &= mc == 13;
  return good;
}
