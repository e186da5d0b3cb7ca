// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
typedef unsigned int uint;
#define SHARED_SIZE_LIMIT 256U
__device__ inline void Comparator(uint &keyA, uint &valA, uint &keyB,
                                  uint &valB, uint dir) {
  uint t;
  if ((keyA > keyB) == dir) {
    t = keyA;
    keyA = keyB;
    keyB = t;
    t = valA;
    valA = valB;
    valB = t;
  }
}
__global__ void bitonicSortShared(uint *d_DstKey, uint *d_DstVal,
                                  uint *d_SrcKey, uint *d_SrcVal,
                                  uint arrayLength, uint dir) {
  __shared__ uint s_key[SHARED_SIZE_LIMIT];
  __shared__ uint s_val[SHARED_SIZE_LIMIT];
  d_SrcKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_SrcVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstKey += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  d_DstVal += blockIdx.x * SHARED_SIZE_LIMIT + threadIdx.x;
  s_key[threadIdx.x + 0] = d_SrcKey[0];
  s_val[threadIdx.x + 0] = d_SrcVal[0];
  s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] =
      d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
  s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)] =
      d_SrcVal[(SHARED_SIZE_LIMIT / 2)];
  for (uint size = 2; size < arrayLength; size <<= 1) {
    uint ddd = dir ^ ((threadIdx.x & (size / 2)) != 0);
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride],
                 s_val[pos + stride], ddd);
    }
  }
  for (uint stride = arrayLength / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride],
               s_val[pos + stride], dir);
  }
  __syncthreads();
  d_DstKey[0] = s_key[threadIdx.x + 0];
  d_DstVal[0] = s_val[threadIdx.x + 0];
  d_DstKey[(SHARED_SIZE_LIMIT / 2)] =
      s_key[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
  d_DstVal[(SHARED_SIZE_LIMIT / 2)] =
      s_val[threadIdx.x + (SHARED_SIZE_LIMIT / 2)];
}
__global__ void warpvotes(const int *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffff, i < n);
  if (i < n) {
    unsigned b = __ballot_sync(mask, in[i] & 1);
    int any = __any_sync(mask, in[i] > 90), all = __all_sync(mask, in[i] >= 0);
    unsigned same = __match_any_sync(mask, in[i] % 3);
    unsigned r = __reduce_add_sync(mask, (unsigned)in[i]);
    out[i] = __popc(b) + 100 * any + 1000 * all + 10000 * __popc(same & 3) +
             (r & 1) * 100000 + __dp4a(0x01020304, 0x01010101, 0) * 0 +
             (__byte_perm(0x03020100, 0x07060504, 0x0123) != 0x00010203) * 7;
  }
}
__device__ __forceinline__ float warp_reduce_max(float v) {
  for (int m = 16; m > 0; m >>= 1)
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, m, 32));
  return v;
}
__global__ void softmax(const float *x, float *y, int n) {
  int lane = threadIdx.x & 31,
      row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  x += row * n;
  y += row * n;
  float m = -INFINITY;
  for (int i = lane; i < n; i += 32)
    m = fmaxf(m, x[i]);
  m = warp_reduce_max(m);
  float s = 0;
  for (int i = lane; i < n; i += 32)
    s += __expf(x[i] - m);
  for (int o = 16; o; o >>= 1)
    s += __shfl_down_sync(~0u, s, o);
  s = __shfl_sync(~0u, s, 0);
  for (int i = lane; i < n; i += 32)
    y[i] = __fdividef(__expf(x[i] - m), s);
}
// A program's own function around a shuffle, of a value that one lane has set.
template <class T> __device__ T from_lane(T value, int lane) {
  return __shfl_sync(__activemask(), value, lane);
}
__global__ void take_places(int *taken, int *count) {
  if (threadIdx.x % 5 == 0)
    return;
  const unsigned here = __activemask();
  const int lane = threadIdx.x % 32, leader = __ffs(here) - 1;
  int first;
  if (lane == leader)
    first = atomicAdd(count, __popc(here));
  first = from_lane(first, leader);
  atomicAdd(taken + first + __popc(here & ((1u << lane) - 1)), 1);
}

bool warps() {
  const uint n = 512;
  uint *k, *v, *ok, *ov;
  cudaMallocManaged(&k, n * 4);
  cudaMallocManaged(&v, n * 4);
  cudaMallocManaged(&ok, n * 4);
  cudaMallocManaged(&ov, n * 4);
  for (uint i = 0; i < n; ++i) {
    k[i] = i * 2654435761u >> 16;
    v[i] = i;
  }
  bitonicSortShared<<<2, 128>>>(ok, ov, k, v, 256, 1);
  cudaDeviceSynchronize();
  bool good = true;
  for (uint i = 0; i < n; ++i) {
    good &= (i % 256 == 0 || ok[i - 1] <= ok[i]) && k[ov[i]] == ok[i];
  }
  int *in;
  unsigned *out;
  cudaMallocManaged(&in, 400);
  cudaMallocManaged(&out, 400);
  for (int i = 0; i < 100; ++i)
    in[i] = i;
  warpvotes<<<1, 128>>>(in, out, 100);
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; ++i) {
    int w = i / 32, lo = 32 * w, hi = std::min(100, lo + 32), odd = 0, any = 0,
        sum = 0;
    for (int j = lo; j < hi; ++j) {
      odd += j & 1;
      any |= j > 90;
      sum += j;
    }
    int same = (lo % 3 == i % 3) + ((lo + 1) % 3 == i % 3);
    unsigned want = odd + 100 * any + 1000 + 10000 * same + (sum & 1) * 100000;
    if (out[i] != want) {
      good = false;
      printf("%d: %u not %u\n", i, out[i], want);
      break;
    }
  }
  int *taken;
  cudaMallocManaged(&taken, 4 * 128);
  cudaMemset(taken, 0, 4 * 128);
  take_places<<<1, 64>>>(taken, taken + 127);
  cudaDeviceSynchronize();
  good &= taken[127] == 51;
  for (int i = 0; i < 51; ++i)
    good &= taken[i] == 1;
  float *x, *y;
  cudaMallocManaged(&x, 4 * 100 * 4);
  cudaMallocManaged(&y, 4 * 100 * 4);
  for (int i = 0; i < 400; ++i)
    x[i] = (i % 17) * 0.3f;
  softmax<<<2, 64>>>(x, y, 100);
  cudaDeviceSynchronize();
  for (int r = 0; r < 4; ++r) {
    float s = 0;
    for (int i = 0; i < 100; ++i)
      s += y[r * 100 + i];
    good &= fabsf(s - 1) < 1e-4f;
  }
  return good;
}
