// Cooperative groups: blocks, tiles, coalesced lanes, partitions, reductions and scans, and the grid.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/cuda.h>
#include <xcc/cuda/cooperative_groups.h>
namespace cg = cooperative_groups;

template <unsigned Size> __device__ int tile_sum(int value) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  return cg::reduce(tile, value, cg::plus<int>());
}

/// Each thread's answers, a column for each question.
__global__ void ask(int *out) {
  cg::thread_block block = cg::this_thread_block();
  const int rank = block.thread_rank();
  int *mine = out + (blockIdx.x * blockDim.x + rank) * 16;
  auto tile = cg::tiled_partition<8>(block);
  auto half = cg::tiled_partition<4>(tile);
  mine[0] = tile_sum<32>(rank);
  mine[1] = tile_sum<8>(rank);
  mine[2] = tile.shfl(rank, 3);
  mine[3] = tile.shfl_down(rank, 2);
  mine[4] = half.shfl_xor(rank, 1) + 100 * half.thread_rank();
  mine[5] = tile.ballot(rank % 2) + 1000 * tile.any(rank == 9);
  mine[6] = cg::inclusive_scan(tile, 1) * 10 + cg::exclusive_scan(tile, 1);
  mine[7] = tile.meta_group_rank() * 100 + tile.meta_group_size();
  auto same = cg::labeled_partition(tile, rank % 3);
  mine[8] = same.size() * 100 + same.thread_rank();
  mine[9] = cg::reduce(same, rank, cg::greater<int>());
  mine[10] = same.shfl(rank, same.size() - 1);
  mine[11] = 0;
  if (rank % 4 == 1) {
    auto here = cg::coalesced_threads();
    mine[11] = here.size() * 100 + here.thread_rank();
    mine[11] += 1000 * (here.shfl(rank, 1) == 5 || rank >= 32);
  }
  cg::thread_group any = cg::tiled_partition(cg::thread_group(block), 16);
  mine[12] = any.size() * 100 + any.thread_rank();
  __shared__ int copied[4];
  static const int source[4] = {5, 6, 7, 8};
  cg::memcpy_async(block, copied, source, sizeof copied);
  cg::wait(block);
  mine[13] = copied[rank % 4];
  mine[14] = int(cg::this_grid().thread_rank()) + int(cg::this_grid().size());
  block.sync();
}

__global__ void turns(int *cell, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank(), n = grid.size();
  for (int round = 0; round < rounds; ++round) {
    const int next = cell[(i + 1) % n];
    grid.sync();
    cell[i] = next + 1;
    grid.sync();
  }
}

// One lane takes places for all: the others do not set the value that they pass.
__device__ int place_in_group(int *count) {
  auto here = cg::coalesced_threads();
  int first;
  if (here.thread_rank() == 0)
    first = atomicAdd(count, here.size());
  return here.shfl(first, 0) + here.thread_rank();
}
__device__ int place_in_warp(int *count) {
  const unsigned here = __activemask(), lane = threadIdx.x % 32;
  const int leader = __ffs(here) - 1;
  int first;
  if (lane == leader)
    first = atomicAdd(count, __popc(here));
  return __shfl_sync(here, first, leader) + __popc(here & ((1u << lane) - 1));
}
__device__ float of_tile(const float *from) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  float one;
  if (tile.thread_rank() == 3)
    one = from[threadIdx.x];
  return tile.shfl(one, 3);
}
__global__ void places(int *taken, int *count, float *of) {
  const int t = threadIdx.x;
  if (t % 3) {
    atomicAdd(taken + place_in_group(count), 1);
    atomicAdd(taken + 128 + place_in_warp(count + 1), 1);
  }
  of[64 + t] = of_tile(of);
}

int main() {
  const int threads = 64, blocks = 2, n = threads * blocks;
  int *out;
  cudaMallocManaged(&out, n * 16 * sizeof(int));
  xcc::cuda::launch(ask, blocks, threads)(out);
  cudaDeviceSynchronize();
  for (int i : {0, 9, 37, 125}) {
    for (int at = 0; at < 15; ++at)
      printf("%d ", out[i * 16 + at]);
    printf("\n");
  }
  // CHECK: 496 28 3 2 1 170 10 8 300 6 6 0 1600 5 128
  // CHECK: 496 92 11 11 108 1170 21 108 300 15 15 1802 1609 6 137
  // CHECK: 1520 284 35 39 136 170 65 408 201 37 37 1801 1605 6 165
  // CHECK: 1520 476 59 63 160 170 65 708 201 61 61 1807 1613 6 253
  for (int i = 0; i < n; ++i)
    out[i] = i;
  int rounds = 3;
  void *args[] = {&out, &rounds};
  cudaError_t failed =
      cudaLaunchCooperativeKernel(turns, blocks, threads, args);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", int(failed), out[0], out[127]);
  // CHECK: 0 6 5
  float *of;
  cudaMallocManaged(&of, 128 * sizeof(float));
  for (int i = 0; i < 64; ++i)
    of[i] = float(i);
  cudaMemset(out, 0, 260 * sizeof(int));
  xcc::cuda::launch(places, 1, 64)(out, out + 256, of);
  cudaDeviceSynchronize();
  int once = 0;
  for (int i = 0; i < 42; ++i)
    once += out[i] == 1 && out[128 + i] == 1;
  printf("%d %d %d %g %g\n", once, out[256], out[257], of[64 + 15], of[127]);
  // CHECK: 42 42 42 3 51
  cudaFree(of);
  cudaFree(out);
}
