// A product of matrices by tiles in shared memory, and a transposition; each
// with its tile as a variable, in a template, and as what the launch asks for.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/cuda.h>

#define TILE 8

__global__ void matmul(const float *A, const float *B, float *C, int n) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + 1], unused;
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

template <typename T, int N>
__device__ T *staging() {
  static __shared__ T tile[N * (N + 1)];
  return tile;
}
template <typename T, int N> __global__ void transpose(const T *in, T *out, int n) {
  T *tile = staging<T, N>();
  int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
  tile[threadIdx.y * (N + 1) + threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * N + threadIdx.x, y = blockIdx.x * N + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x * (N + 1) + threadIdx.y];
}

extern __shared__ int at_namespace_scope[];
__shared__ int offset;
__global__ void reverse(int *line, int n) {
  extern __shared__ int values[];
  if (threadIdx.x == 0)
    offset = n - 1;
  values[threadIdx.x] = line[threadIdx.x];
  __syncthreads();
  line[threadIdx.x] =
      at_namespace_scope[offset - threadIdx.x] + (&values[0] == at_namespace_scope);
}
// Its address alone, with another type, in a branch.
struct pair { short a, b; };
__global__ void dynamic(int *out, bool which) {
  extern __shared__ pair pairs[];
  pair *p = which ? pairs + 1 : pairs;
  if (threadIdx.x < 2)
    pairs[threadIdx.x] = {short(threadIdx.x + 5), 7};
  __syncthreads();
  if (threadIdx.x == 0)
    *out = p->a * 10 + p->b;
}

int main() {
  const int n = 3 * TILE;
  std::vector<float> A(n * n), B(n * n), C(n * n), T(n * n);
  for (int i = 0; i < n * n; ++i)
    A[i] = i % 7 - 3, B[i] = i % 5 - 1;
  float *dA, *dB, *dC;
  cudaMalloc(&dA, A.size() * sizeof(float));
  cudaMalloc(&dB, A.size() * sizeof(float));
  cudaMalloc(&dC, A.size() * sizeof(float));
  cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, B.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
  xcc::cuda::launch(matmul, dim3(n / TILE, n / TILE), dim3(TILE, TILE))(dA, dB, dC, n);
  cudaMemcpy(C.data(), dC, A.size() * sizeof(float), cudaMemcpyDeviceToHost);
  xcc::cuda::launch(transpose<float, TILE>, dim3(n / TILE, n / TILE), dim3(TILE, TILE))(dC, dA, n);
  cudaMemcpy(T.data(), dA, A.size() * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true, turned = true;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += A[i * n + k] * B[k * n + j];
      good &= C[i * n + j] == sum;
      turned &= T[j * n + i] == sum;
    }
  // CHECK: product good, transposition good
  printf("product %s, transposition %s\n", good ? "good" : "bad", turned ? "good" : "bad");

  int line[40], *dline;
  for (int i = 0; i < 40; ++i)
    line[i] = i * i;
  cudaMalloc(&dline, sizeof line);
  cudaMemcpy(dline, line, sizeof line, cudaMemcpyHostToDevice);
  xcc::cuda::launch(reverse, 1, 40, sizeof line)(dline, 40);
  cudaMemcpy(line, dline, sizeof line, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", line[0], line[1], line[39]); // CHECK: 1522 1445 1
  xcc::cuda::launch(dynamic, 1, 32, 2 * sizeof(pair))(dline, true);
  cudaMemcpy(line, dline, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", line[0]); // CHECK: 67
  cudaFree(dA), cudaFree(dB), cudaFree(dC), cudaFree(dline);
  printf("%s\n", cudaGetErrorString(cudaGetLastError())); // CHECK: success
}
