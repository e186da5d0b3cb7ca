// The first program of every introduction, and its errors' texts.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <xcc/cuda.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t err = (call);                                                  \
    if (err != cudaSuccess) {                                                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
              cudaGetErrorString(err));                                        \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)

__global__ void __launch_bounds__(256)
    saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * __ldg(&x[i]) + y[i];
}

template <typename T> __global__ void fill(T *p, T value, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    p[i] = value;
}

int main() {
  const int n = 5000;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i)
    x[i] = i, y[i] = 1;
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CHECK(cudaMalloc((void **)&dy, n * sizeof(float)));
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  dim3 block(256), grid((n + block.x - 1) / block.x);
  xcc::cuda::launch(saxpy, grid, block)(n, 2.0f, dx, dy);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));
  bool good = true;
  for (int i = 0; i < n; ++i)
    good &= y[i] == 2.0f * i + 1;
  printf("saxpy %s\n", good ? "good" : "bad"); // CHECK: saxpy good

  // A template, a shape made of floating point, arguments that are converted.
  xcc::cuda::launch(fill<float>, ceil(n / 300.0), 64)(dx, 3, n);
  CHECK(cudaMemcpy(x.data(), dx, n * sizeof(float), cudaMemcpyDefault));
  good = true;
  for (float v : x)
    good &= v == 3;
  printf("fill %s\n", good ? "good" : "bad"); // CHECK: fill good

  void *args[] = {(void *)&n, nullptr, &dx, &dy};
  float a = -1;
  args[1] = &a;
  CHECK(cudaLaunchKernel(saxpy, grid, block, args));
  CHECK(cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%g %g\n", y[0], y[100]); // CHECK: -2 198

  // A launch that cannot be made is the last error, once.
  xcc::cuda::launch(saxpy, 0, 256)(n, 2.0f, dx, dy);
  cudaError_t failed = cudaGetLastError();
  printf("%d %s\n", failed == cudaErrorInvalidConfiguration,
         cudaGetErrorString(failed));
  // CHECK: 1 {{.*}}saxpy
  printf("%d\n", cudaGetLastError() == cudaSuccess); // CHECK: 1
  printf("%d\n", cudaFree(dx + 1) == cudaErrorInvalidValue); // CHECK: 1
  printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
  // CHECK: was not allocated
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
}
