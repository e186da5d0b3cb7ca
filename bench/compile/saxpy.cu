// saxpy.cpp in CUDA, for compile times.
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  if (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n)
    y[i] += a * x[i];
}

int main() {
  int n = 100000;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  float *dx, *dy;
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, dx, dy);
  cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (float v : y)
    if (v != 5.0f)
      return std::printf("wrong: %f\n", v), 1;
  std::puts("right");
}
