// Names of threads that a program uses for its own variables, statuses as numbers and conditions, headers that come with CUDA's,
// casts with directions, integers in a word, operations of warps without _sync, clusters.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <xcc/cuda.h>
#include <xcc/cuda/half.h>
#include <xcc/hip.h> // goes with it

struct shape {
  dim3 gridDim, blockDim; // a member's name
};

struct results {
  unsigned word[12];
  float number[18];
  double wide[4];
  int integer[4];
};

template <class Type> __host__ __device__ bool same(const Type &a, const Type &b) { return memcmp(&a, &b, sizeof a) == 0; }

__host__ __device__ void compute(results *r, unsigned s) {
  const unsigned t = s * 2654435761u ^ 0x80ff7f01u;
  r->word[0] = __vadd4(s, t), r->word[1] = __vsub2(s, t), r->word[2] = __vaddss4(s, t), r->word[3] = __vsubus2(s, t);
  r->word[4] = __vabsdiffu4(s, t), r->word[5] = __vmins2(s, t), r->word[6] = __vcmpgtu4(s, t), r->word[7] = __vsetles2(s, t);
  r->word[8] = __vsadu4(s, t), r->word[9] = __vavgu4(s, t), r->word[10] = __vabsss4(t), r->word[11] = __vnegss2(t);
  const long long l = (long long)((unsigned long long)s << 32 | t) * (s & 1 ? 1 : -1);
  r->number[0] = __int2float_rz(int(t)), r->number[1] = __int2float_rd(int(t)), r->number[2] = __int2float_ru(int(t)), r->number[3] = __int2float_rn(int(t));
  r->number[4] = __ll2float_rz(l), r->number[5] = __ll2float_rd(l), r->number[6] = __ll2float_ru(l), r->number[7] = __uint2float_ru(t);
  const double d = __hiloint2double(int(0x3fe00000 + (s & 0xfffff)), int(t)) * (s & 2 ? -1 : 1);
  r->number[8] = __double2float_rz(d), r->number[9] = __double2float_rd(d), r->number[10] = __double2float_ru(d), r->number[11] = __double2float_rn(d);
  r->number[12] = __double2float_rz(1e300), r->number[13] = __double2float_ru(1e-300), r->number[14] = __fmul_rn(float(s), 1.1f) + 1;
  r->number[15] = __fadd_rn(float(s), 0.1f);
  r->number[17] = __hsub_rn(__half(2), __half(float(s % 7)));
  r->number[16] = __hadd_rn(__hmul_rn(__half(float(s % 1000) / 37), __half(1.1f)), __half(0.3f)); // rounded twice
  r->wide[0] = __ll2double_rz(l), r->wide[1] = __ll2double_ru(l), r->wide[2] = __ull2double_rd((unsigned long long)l), r->wide[3] = __drcp_rn(d);
  r->integer[0] = __double2hiint(d), r->integer[1] = __double2loint(d), r->integer[2] = __dp4a(int(s), int(t), -7), r->integer[3] = int(__dp4a(s, t, 7u));
}

__global__ void kernel(results *out, int *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  compute(&out[i], i * 77773u + 5);
  const uint3 here = threadIdx;
  const dim3 size = blockDim;
  auto lane = threadIdx.x % warpSize;
  int sum = int(here.x + size.y + lane * 0);
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_xor(sum, k);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum + (__all(1) && __any(1) ? 0 : 1000) + INT_MAX % 2;
  __cluster_barrier_arrive(), __cluster_barrier_wait();
  if (threadIdx.x == 0) // each block is a cluster of its own
    sums[blockIdx.x] += int(__clusterSizeInBlocks() - 1 + __clusterIdx().x - blockIdx.x + __clusterGridDimInClusters().x - 2);
  atomicAdd_system(&sums[2], 1);
}

int main() {
  dim3 gridDim(2), blockDim(32); // local variables
  shape both = {gridDim, blockDim};
  const int n = 64;
  static results host[n], device[n], *d;
  int *sums, back[3] = {};
  int status = cudaMalloc(&d, sizeof device);
  if (cudaMalloc(&sums, sizeof back) || cudaMemset(sums, 0, sizeof back))
    return 1;
  xcc::cuda::launch(kernel, both.gridDim, both.blockDim)(d, sums);
  if (cudaError_t error = cudaDeviceSynchronize())
    return error;
  cudaMemcpy(device, d, sizeof device, cudaMemcpyDeviceToHost);
  cudaMemcpy(back, sums, sizeof back, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (unsigned i = 0; i < n; ++i)
    compute(&host[i], i * 77773u + 5), wrong += !same(host[i], device[i]);
  printf("%d %d: %d %d %d\n", status, wrong, back[0], back[1], back[2]); // CHECK: 0 0: 529 529 64
  // CHECK: 16777216 16777216 16777218 -16777218 3.40282e+38 1.4013e-45
  printf("%.8g %.8g %.8g %.8g %g %g\n", __int2float_rz(16777217), __int2float_rd(16777217), __int2float_ru(16777217),
         __int2float_rd(-16777217), __double2float_rz(1e300), __double2float_ru(1e-300));
  // CHECK: 00ff7f00 ff00ff00 7f80 3 fe
  printf("%08x %08x %x %x %x\n", __vadd4(0x01fe7f01, 0xff0100ff), __vcmpgtu4(0x02010300, 0x01020200), __vaddss2(0x7000, 0x0f80), __vsadu2(0x00010005, 0x00020003), __vmaxu4(0x7f, 0xfe));
  struct cudaDeviceProp known;
  cudaError last = cudaGetDeviceProperties(&known, 0);
  assert(known.warpSize > 0 && last == cudaSuccess);
  cudaFree(d), cudaFree(sums);
}
