// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#define CUDA_CHECK(call)                                                       \
  do {                                                                         \
    cudaError_t status_ = call;                                                \
    if (status_ != cudaSuccess) {                                              \
      fprintf(stderr, "CUDA error (%s:%d): %s:%s\n", __FILE__, __LINE__,       \
              cudaGetErrorName(status_), cudaGetErrorString(status_));         \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
inline cudaError_t checkCuda(cudaError_t result) {
#if defined(DEBUG) || defined(_DEBUG)
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    assert(result == cudaSuccess);
  }
#endif
  return result;
}
__global__ void kernel(float *a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = (float)i, s = sinf(x), c = cosf(x);
  a[i] = a[i] + sqrtf(s * s + c * c);
}
struct Work {
  int *flag;
  int id;
};
void CUDART_CB done(cudaStream_t stream, cudaError_t status, void *data) {
  Work *w = (Work *)data;
  if (status == cudaSuccess)
    w->flag[w->id] = 1;
}
void CUDART_CB hostFn(void *data) { *(int *)data += 1; }
bool streams() {
  const int blockSize = 256, nStreams = 4, n = 16 * blockSize * nStreams,
            streamSize = n / nStreams, streamBytes = streamSize * sizeof(float),
            bytes = n * sizeof(float);
  int devId = 0;
  cudaDeviceProp prop;
  checkCuda(cudaGetDeviceProperties(&prop, devId));
  checkCuda(cudaSetDevice(devId));
  float *a, *d_a;
  checkCuda(cudaMallocHost((void **)&a, bytes));
  checkCuda(cudaMalloc((void **)&d_a, bytes));
  cudaEvent_t startEvent, stopEvent, dummyEvent;
  cudaStream_t stream[nStreams];
  checkCuda(cudaEventCreate(&startEvent));
  checkCuda(cudaEventCreate(&stopEvent));
  checkCuda(cudaEventCreateWithFlags(&dummyEvent, cudaEventDisableTiming |
                                                      cudaEventBlockingSync));
  for (int i = 0; i < nStreams; ++i)
    checkCuda(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
  memset(a, 0, bytes);
  int flags[nStreams] = {}, calls = 0;
  Work work[nStreams];
  checkCuda(cudaEventRecord(startEvent, 0));
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes,
                              cudaMemcpyHostToDevice, stream[i]));
    kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
    checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes,
                              cudaMemcpyDeviceToHost, stream[i]));
    work[i] = {flags, i};
    CUDA_CHECK(cudaStreamAddCallback(stream[i], done, &work[i], 0));
    CUDA_CHECK(cudaLaunchHostFunc(stream[0], hostFn, &calls));
    CUDA_CHECK(cudaEventRecordWithFlags(dummyEvent, stream[i],
                                        cudaEventRecordDefault));
    CUDA_CHECK(cudaStreamWaitEvent(stream[(i + 1) % nStreams], dummyEvent, 0));
  }
  for (int i = 0; i < nStreams; ++i) {
    while (cudaStreamQuery(stream[i]) == cudaErrorNotReady)
      ;
    CUDA_CHECK(cudaStreamSynchronize(stream[i]));
  }
  checkCuda(cudaEventRecord(stopEvent, 0));
  checkCuda(cudaEventSynchronize(stopEvent));
  float ms;
  checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
  bool good = true;

  for (int i = 0; i < n; ++i)
    good &= fabsf(a[i] - 1) < 1e-5f;
  for (int f : flags)
    good &= f;

  good &= strcmp(cudaGetErrorName(cudaErrorInvalidValue),
                 "cudaErrorInvalidValue") == 0;
  size_t lim;
  CUDA_CHECK(cudaDeviceGetLimit(&lim, cudaLimitMallocHeapSize));

  good = good && calls == nStreams;
  for (auto &s : stream)
    cudaStreamDestroy(s);
  cudaFreeHost(a);
  cudaFree(d_a);
  cudaEventDestroy(startEvent);
  return good;
}
