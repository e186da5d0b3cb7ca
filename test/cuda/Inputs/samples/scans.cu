// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
template <typename T, int B>
__global__ void prescan(T *g_odata, const T *g_idata, const int n) {
  __shared__ T temp[2 * B + 2 * B / NUM_BANKS];
  int thid = threadIdx.x, offset = 1, ai = thid, bi = thid + (n / 2);
  int bankOffsetA = CONFLICT_FREE_OFFSET(ai),
      bankOffsetB = CONFLICT_FREE_OFFSET(bi);
  temp[ai + bankOffsetA] = g_idata[ai];
  temp[bi + bankOffsetB] = g_idata[bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += CONFLICT_FREE_OFFSET(a);
      b += CONFLICT_FREE_OFFSET(b);
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (thid == 0)
    temp[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
      a += CONFLICT_FREE_OFFSET(a);
      b += CONFLICT_FREE_OFFSET(b);
      T t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  g_odata[ai] = temp[ai + bankOffsetA];
  g_odata[bi] = temp[bi + bankOffsetB];
}
__global__ void shfl_scan(int *data, int width, int *partial_sums = NULL) {
  extern __shared__ int sums[];
  int id = ((blockIdx.x * blockDim.x) + threadIdx.x), lane_id = id % warpSize,
      warp_id = threadIdx.x / warpSize;
  int value = data[id];
#pragma unroll
  for (int i = 1; i <= width; i *= 2) {
    unsigned int mask = 0xffffffff;
    int n = __shfl_up_sync(mask, value, i, width);
    if (lane_id >= i)
      value += n;
  }
  if (threadIdx.x % warpSize == warpSize - 1)
    sums[warp_id] = value;
  __syncthreads();
  if (warp_id == 0 && lane_id < (blockDim.x / warpSize)) {
    int warp_sum = sums[lane_id];
    int mask = (1 << (blockDim.x / warpSize)) - 1;
    for (int i = 1; i <= (blockDim.x / warpSize); i *= 2) {
      int n = __shfl_up_sync(mask, warp_sum, i, (blockDim.x / warpSize));
      if (lane_id >= i)
        warp_sum += n;
    }
    sums[lane_id] = warp_sum;
  }
  __syncthreads();
  int blockSum = 0;
  if (warp_id > 0)
    blockSum = sums[warp_id - 1];
  value += blockSum;
  data[id] = value;
  if (partial_sums != NULL && threadIdx.x == blockDim.x - 1)
    partial_sums[blockIdx.x] = value;
}
bool scans() {
  const int n = 512;
  float *in, *out;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&out, n * 4);
  for (int i = 0; i < n; ++i)
    in[i] = i % 10;
  prescan<float, 256><<<1, n / 2>>>(out, in, n);
  cudaDeviceSynchronize();
  bool good = true;
  float s = 0;
  for (int i = 0; i < n; ++i) {
    good &= out[i] == s;
    s += in[i];
  }
  int *d, *p;
  cudaMallocManaged(&d, n * 4);
  cudaMallocManaged(&p, 8);
  for (int i = 0; i < n; ++i)
    d[i] = i % 7;
  shfl_scan<<<2, 256, 8 * sizeof(int)>>>(d, 32, p);
  cudaDeviceSynchronize();
  int t = 0;
  for (int i = 0; i < n; ++i) {
    if (i == 256) {
      good &= p[0] == t;
      t = 0;
    }
    t += i % 7;
    good &= d[i] == t;
  }
  return good;
}
