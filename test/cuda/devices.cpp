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
