// A call after xcc::cuda::configure is a launch: with deduced template arguments, overloads, default arguments, pointers to kernels, and in templates.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/cuda.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    if (cudaError_t failed = (call))                                           \
      printf("failed: %d\n", int(failed));                                     \
  } while (0)

template <class T, int Factor = 2> __global__ void scale(T *p, int n, T add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = p[i] * Factor + add;
}
__global__ void set(int *p, int value = 5) { p[threadIdx.x] = value; }
__global__ void set(float *p, double value) { p[threadIdx.x] = value; }
__global__ void copy(int *__restrict__ to, const int *__restrict__ from) {
  to[threadIdx.x] = from ? from[threadIdx.x] : -1;
}
struct pair {
  int a, b;
};
__global__ void sum(int *to, pair of, long more) {
  to[threadIdx.x] = of.a + of.b + more;
}
template <class T> void twice(T *p, int n) {
  xcc::cuda::configure(1, n), scale(p, n, T(1));
  xcc::cuda::configure(1, n), scale<T, 3>(p, n, 0);
}
template <class T> struct holder {
  static __global__ void fill(T *p) { p[threadIdx.x] = T(9); }
  void run(T *p) { xcc::cuda::configure(1, 4), fill(p); }
};

int main() {
  int *p;
  float *f;
  cudaMallocManaged(&p, 4 * sizeof *p);
  cudaMallocManaged(&f, 4 * sizeof *f);
  auto show = [&] {
    cudaDeviceSynchronize();
    printf("%d %d %.1f %.1f\n", p[0], p[3], f[0], f[3]);
  };
  xcc::cuda::configure(1, 4), set(p);
  xcc::cuda::configure(dim3(1), dim3(4), 0, 0), set(f, 2);
  show(); // CHECK: 5 5 2.0 2.0
  xcc::cuda::configure(2, 2), scale(p, 4, 3);
  xcc::cuda::configure(1, 4), scale<float, 3>(f, 4, 1);
  show(); // CHECK: 13 13 7.0 7.0
  twice(p, 4), twice(f, 4);
  show(); // CHECK: 81 81 45.0 45.0
  CHECK((xcc::cuda::configure(1, 4), copy(p, NULL), cudaGetLastError()));
  if (p[0])
    (::xcc::cuda::configure(1, 2), copy(p + 2, 0));
  show(); // CHECK: -1 -1 45.0 45.0
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  xcc::cuda::configure(1, 4, 0, stream), sum(p, {3, 4}, 'a');
  holder<float>().run(f);
  show(); // CHECK: 104 104 9.0 9.0
  for (int i = 0; i < 2; xcc::cuda::configure(1, 4), set(p, i), ++i)
    [&] { xcc::cuda::configure(1, 4), set(f, i + 0.5); }();
  show(); // CHECK: 1 1 1.5 1.5
  xcc::cuda::configure(1, 4096), set(p);
  printf("%d\n", cudaGetLastError() == cudaErrorInvalidConfiguration);
  // CHECK: 1
  cudaStreamDestroy(stream);
  cudaFree(p), cudaFree(f);
}
