// Prefix sums of tiles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four elements in each thread; shuffles within warps, shared memory among
// them.

#include "../suite.h"

static __device__ int warpScan(int v) {
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int below = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d)
      v += below;
  }
  return v;
}

static __global__ void scanKernel(const int *__restrict in, int *__restrict out,
                                  int *__restrict totals) {
  __shared__ int warps[suite::ScanThreads / 32];
  int t = threadIdx.x;
  int first = blockIdx.x * suite::ScanTile + t * suite::ScanEach;

  int v[suite::ScanEach];
  int sum = 0;
#pragma unroll
  for (int k = 0; k < suite::ScanEach; ++k)
    v[k] = sum += in[first + k];

  int upTo = warpScan(sum);
  if (t % 32 == 31)
    warps[t / 32] = upTo;
  __syncthreads();
  if (t < 32) {
    int w = warpScan(t < suite::ScanThreads / 32 ? warps[t] : 0);
    if (t < suite::ScanThreads / 32)
      warps[t] = w;
  }
  __syncthreads();

  int before = upTo - sum + (t < 32 ? 0 : warps[t / 32 - 1]);
#pragma unroll
  for (int k = 0; k < suite::ScanEach; ++k)
    out[first + k] = before + v[k];
  if (t == suite::ScanThreads - 1)
    totals[blockIdx.x] = before + sum;
}

void suite::scan(int n, const int *in, int *out, int *totals) {
  scanKernel<<<n / ScanTile, ScanThreads>>>(in, out, totals);
}
