// The same in HIP's words.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/hip.h>

#define HIP_CHECK(x)                                                           \
  if (hipError_t e = (x); e != hipSuccess) {                                   \
    printf("%s\n", hipGetErrorString(e));                                      \
    return 1;                                                                  \
  }

__device__ int calls;
__global__ void dot(const float *a, const float *b, float *out, int n) {
  __shared__ float partial[64];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += a[i] * b[i];
  for (int d = warpSize / 2; d; d /= 2)
    sum += __shfl_down(sum, d);
  if (__lane_id() == 0)
    partial[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < blockDim.x / warpSize; ++w)
      sum += partial[w];
    atomicAdd(out, sum);
    atomicAdd(&calls, 1);
  }
}
template <typename T, int N> __global__ void votes(T *out) {
  HIP_DYNAMIC_SHARED(T, all)
  all[threadIdx.x] = T(__popcll(__ballot(threadIdx.x % N == 0)));
  __syncthreads();
  out[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x] + T(__any(threadIdx.x == 1)) + T(__all(1)) +
                     T(__shfl(int(threadIdx.x), 2, 4) & 3) + T(__shfl_xor(5, 1)) + T(__shfl_up(1, 1));
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i)
    a[i] = i % 10, b[i] = i % 3;
  float *da, *db, *out, sum = 0;
  HIP_CHECK(hipMalloc(&da, n * sizeof(float)));
  HIP_CHECK(hipMalloc(&db, n * sizeof(float)));
  HIP_CHECK(hipMallocManaged(&out, sizeof(float)));
  HIP_CHECK(hipMemcpy(da, a.data(), n * sizeof(float), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(db, b.data(), n * sizeof(float), hipMemcpyHostToDevice));
  *out = 0;
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  hipLaunchKernelGGL(dot, dim3(2), dim3(128), 0, stream, da, db, out, n);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipStreamSynchronize(stream));
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  int count = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(calls), sizeof count));
  printf("%d %d\n", *out == sum, count); // CHECK: 1 2
  int *values, first[64];
  HIP_CHECK(hipMalloc(&values, sizeof first));
  hipLaunchKernelGGL(HIP_KERNEL_NAME(votes<int, 2>), 1, 64, 64 * sizeof(int), 0, values);
  HIP_CHECK(hipMemcpy(first, values, sizeof first, hipMemcpyDeviceToHost));
  hipDeviceProp_t prop;
  HIP_CHECK(hipGetDeviceProperties(&prop, 0));
  // In the warp of thread 1: its vote, all, lane 2, 5 and 1.
  printf("%d\n", first[0] - prop.warpSize / 2); // CHECK: 10
  HIP_CHECK(hipFree(values));
  HIP_CHECK(hipFree(da));
  HIP_CHECK(hipFree(db));
  HIP_CHECK(hipFree(out));
  HIP_CHECK(hipStreamDestroy(stream));
}
