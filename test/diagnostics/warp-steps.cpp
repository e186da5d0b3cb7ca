// Lanes that exchange values through memory of the block without a barrier: a warning where that is certain.
// RUN: %xcc -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %xcc -fsyntax-only -Wno-offload-race %s 2>&1 | count 0
// RUN: %not %xcc -fsyntax-only -Werror=offload-race %s 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: warp-steps.cpp:{{[0-9]+}}:{{[0-9]+}}: error: what another thread of the warp writes to 'sums'
#include <xcc/cuda.h>

// The end of many an old reduction.
__global__ void old(float *x) {
  __shared__ float sums[256];
  const unsigned thread = threadIdx.x;
  sums[thread] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (thread < 32) {
    sums[thread] += sums[thread + 32];
    // CHECK: warp-steps.cpp:[[# @LINE + 2]]:{{[0-9]+}}: warning: what another thread of the warp writes to 'sums' is read without a barrier between: lanes do not run in step; write __syncwarp() before [-Woffload-race]
    // CHECK: warp-steps.cpp:[[# @LINE - 2]]:{{[0-9]+}}: note: it is written here
    sums[thread] += sums[thread + 16];
    sums[thread] += sums[thread + 8];
  }
  x[blockIdx.x] = sums[0];
}
// The same in a function of its own.
template <unsigned Size>
__device__ void last_warp(volatile int *sums, unsigned thread) {
  if (Size >= 64)
    sums[thread] += sums[thread + 32];
  if (Size >= 32)
    sums[thread] += sums[thread + 16];
  // CHECK: warp-steps.cpp:[[# @LINE + 2]]:{{[0-9]+}}: warning: what another thread of the warp writes to 'sums'
  if (Size >= 16)
    sums[thread] += sums[thread + 8];
}
__global__ void helped(int *x) {
  __shared__ int sums[64];
  sums[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32)
    last_warp<64>(sums, threadIdx.x);
  x[0] = sums[0];
}
// A neighbour's value.
__global__ void shift(int *x) {
  __shared__ int row[33];
  row[threadIdx.x + 1] = x[threadIdx.x];
  // CHECK: warp-steps.cpp:[[# @LINE + 1]]:{{[0-9]+}}: warning: what another thread of the warp writes to 'row'
  x[threadIdx.x] = row[threadIdx.x];
}

// No warnings: barriers, one thread, threads of other warps, elements of one's own.
__global__ void right(int *x, int n) {
  __shared__ int sums[256];
  const unsigned thread = threadIdx.x;
  int lane = threadIdx.x % 32;
  sums[thread] = x[thread];
  sums[thread] += 1;
  __syncthreads();
  if (thread < 32) {
    sums[thread] += sums[thread + 32];
    __syncwarp();
    sums[thread] += sums[thread + 16];
    __syncwarp();
    if (thread < 4)
      sums[thread] += sums[thread + 4];
  }
  __syncthreads();
  if (thread == 0) {
    sums[thread] = 1;
    x[0] = sums[thread + 1];
  }
  if (lane == 0) {
    sums[thread] = 2;
    x[1] = sums[thread + 1];
  }
  if (n > 3)
    sums[thread] = 3;
  else
    x[2] = sums[thread + 1];
  for (int i = 0; i < n; ++i) {
    x[i] = sums[thread + 1];
    __syncthreads();
    sums[thread] = i;
    __syncthreads();
  }
}
__global__ void own(int *x, int n) {
  int mine[8];
  int thread = threadIdx.x;
  for (int i = 1; i < 8; ++i)
    mine[i] = mine[i - 1] + n;
  x[thread] = mine[7];
  n = x[thread + 1];
}

void run(float *x, int *y) {
  xcc::cuda::launch(old, 1, 256)(x);
  xcc::cuda::launch(helped, 1, 64)(y);
  xcc::cuda::launch(shift, 1, 32)(y);
  xcc::cuda::launch(right, 1, 256)(y, 3);
  xcc::cuda::launch(own, 1, 32)(y, 3);
}
