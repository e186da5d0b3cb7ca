// libcu++: cuda::std, atomic objects with a scope, a block's barrier, copies that are waited for there, pipelines, and
// spans in C++17; latches; nvstd::function.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/cuda/cooperative_groups.h>
#include <xcc/cuda/toolkit/cuda/atomic>
#include <xcc/cuda/toolkit/cuda/barrier>
#include <xcc/cuda/toolkit/cuda/latch>
#include <xcc/cuda/toolkit/cuda/pipeline>
#include <xcc/cuda/toolkit/cuda/std/array>
#include <xcc/cuda/toolkit/cuda/std/span>
#include <xcc/cuda/toolkit/nvfunctional>
namespace cg = cooperative_groups;

__global__ void count(const int *in, int *total, float *sum, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> hits;
  __shared__ int tile[64];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) {
    init(&barrier, block.size());
    hits = 0;
  }
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, barrier);
  barrier.arrive_and_wait();
  hits.fetch_add(tile[63 - threadIdx.x], cuda::std::memory_order_relaxed);
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  cuda::atomic_ref<int, cuda::thread_scope_device> all(*total);
  if (threadIdx.x == 0)
    all += hits.load();
  cuda::atomic_ref<int> most(total[1]);
  most.fetch_max(int(threadIdx.x));
  cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.5f);
  const cuda::std::array<int, 3> row{1, 2, 3};
  const nvstd::function<int(int)> element = [&](int at) { return row[at]; };
  out[threadIdx.x] = element(threadIdx.x % 3);
}

// Sums rows of 64, of which the next is copied while one is read.
__global__ void rows(cuda::std::span<const int> in, cuda::std::span<int> sums) {
  constexpr unsigned Width = 64, Stages = 2;
  __shared__ int tile[Stages][Width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  auto copy = [&](unsigned row) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[row % Stages],
                       in.subspan(row * Width).data(), Width * sizeof(int),
                       pipe);
    pipe.producer_commit();
  };
  copy(0);
  for (unsigned row = 0; row != sums.size(); ++row) {
    if (row + 1 != sums.size())
      copy(row + 1);
    pipe.consumer_wait();
    if (threadIdx.x == row)
      for (int value : cuda::std::span(tile[row % Stages]))
        sums[row] += value;
    pipe.consumer_release();
  }
}

// Threads that wait until all have come.
__global__ void waits(int *out) {
  __shared__ cuda::latch<cuda::thread_scope_block> all;
  if (threadIdx.x == 0)
    init(&all, blockDim.x);
  __syncthreads();
  out[threadIdx.x] = threadIdx.x;
  all.arrive_and_wait();
  atomicAdd(&out[64], out[63 - threadIdx.x]);
  atomicAdd(&out[65], all.try_wait());
}

int main() {
  int *in, *total, *out;
  float *sum;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&total, 2 * sizeof(int));
  cudaMallocManaged(&sum, sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int at = 0; at < 64; ++at)
    in[at] = at;
  total[0] = total[1] = 0;
  *sum = 0;
  ::xcc::cuda::configure(2, 64), count(in, total, sum, out);
  int *many, *sums;
  cudaMallocManaged(&many, 640 * sizeof(int));
  cudaMallocManaged(&sums, 10 * sizeof(int));
  for (int at = 0; at < 640; ++at) {
    many[at] = at;
    sums[at / 64] = 0;
  }
  ::xcc::cuda::configure(1, 64),
      rows(cuda::std::span<int>(many, 640), {sums, 10});
  int *waited;
  cudaMallocManaged(&waited, 66 * sizeof(int));
  waited[64] = waited[65] = 0;
  ::xcc::cuda::configure(1, 64), waits(waited);
  const cudaError_t failed = cudaDeviceSynchronize();
  std::printf("%d %d\n", waited[64], waited[65]); // CHECK: 2016 64
  std::printf("%d %d\n", sums[0], sums[9]); // CHECK: 2016 38880
  std::printf("%d %d %g %d, %s\n", total[0], total[1], double(*sum), out[5],
              cudaGetErrorName(failed)); // CHECK: 4032 63 64 3, cudaSuccess
}
