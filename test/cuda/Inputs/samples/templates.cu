// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>
template <typename F> __global__ void forall_kernel(F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}
template <typename F> void forall(int n, F f) {
  forall_kernel<<<(n + 127) / 128, 128>>>(f, n);
}
template <typename T, typename... Args>
__global__ void construct(T *p, Args... args) {
  new (p + threadIdx.x) T(args...);
}
struct P {
  int a;
  float b;
  __host__ __device__ P(int x, float y) : a(x + threadIdx.x), b(y) {}
};
struct saxpy_functor {
  const float a;
  saxpy_functor(float _a) : a(_a) {}
  __host__ __device__ float operator()(const float &x, const float &y) const {
    return a * x + y;
  }
};
template <class Op>
__global__ void zip(Op op, const float *x, const float *y, float *z) {
  z[threadIdx.x] = op(x[threadIdx.x], y[threadIdx.x]);
}
template <int N> struct Fact {
  enum { value = N * Fact<N - 1>::value };
};
template <> struct Fact<0> {
  enum { value = 1 };
};
template <int... I>
__global__ void seq(int *o, std::integer_sequence<int, I...>) {
  int v[] = {I...};
  o[threadIdx.x] = v[threadIdx.x] * Fact<4>::value;
}
constexpr __host__ __device__ int sq(int x) { return x * x; }
bool templates() {
  const int n = 300;
  float *x, *y, *z;
  cudaMallocManaged(&x, n * 4);
  cudaMallocManaged(&y, n * 4);
  cudaMallocManaged(&z, n * 4);
  float k = 3;
  forall(n, [=] __device__(int i) {
    x[i] = i;
    y[i] = k * i;
  });
  forall(n, [=] __host__ __device__(int i) mutable { z[i] = x[i] + sq(2); });
  cudaDeviceSynchronize();
  bool good = true;
  for (int i = 0; i < n; ++i)
    good &= y[i] == 3 * i && z[i] == i + 4;
  zip<<<1, 64>>>(saxpy_functor(2), x, y, z);
  P *p;
  cudaMallocManaged(&p, 8 * sizeof(P));
  construct<<<1, 8>>>(p, 5, 2.5f);
  int *o;
  cudaMallocManaged(&o, 16);
  seq<<<1, 3>>>(o, std::integer_sequence<int, 7, 8, 9>{});
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    good &= z[i] == 5 * i;
  for (int i = 0; i < 8; ++i)
    good &= p[i].a == 5 + i && p[i].b == 2.5f;
  for (int i = 0; i < 3; ++i)
    good &= o[i] == (7 + i) * 24;
  return good;
}
