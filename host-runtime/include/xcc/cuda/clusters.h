// CUDA's functions of clusters: each block is one of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch that asks for larger clusters is an error (launches.h). CUDA gives a
// kernel without clusters the same answers.

#ifndef XCC_CUDA_CLUSTERS_H
#define XCC_CUDA_CLUSTERS_H

#include <xcc/cuda/threads.h>
#include <xcc/cuda/vectors.h>
#include <xcc/cuda/words.h>

#ifdef __XCC__ // elsewhere blockIdx is a macro
inline unsigned __clusterDimIsSpecified() { return 0; }
inline dim3 __clusterDim() { return dim3(1, 1, 1); }
inline dim3 __clusterRelativeBlockIdx() { return dim3(0, 0, 0); }
inline dim3 __clusterGridDimInClusters() {
  return dim3(gridDim.x, gridDim.y, gridDim.z);
}
inline dim3 __clusterIdx() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
inline unsigned __clusterRelativeBlockRank() { return 0; }
inline unsigned __clusterSizeInBlocks() { return 1; }
/// Threads wait in __cluster_barrier_wait for those that have arrived.
inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_arrive_relaxed() {}
[[clang::convergent]] inline void __cluster_barrier_wait() { __syncthreads(); }
inline void __threadfence_cluster() { __threadfence(); }
/// The block's own shared memory, whose rank is 0.
inline void *__cluster_map_shared_rank(const void *memory, unsigned) {
  return const_cast<void *>(memory);
}
inline unsigned __cluster_query_shared_rank(const void *) { return 0; }
#endif

#endif // XCC_CUDA_CLUSTERS_H
