// Occupancy, attributes of kernels and devices, peers, advice, symbols in stream order and callbacks.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/cuda.h>
__constant__ int factor[4];
template <class T> __global__ void scale(T *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= factor[i % 4];
}
__global__ void expect(int a, int b) { assert(a == b); }
int main() {
  int grid = 0, block = 0, most = 0, n = 100;
  cudaFuncAttributes known;
  cudaDeviceProp device;
  printf("%d", cudaGetDeviceProperties(&device, 0));
  printf("%d", cudaFuncSetCacheConfig(scale<int>, cudaFuncCachePreferL1));
  printf("%d", cudaFuncSetAttribute(scale<int>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    4096));
  printf("%d",
         cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale<int>, 0, 128));
  printf("%d", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, scale<int>,
                                                             block, 0));
  printf("%d", cudaFuncGetAttributes(&known, scale<int>));
  printf(" %d %d %d\n", grid > 0, block > 0 && block <= 128, most > 0);
  // CHECK: 000000 1 1 1
  int *host, *p, values[4] = {1, 2, 3, 4}, back[4] = {};
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&p, host, 0);
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMemcpyToSymbolAsync(factor, values, sizeof values, 0,
                          cudaMemcpyHostToDevice, stream);
  xcc::cuda::launch(scale<int>, 1, block, 0, stream)(p, n);
  cudaMemcpyFromSymbolAsync(back, factor, sizeof back, 0,
                            cudaMemcpyDeviceToHost, stream);
  int called = 0;
  cudaStreamAddCallback(
      stream,
      [](cudaStream_t, cudaError_t, void *to) { *static_cast<int *>(to) = 7; },
      &called, 0);
  cudaStreamSynchronize(stream);
  printf("%d %d %d %d\n", host[7], host[10], back[3], called);
  // CHECK: 28 30 4 7
  int can = 5;
  cudaDeviceCanAccessPeer(&can, 0, 0);
  printf("%d %d %d\n", can, cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, 0),
         device.maxThreadsPerMultiProcessor > 0);
  // CHECK: 0 0 1
  cudaFreeHost(host);
  // Shared memory that depends on the block, also where only few threads fit.
  const auto shared = [](int threads) { return threads * sizeof(int); };
  const auto much = [](int threads) { return threads > 64 ? 1u << 30 : 4u; };
  printf("%d", cudaOccupancyMaxPotentialBlockSizeVariableSMem(
                   &grid, &block, scale<int>, shared));
  printf(" %d %d ", grid > 0, block > 0 && block % 32 == 0);
  printf("%d", cudaOccupancyMaxPotentialBlockSizeVariableSMem(
                   &grid, &block, scale<int>, much));
  printf(" %d ", block);
  printf("%d\n", cudaOccupancyMaxPotentialBlockSizeVariableSMem(
                     &grid, &block, scale<int>,
                     [](int) { return std::size_t(1) << 40; }) ==
                     cudaErrorInvalidConfiguration);
  // CHECK: 0 1 1 0 64 1
  cudaEvent_t event;
  printf("%d", cudaEventCreate(&event, cudaEventDisableTiming));
  printf("%d", cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2));
  printf(" %d %d\n", device.maxTexture2D[1], device.maxTexture3D[2]);
  // CHECK: 00 65536 16384
  cudaEventDestroy(event);
  // Last: the device is of no more use.
  xcc::cuda::launch(expect, 1, 1, 0, stream)(2, 3);
  const cudaError_t failed = cudaStreamSynchronize(stream);
  printf("%s: %s\n", cudaGetErrorName(failed), cudaGetErrorString(failed));
  // CHECK: cudaErrorAssert: kernel 'expect' {{.*}}assertion failed: a == b
  cudaStreamDestroy(stream);
}
