// What a program asks of devices; errors nobody asked for; structures by value.
// RUN: %xcc -O0 %s -o %t && %t 2>%t.err | FileCheck %s
// RUN: FileCheck --check-prefix=UNASKED %s < %t.err
// UNASKED: xcc: error that the program did not ask for: {{.*}}body
// UNASKED-NEXT: xcc: 2 more followed it, the last one: there is no device 1000
#include <cstdio>
#include <cstring>
#include <xcc/cuda.h>

struct Body {
  float4 position;
  float3 velocity;
};
__global__ void body(Body b, Body *out, dim3 shape) {
  b.position.x += b.velocity.z * shape.y;
  out[threadIdx.x] = b;
}

int main() {
  int count = 0, device = -1, threads = 0;
  cudaDeviceProp prop;
  cudaGetDeviceCount(&count);
  cudaGetDevice(&device);
  cudaGetDeviceProperties(&prop, device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
  // CHECK: 1 0 1 1 1
  printf("%d %d %d %d %d\n", count > 0, device, strlen(prop.name) > 0, prop.multiProcessorCount > 0,
         prop.warpSize % warpSize == 0 && threads == prop.maxThreadsPerBlock && prop.maxGridSize[0] > 1000);
  // Clocks, the stack of threads, which has an upper bound, and errors by name.
  int clock = 0, pools = 0, clusters = -1;
  size_t stack = 0, heap = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device);
  cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, device);
  // CHECK: 1 1 0
  printf("%d %d %d\n", clock > 100000 && clock == prop.clockRate, pools, clusters);
  int failed = cudaDeviceSetLimit(cudaLimitStackSize, 65536) | cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20) |
               cudaDeviceGetLimit(&stack, cudaLimitStackSize) | cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
  const bool refused = cudaDeviceSetLimit(cudaLimitStackSize, size_t(1) << 40);
  // CHECK: 0 1 1 1
  printf("%d %d %d %d\n", failed, stack >= 65536, heap == 8 << 20, refused && cudaGetLastError());
  int *managed;
  failed = cudaMallocManaged(&managed, 64, cudaMemAttachHost) |
           cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle) | cudaFree(managed);
  // CHECK: 0 cudaErrorECCUncorrectable cudaErrorInvalidValue
  printf("%d %s %s\n", failed, cudaGetErrorName(cudaErrorECCUncorrectable), cudaGetErrorName(cudaErrorInvalidValue));
  switch (cudaPeekAtLastError()) {
  case cudaErrorInvalidPitchValue:
  case cudaErrorMisalignedAddress:
    puts("not now");
  default:
    break;
  }
  printf("%d\n", cudaSetDevice(1000) == cudaErrorInvalidDevice); // CHECK: 1
  printf("%d\n", cudaGetLastError() != cudaSuccess);             // CHECK: 1
  Body b = {make_float4(1, 2, 3, 4), make_float3(5, 6, 7)}, *d, h;
  cudaMalloc(&d, sizeof b);
  xcc::cuda::launch(body, 1, 1)(b, d, dim3(1, 2));
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h.position.x, h.velocity.y); // CHECK: 15 6
  cudaFree(d);
  // The first of errors that nobody asks for is told, and how many follow it.
  xcc::cuda::launch(body, 1, 5000)(b, d, dim3());
  cudaMemset(nullptr, 0, 8);
  cudaSetDevice(1000);
}
