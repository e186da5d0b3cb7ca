// Streams and events: copies and kernels in order, and the default stream, which
// waits for the others and they for it.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <thread>
#include <xcc/cuda.h>

__global__ void add(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += value;
}
__global__ void twice(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}

int main() {
  const int n = 1024, parts = 4, part = n / parts;
  int *host, *device;
  cudaMallocHost(&host, n * sizeof(int));
  cudaMalloc(&device, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaStream_t streams[parts];
  cudaEvent_t start, stop, ready;
  cudaEventCreate(&start), cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  for (auto &s : streams)
    cudaStreamCreate(&s);
  cudaEventRecord(start, 0);
  for (int i = 0; i < parts; ++i) {
    int *h = host + i * part, *d = device + i * part;
    cudaMemcpyAsync(d, h, part * sizeof(int), cudaMemcpyHostToDevice, streams[i]);
    xcc::cuda::launch(add, part / 128, 128, 0, streams[i])(d, part, 10);
    cudaMemcpyAsync(h, d, part * sizeof(int), cudaMemcpyDeviceToHost, streams[i]);
  }
  cudaEventRecord(stop, 0);
  cudaEventSynchronize(stop); // of the default stream, behind all others
  bool good = true;
  for (int i = 0; i < n; ++i)
    good &= host[i] == i + 10;
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  printf("parts %s, time %d\n", good ? "good" : "bad", ms >= 0); // CHECK: parts good, time 1

  // stream 0, the default stream, stream 1; then an event between two.
  cudaMemsetAsync(device, 0, n * sizeof(int), streams[0]);
  xcc::cuda::launch(add, n / 256, 256, 0, streams[0])(device, n, 1);
  xcc::cuda::launch(twice, n / 256, 256)(device, n);
  xcc::cuda::launch(add, n / 256, 256, 0, streams[1])(device, n, 5);
  cudaEventRecord(ready, streams[1]);
  cudaStreamWaitEvent(streams[2], ready, 0);
  xcc::cuda::launch(twice, n / 256, 256, 0, streams[2])(device, n);
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, streams[2]);
  cudaStreamSynchronize(streams[2]);
  printf("%d %d\n", host[0], host[n - 1]); // CHECK: 14 14
  printf("%d %d\n", cudaStreamQuery(streams[2]) == cudaSuccess, cudaEventQuery(ready) == cudaSuccess); // CHECK: 1 1

  cudaStream_t apart;
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  int *scratch;
  cudaMallocAsync(&scratch, n * sizeof(int), apart);
  cudaMemcpyAsync(scratch, host, n * sizeof(int), cudaMemcpyHostToDevice, apart);
  xcc::cuda::launch(twice, n / 256, 256, 0, apart)(scratch, n);
  cudaMemcpyAsync(host, scratch, n * sizeof(int), cudaMemcpyDeviceToHost, apart);
  cudaFreeAsync(scratch, apart);
  cudaStreamDestroy(apart);
  printf("%d\n", host[7]); // CHECK: 28

  int calls = 0;
  cudaLaunchHostFunc(streams[0], [](void *data) { ++*static_cast<int *>(data); }, &calls);
  cudaStreamSynchronize(streams[0]);
  std::size_t available = 0, total = 0;
  cudaMemGetInfo(&available, &total);
  printf("%d %d\n", calls, available && available <= total); // CHECK: 1 1

  // Each thread has a stream of its own.
  cudaStream_t theirs = nullptr;
  std::thread([&] {
    theirs = cudaStreamPerThread;
    xcc::cuda::launch(twice, n / 256, 256, 0, cudaStreamPerThread)(device, n);
    calls = cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess && theirs == cudaStreamPerThread;
  }).join();
  printf("%d %d\n", calls, theirs != cudaStreamLegacy); // CHECK: 1 1

  for (auto &s : streams)
    cudaStreamDestroy(s);
  cudaEventDestroy(start), cudaEventDestroy(stop), cudaEventDestroy(ready);
  cudaFreeHost(host), cudaFree(device);
  printf("%s\n", cudaGetErrorString(cudaGetLastError())); // CHECK: success
}
