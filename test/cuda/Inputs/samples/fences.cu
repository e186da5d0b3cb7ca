// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>
__device__ unsigned int retirementCount = 0;
__device__ volatile int lock_ = 0;
__device__ int mutex = 0;
cudaError_t setRetirementCount(int retCnt) {
  return cudaMemcpyToSymbol(retirementCount, &retCnt, sizeof(unsigned int), 0,
                            cudaMemcpyHostToDevice);
}
template <unsigned int blockSize>
__device__ void reduceBlock(volatile float *sdata, float mySum,
                            const unsigned int tid) {
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned s = blockSize / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] = mySum = mySum + sdata[tid + s];
    __syncthreads();
  }
}
template <unsigned int blockSize>
__global__ void reduceSinglePass(const float *g_idata, float *g_odata,
                                 unsigned int n) {
  extern __shared__ float smem[];
  unsigned tid = threadIdx.x;
  float s = 0;
  for (unsigned i = blockIdx.x * blockSize + tid; i < n;
       i += blockSize * gridDim.x)
    s += g_idata[i];
  reduceBlock<blockSize>(smem, s, tid);
  if (tid == 0)
    g_odata[blockIdx.x] = smem[0];
  if (gridDim.x > 1) {
    __shared__ bool amLast;
    __threadfence();
    if (tid == 0) {
      unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
      amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
      int i = tid;
      float mySum = 0.f;
      while (i < gridDim.x) {
        mySum += ((volatile float *)g_odata)[i];
        i += blockSize;
      }
      reduceBlock<blockSize>(smem, mySum, tid);
      if (tid == 0) {
        g_odata[0] = smem[0];
        retirementCount = 0;
      }
    }
  }
}
__global__ void locked(int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&mutex, 0, 1) != 0)
      __nanosleep(20);
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch(&mutex, 0);
  }
}
__global__ void misc(long long *t, int *o) {
  long long a = clock64();
  clock_t c = clock();
  int *p = new int[4];
  for (int i = 0; i < 4; ++i)
    p[i] = i + threadIdx.x;
  o[threadIdx.x] = p[3];
  delete[] p;
  char *m = (char *)malloc(16);
  m[0] = 1;
  o[threadIdx.x] += m[0];
  free(m);
  t[threadIdx.x] = clock64() - a + (c - c);
  assert(o[threadIdx.x] > 0);
  if (threadIdx.x == 0)
    printf("hello from %d\n", blockIdx.x);
}
bool fences() {
  const int n = 5000;
  float *in, *out;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&out, 64 * 4);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += in[i] = i % 3;
  setRetirementCount(0);
  reduceSinglePass<128><<<16, 128, 128 * 4>>>(in, out, n);
  cudaDeviceSynchronize();
  bool good = out[0] == s;
  int *k;
  cudaMallocManaged(&k, 64);
  k[0] = 0;
  locked<<<20, 32>>>(k);
  cudaDeviceSynchronize();
  good &= k[0] == 190;
  long long *t;
  cudaMallocManaged(&t, 64);
  misc<<<1, 4>>>(t, k);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    good &= k[i] == i + 4 && t[i] >= 0;
  return good;
}
