// A prefix sum over blocks, in three kernels, with dynamic shared memory.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/cuda.h>

__global__ void scan_blocks(const int *in, int *out, int *sums, int n) {
  extern __shared__ int temp[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  temp[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    int v = t >= offset ? temp[t - offset] : 0;
    __syncthreads();
    temp[t] += v;
    __syncthreads();
  }
  if (i < n)
    out[i] = temp[t];
  if (t == blockDim.x - 1)
    sums[blockIdx.x] = temp[t];
}
__global__ void add_offsets(int *out, const int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += sums[blockIdx.x - 1];
}

int main() {
  const int n = 1000, block = 64, blocks = (n + block - 1) / block;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i % 9 - 2;
  int *din, *dout, *dsums, *total;
  cudaMalloc(&din, n * sizeof(int));
  cudaMalloc(&dout, n * sizeof(int));
  cudaMalloc(&dsums, blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  xcc::cuda::launch(scan_blocks, blocks, block, block * sizeof(int))(din, dout, dsums, n);
  xcc::cuda::launch(scan_blocks, 1, block, block * sizeof(int))(dsums, dsums, total, blocks);
  xcc::cuda::launch(add_offsets, blocks, block)(dout, dsums, n);
  cudaMemcpy(out.data(), dout, n * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  bool good = true;
  for (int i = 0; i < n; ++i)
    good &= out[i] == (sum += in[i]);
  printf("scan %s %s\n", good ? "good" : "bad", cudaGetErrorString(cudaGetLastError())); // CHECK: scan good success
  cudaFree(din), cudaFree(dout), cudaFree(dsums), cudaFree(total);
}
