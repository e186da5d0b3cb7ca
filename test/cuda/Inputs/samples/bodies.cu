// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <math.h>
#include <math_constants.h>
#include <stdio.h>
template <typename T> struct vec3 {
  typedef float Type;
};
template <> struct vec3<float> {
  typedef float3 Type;
};
template <> struct vec3<double> {
  typedef double3 Type;
};
template <typename T> struct vec4 {
  typedef float Type;
};
template <> struct vec4<float> {
  typedef float4 Type;
};
template <> struct vec4<double> {
  typedef double4 Type;
};
__constant__ float softeningSquared;
__constant__ double softeningSquared_fp64;
template <typename T> __device__ T getSofteningSquared() {
  return softeningSquared;
}
template <> __device__ double getSofteningSquared<double>() {
  return softeningSquared_fp64;
}
template <typename T> __device__ T rsqrt_T(T x) { return rsqrt(x); }
template <> __device__ float rsqrt_T<float>(float x) { return rsqrtf(x); }
template <typename T>
__device__ __noinline__ typename vec3<T>::Type
bodyBodyInteraction(typename vec3<T>::Type ai, typename vec4<T>::Type bi,
                    typename vec4<T>::Type bj) {
  typename vec3<T>::Type r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  T distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
  distSqr += getSofteningSquared<T>();
  T invDist = rsqrt_T(distSqr), invDistCube = invDist * invDist * invDist,
    s = bj.w * invDistCube;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}
template <typename T> struct SharedMem {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <typename T>
__global__ void __launch_bounds__(64)
    integrate(typename vec4<T>::Type *__restrict__ out,
              const typename vec4<T>::Type *__restrict__ in, int n) {
  typename vec4<T>::Type *sharedPos = SharedMem<typename vec4<T>::Type>();
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  typename vec4<T>::Type pos = in[index];
  typename vec3<T>::Type acc = {0.0f, 0.0f, 0.0f};
  for (int tile = 0; tile < n / blockDim.x; tile++) {
    sharedPos[threadIdx.x] = in[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (unsigned int counter = 0; counter < blockDim.x; counter++)
      acc = bodyBodyInteraction<T>(acc, pos, sharedPos[counter]);
    __syncthreads();
  }
  out[index].x = acc.x;
  out[index].y = acc.y;
  out[index].z = acc.z;
  out[index].w = CUDART_PI_F;
}
template <typename T> bool run() {
  typedef typename vec4<T>::Type V;
  const int n = 128;
  V *in, *out;
  cudaMallocManaged(&in, n * sizeof(V));
  cudaMallocManaged(&out, n * sizeof(V));
  for (int i = 0; i < n; ++i) {
    in[i].x = i % 7;
    in[i].y = i % 5;
    in[i].z = i % 3;
    in[i].w = 1;
  }
  integrate<T><<<n / 64, 64, 64 * sizeof(V)>>>(out, in, n);
  cudaDeviceSynchronize();
  bool good = true;
  for (int i = 0; i < n; ++i) {
    double a = 0;
    for (int j = 0; j < n; ++j) {
      double x = in[j].x - in[i].x, y = in[j].y - in[i].y,
             z = in[j].z - in[i].z;
      a += x / pow(x * x + y * y + z * z + 0.01, 1.5);
    }
    good &= fabs(a - out[i].x) < 1e-2;
  }
  return good;
}
__global__ void setup_kernel(curandState *state, unsigned long long seed) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  curand_init(seed, id, 0, &state[id]);
}
__global__ void generate(curandState *state, int n, unsigned *result) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned count = 0;
  curandState local = state[id];
  for (int i = 0; i < n; i++) {
    float x = curand_uniform(&local), y = curand_uniform(&local);
    if (x * x + y * y <= 1.0f)
      ++count;
  }
  state[id] = local;
  atomicAdd(result, count);
}
__global__ void complexes(cuFloatComplex *a, cuDoubleComplex *b) {
  a[threadIdx.x] = cuCmulf(a[threadIdx.x], make_cuFloatComplex(0, 1));
  b[threadIdx.x] = cuCadd(b[threadIdx.x], cuConj(b[threadIdx.x]));
}
bool bodies() {
  float s = 0.01f;
  double sd = 0.01;
  cudaMemcpyToSymbol(softeningSquared, &s, sizeof(float), 0,
                     cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(softeningSquared_fp64, &sd, sizeof(double));
  curandState *st;
  unsigned *r;
  cudaMalloc((void **)&st, 64 * sizeof(curandState));
  cudaMallocManaged(&r, 4);
  *r = 0;
  setup_kernel<<<1, 64>>>(st, 1234);
  generate<<<1, 64>>>(st, 100, r);
  cudaDeviceSynchronize();
  double pi = 4.0 * *r / 6400;
  cuFloatComplex *a;
  cuDoubleComplex *b;
  cudaMallocManaged(&a, 8);
  cudaMallocManaged(&b, 16);
  *a = make_cuFloatComplex(1, 2);
  *b = make_cuDoubleComplex(3, 4);
  complexes<<<1, 1>>>(a, b);
  cudaDeviceSynchronize();
  bool good = run<float>() && run<double>() && fabs(pi - 3.14) < 0.1 &&
              cuCrealf(*a) == -2 && cuCimagf(*a) == 1 && cuCreal(*b) == 6 &&
              cuCabs(make_cuDoubleComplex(3, 4)) == 5;
  return good;
}
