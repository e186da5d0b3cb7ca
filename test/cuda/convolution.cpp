// __constant__ and __device__ variables, with copies by their names.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/cuda.h>

#define RADIUS 2
__constant__ float kernel_weights[2 * RADIUS + 1];
static __constant__ int scale = 1;
__device__ unsigned visited;
__device__ int table[8] = {1, 2, 3, 4};

__global__ void convolve(const float *in, float *out, int w, int h) {
  __shared__ float tile[8][8 + 2 * RADIUS];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int tx = threadIdx.x; tx < 8 + 2 * RADIUS; tx += 8) {
    int sx = min(max(int(blockIdx.x * 8) + tx - RADIUS, 0), w - 1);
    tile[threadIdx.y][tx] = in[min(y, h - 1) * w + sx];
  }
  __syncthreads();
  if (x < w && y < h) {
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; ++k)
      sum += kernel_weights[k] * tile[threadIdx.y][threadIdx.x + k];
    out[y * w + x] = sum * scale;
    atomicAdd(&visited, 1u);
  }
}
__global__ void change() { table[threadIdx.x] += 10 * threadIdx.x; }

int main() {
  const int w = 20, h = 11;
  float weights[5] = {1, 2, 3, 2, 1};
  std::vector<float> in(w * h), out(w * h);
  for (int i = 0; i < w * h; ++i)
    in[i] = i * 7 % 13;
  float *din, *dout;
  size_t pitch;
  cudaMalloc(&din, w * h * sizeof(float));
  cudaMallocPitch(&dout, &pitch, w * sizeof(float), h);
  cudaMemcpy2D(din, w * sizeof(float), in.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  int two = 2;
  cudaMemcpyToSymbol(kernel_weights, weights, sizeof weights);
  cudaMemcpyToSymbol(scale, &two, sizeof two, 0, cudaMemcpyHostToDevice);
  xcc::cuda::launch(convolve, dim3((w + 7) / 8, (h + 7) / 8), dim3(8, 8))(din, dout, w, h);
  cudaMemcpy(out.data(), dout, w * h * sizeof(float), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0;
      for (int k = -2; k <= 2; ++k)
        sum += weights[k + 2] * in[y * w + min(max(x + k, 0), w - 1)];
      good &= out[y * w + x] == 2 * sum;
    }
  unsigned count = 0;
  cudaMemcpyFromSymbol(&count, visited, sizeof count);
  printf("convolution %s, %u\n", good ? "good" : "bad", count); // CHECK: convolution good, 220

  xcc::cuda::launch(change, 1, 8)();
  int values[3], *address;
  cudaMemcpyFromSymbol(values, table, sizeof values, 2 * sizeof(int));
  printf("%d %d %d\n", values[0], values[1], values[2]); // CHECK: 23 34 40
  cudaGetSymbolAddress((void **)&address, table);
  cudaMemcpy(values, address + 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", values[0]); // CHECK: 12
  printf("%d\n", cudaMemcpyToSymbol(table, values, 40) == cudaErrorInvalidValue); // CHECK: 1
  (void)cudaGetLastError();
  cudaFree(din), cudaFree(dout);
  printf("%s\n", cudaGetErrorString(cudaGetLastError())); // CHECK: success
}
