// Sums by warp shuffles, votes, and the barriers that count; segments of a warp.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/cuda.h>

__inline__ __device__ int warpReduceSum(int val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}
__inline__ __device__ int blockReduceSum(int val) {
  static __shared__ int shared[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0)
    shared[wid] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
  if (wid == 0)
    val = warpReduceSum(val);
  return val;
}
__global__ void reduce(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}

__global__ void warps(int *out) {
  int lane = threadIdx.x & 31, sum = lane;
  for (int mask = 16; mask; mask >>= 1)
    sum += __shfl_xor_sync(~0u, sum, mask);
  int prefix = lane;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, prefix, d);
    if (lane >= d)
      prefix += other;
  }
  bool good = sum == 496 && prefix == lane * (lane + 1) / 2;
  good &= __shfl_sync(~0u, lane, 3) == 3;
  good &= __shfl_sync(~0u, lane, 3, 8) == (lane & ~7) + 3;
  good &= __shfl_down_sync(~0u, lane, 2, 4) == ((lane & 3) < 2 ? lane + 2 : lane);
  good &= __shfl_up_sync(~0u, double(lane), 1, 16) == ((lane & 15) ? lane - 1 : lane);
  good &= __ballot_sync(~0u, lane % 3 == 0) == 0x49249249u;
  good &= __ballot_sync(0xff, lane & 1) == 0xaau;
  good &= __any_sync(~0u, lane == 31) && !__any_sync(~0u, lane == 32);
  good &= __all_sync(~0u, lane < 32) && !__all_sync(~0u, lane);
  good &= __activemask() == ~0u;
  good &= __popc(__match_any_sync(~0u, lane / 4)) == 4;
  good &= __reduce_add_sync(~0u, 2) == 64 && __reduce_max_sync(~0u, lane) == 31;
  good &= __reduce_min_sync(0xf0, lane) == 4;
  if (lane < 16)
    good &= __ballot_sync(0xffff, 1) == 0xffffu;
  __syncwarp();
  good &= __syncthreads_count(threadIdx.x % 4 == 0) == int(blockDim.x) / 4;
  good &= __syncthreads_and(1) && !__syncthreads_and(threadIdx.x != 5);
  good &= __syncthreads_or(threadIdx.x == 5) && !__syncthreads_or(0);
  if (!good)
    atomicExch(out, 1 + int(threadIdx.x));
}

int main() {
  const int n = 3000;
  int *in, *out, sum, wrong;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i;
  cudaMemset(out, 0, sizeof(int));
  xcc::cuda::launch(reduce, 3, 128)(in, out, n);
  cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  cudaMemset(out, 0, sizeof(int));
  xcc::cuda::launch(warps, 1, 64)(out);
  cudaMemcpy(&wrong, out, sizeof wrong, cudaMemcpyDeviceToHost);
  printf("%d, wrong %d\n", sum, wrong); // CHECK: 4498500, wrong 0
  cudaFree(in);
  cudaFree(out);
  printf("%s\n", cudaGetErrorString(cudaGetLastError())); // CHECK: success
}
