// Atomic operations on global and shared memory.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/cuda.h>

__global__ void histogram(const unsigned char *text, unsigned *bins, int n) {
  __shared__ unsigned local[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[text[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    atomicAdd(&bins[i], local[i]);
}

struct all {
  int add, sub, min, max, cas, exch;
  unsigned inc, dec, bits_and, bits_or, bits_xor;
  float f, fmax;
  double d;
  unsigned long long ull;
};
__global__ void atomics(all *a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&a->add, t);
  atomicSub(&a->sub, 2);
  atomicMin(&a->min, -t);
  atomicMax(&a->max, t);
  atomicExch(&a->exch, 5);
  atomicInc(&a->inc, 9);
  atomicDec(&a->dec, 9);
  atomicAnd(&a->bits_and, ~(1u << (t & 31)));
  atomicOr(&a->bits_or, 1u << (t & 31));
  atomicXor(&a->bits_xor, t);
  atomicAdd(&a->f, 0.5f);
  atomicMax(&a->fmax, float(t));
  atomicAdd(&a->d, 0.25);
  atomicAdd(&a->ull, 1ull << 33);
  atomicAdd_block(&a->ull, 1);
  int old = a->cas, assumed;
  do {
    assumed = old;
    old = atomicCAS(&a->cas, assumed, assumed + 3);
  } while (old != assumed);
}

int main() {
  const int n = 4000;
  std::vector<unsigned char> text(n);
  unsigned expected[64] = {}, bins[64];
  for (int i = 0; i < n; ++i)
    ++expected[text[i] = (i * i + i / 7) % 64];
  unsigned char *dtext;
  unsigned *dbins;
  cudaMalloc(&dtext, n);
  cudaMalloc(&dbins, sizeof bins);
  cudaMemcpy(dtext, text.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dbins, 0, sizeof bins);
  xcc::cuda::launch(histogram, 4, 64)(dtext, dbins, n);
  cudaMemcpy(bins, dbins, sizeof bins, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 64; ++i)
    good &= bins[i] == expected[i];
  printf("histogram %s\n", good ? "good" : "bad"); // CHECK: histogram good

  all host = {}, *device;
  host.bits_and = ~0u;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  xcc::cuda::launch(atomics, 2, 48)(device); // 96 threads
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  // CHECK: 4560 -192 -95 95 288 5
  printf("%d %d %d %d %d %d\n", host.add, host.sub, host.min, host.max, host.cas, host.exch);
  // CHECK: 6 4 0 ffffffff 0
  printf("%u %u %x %x %u\n", host.inc, host.dec, host.bits_and, host.bits_or, host.bits_xor);
  // CHECK: 48 95 24 824633720928
  printf("%g %g %g %llu\n", host.f, host.fmax, host.d, host.ull);
  cudaFree(dtext), cudaFree(dbins), cudaFree(device);
}
