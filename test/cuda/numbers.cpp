// Bits, conversions and vector types: the device computes what the host does.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cstring>
#include <xcc/cuda.h>

__host__ __device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

struct results {
  unsigned u[12];
  int i[20];
  unsigned long long l[7];
  float f[12];
  float4 sum;
  double2 d;
  uchar4 c;
};
struct __builtin_align__(16) padded {
  float x, y, z;
};
__host__ __device__ __forceinline__ void compute(results *r, unsigned s) {
  r->u[0] = __popc(s), r->u[1] = __clz(s), r->u[2] = __brev(s), r->u[3] = __ffs(s);
  r->u[4] = __byte_perm(s, ~s, 0x7531), r->u[5] = __funnelshift_l(s, ~s, 5);
  r->u[6] = __umulhi(s, s), r->u[7] = __float_as_uint(float(s)), r->u[8] = __umul24(s, 3);
  r->u[9] = __usad(s, 7, 1), r->u[10] = __funnelshift_r(s, ~s, 35), r->u[11] = __float2uint_rz(-3.5f);
  r->i[0] = __mulhi(int(s), -5), r->i[1] = __mul24(int(s), -3), r->i[2] = __float_as_int(1.5f);
  const float f = float(int(s % 1000) - 500) / 8;
  r->i[3] = __float2int_rn(f), r->i[4] = __float2int_rz(f), r->i[5] = __float2int_rd(f), r->i[6] = __float2int_ru(f);
  r->i[7] = __float2int_rz(3e9f), r->i[8] = __float2int_rz(-3e9f), r->i[9] = __double2int_rn(2.5);
  r->i[10] = min(3, int(s % 7)), r->i[11] = max(-1, 2), r->i[12] = __clz(0), r->i[13] = __ffs(0);
  r->i[14] = __popcll(s * 0x100000001ull), r->i[15] = __clzll(s), r->i[16] = __ffsll(1ll << 40);
  r->i[17] = __float2int_rz(__int_as_float(0x7fc00000)), r->i[18] = int(sizeof(float3)), r->i[19] = int(alignof(int4));
  r->l[0] = __brevll(s), r->l[1] = __umul64hi(~0ull, s), r->l[2] = __mul64hi(-5, 1ll << 62);
  r->l[3] = __double_as_longlong(0.1), r->l[4] = __double2ull_rz(1e30);
  r->l[5] = min(-1l, 5ul + s % 2) + max(3ul, long(s % 5)), r->l[6] = max(-1ll, 5ull) - min(7ull, (long long)(s % 9));
  r->f[0] = rsqrtf(16), r->f[1] = __saturatef(f), r->f[2] = __fdividef(f, 2), r->f[3] = __fmaf_rn(f, 2, 1);
  r->f[4] = __int2float_rn(int(s)), r->f[5] = __uint_as_float(0x40490fdb), r->f[6] = max(f, 1.0f), r->f[7] = min(f, 1.0f);
  r->f[8] = float(__longlong_as_double(0x3ff8000000000000)), r->f[9] = __frcp_rn(4), r->f[10] = __fsqrt_rn(81), r->f[11] = __expf(0);
  r->sum = make_float4(1, 2, 3, 4) + make_float4(f, f, f, f);
  r->d = make_double2(f, s), r->c = make_uchar4(1, 2, 3, s & 0xff);
}
__global__ void on_device(results *out) {
  compute(&out[threadIdx.x], (threadIdx.x + 1) * 2654435761u);
}

int main() {
  const int n = 32;
  static results host[n], device[n], *d;
  cudaMalloc(&d, sizeof device);
  cudaMemset(d, 0, sizeof device);
  memset(host, 0, sizeof host);
  xcc::cuda::launch(on_device, 1, n)(d);
  cudaMemcpy(device, d, sizeof device, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < n; ++t) {
    compute(&host[t], (t + 1) * 2654435761u);
    wrong += memcmp(&host[t], &device[t], sizeof(results)) != 0;
  }
  printf("wrong %d\n", wrong); // CHECK: wrong 0
  const results &r = device[0];
  // CHECK: 16 0 8d9eec79 1
  printf("%u %u %x %u\n", __popc(0x9e3779b1u) - 3, r.u[1], r.u[2], r.u[3]);
  // CHECK: 2147483647 -2147483648 2 0 32 0 41 12 16
  printf("%d %d %d %d %d %d %d %d %d\n", r.i[7], r.i[8], r.i[9], r.i[17], r.i[12], r.i[13], r.i[16], r.i[18], r.i[19]);
  printf("%llu %llu\n", r.l[5], ~0ull - r.l[6]); // CHECK: 9 7
  printf("%g %g %g\n", r.f[0], r.f[8], r.f[10]); // CHECK: 0.25 1.5 9
  // CHECK: 16 4 8 16
  printf("%d %d %d %d\n", int(sizeof(float4)), int(sizeof(uchar4)), int(alignof(float2)), int(sizeof(padded)));
  cudaFree(d);
}
