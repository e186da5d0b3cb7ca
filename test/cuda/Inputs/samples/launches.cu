// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.cuh"
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void gridsum(const int *in, int n, int *partial, int *out) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ int s;
  if (block.thread_rank() == 0)
    s = 0;
  block.sync();
  for (unsigned i = grid.thread_rank(); i < n; i += grid.size())
    atomicAdd(&s, in[i]);
  block.sync();
  if (block.thread_rank() == 0)
    partial[blockIdx.x] = s;
  grid.sync();
  if (grid.thread_rank() == 0)
    for (unsigned b = 0; b < gridDim.x; ++b)
      *out += partial[b];
}
__global__ void __launch_bounds__(256, 2)
    mm(const float *A, const float *B, float *C, int N) {
  int r = blockIdx.y * blockDim.y + threadIdx.y,
      c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < N && c < N) {
    float v = 0;
    for (int k = 0; k < N; ++k)
      v = fmaf(A[r * N + k], __ldg(&B[k * N + c]), v);
    C[r * N + c] = v;
  }
}
bool launches() {
  int n = 1000, *in, *part, *out;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&part, 256);
  cudaMallocManaged(&out, 4);
  int want = 0;
  for (int i = 0; i < n; ++i)
    want += in[i] = i % 11;
  *out = 0;
  int dev = 0, coop = 0;
  cudaDeviceGetAttribute(&coop, cudaDevAttrCooperativeLaunch, dev);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, gridsum, 64, 0);
  void *args[] = {(void *)&in, (void *)&n, (void *)&part, &out};
  cudaError_t e = cudaLaunchCooperativeKernel((void *)gridsum, dim3(4),
                                              dim3(64), args, 0, 0);
  if (e != cudaSuccess)
    printf("%s\n", cudaGetErrorString(e));
  cudaDeviceSynchronize();
  bool good = *out == want && blocks > 0;
  const int N = 20;
  float *A, *B, *C;
  cudaMallocManaged(&A, N * N * 4);
  cudaMallocManaged(&B, N * N * 4);
  cudaMallocManaged(&C, N * N * 4);
  for (int i = 0; i < N * N; ++i) {
    A[i] = i % 3;
    B[i] = i % 5;
  }
  int minGrid, bs;
  cudaOccupancyMaxPotentialBlockSize(&minGrid, &bs, mm, 0, 0);
  cudaFuncAttributes fa;
  cudaFuncGetAttributes(&fa, mm);
  cudaFuncSetCacheConfig(mm, cudaFuncCachePreferL1);
  cudaFuncSetAttribute(mm, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  int NN = N;
  void *margs[] = {&A, &B, &C, &NN};
  cudaLaunchKernel((const void *)mm, dim3(2, 2), dim3(16, 16), margs, 0, NULL);
  cudaDeviceSynchronize();
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c) {
      float v = 0;
      for (int k = 0; k < N; ++k)
        v += A[r * N + k] * B[k * N + c];
      good &= v == C[r * N + c];
    }
  good &= fa.maxThreadsPerBlock > 0 && bs > 0;
  twice<<<1, N * N>>>(C, N * N);
  cudaDeviceSynchronize();
  good &= helper(C, A, B, N);
  cudaStream_t st;
  cudaStreamCreate(&st);
  cudaGraph_t g;
  cudaGraphExec_t ge;
  cudaStreamBeginCapture(st, cudaStreamCaptureModeGlobal);
  twice<<<1, 256, 0, st>>>(C, 256);
  cudaStreamEndCapture(st, &g);
  cudaGraphInstantiate(&ge, g, NULL, NULL, 0);
  float c0 = C[7];
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(ge, st);
  cudaStreamSynchronize(st);
  good &= C[7] == 8 * c0;
  return good;
}
