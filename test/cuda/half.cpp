// The names of cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: the device computes what the host does, and what CUDA's documents say.
// GPUs may contract a product and a sum, as for float.
// RUN: %xcc -O0 -ffp-contract=off %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -ffp-contract=off %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cstring>
#include <xcc/cuda.h>
#include <xcc/cuda/fp4.h>
#include <xcc/cuda/half.h>

template <class Short, class Two> struct results {
  Short s[40];
  Two t[24];
  int i[16];
};

template <class Short, class Two, class Pack> __host__ __device__ void compute(results<Short, Two> *r, Short a, Short b, Pack pack) {
  const Two p = pack(a, b), q = pack(b, Short(1.5f));
  r->s[0] = __hadd(a, b), r->s[1] = __hsub(a, b), r->s[2] = __hmul(a, b), r->s[3] = __hdiv(a, b);
  r->s[4] = __hfma(a, b, a), r->s[5] = __hneg(a), r->s[6] = __habs(a), r->s[7] = __hmax(a, b), r->s[8] = __hmin(a, b);
  r->s[9] = __hadd_sat(a, b), r->s[10] = __hfma_relu(a, b, a), r->s[11] = hsqrt(__habs(a)), r->s[12] = hfloor(a);
  r->s[13] = hceil(b), r->s[14] = htrunc(a), r->s[15] = hrint(b), r->s[16] = a + b * 2, r->s[17] = -a / 3;
  r->s[18] = a, r->s[18] += b, r->s[18] -= 1.0f, r->s[18] *= 2;
  r->s[19] = __hmax_nan(a, b), r->s[20] = __hmul_sat(a, b);
  r->t[0] = __hadd2(p, q), r->t[1] = __hfma2(p, q, p), r->t[2] = p * q + p, r->t[3] = __hneg2(p), r->t[4] = __hmax2(p, q);
  r->t[5] = __hgt2(p, q), r->t[6] = __lowhigh2highlow(p), r->t[7] = h2sqrt(__habs2(p)), r->t[8] = -p, r->t[9] = p, r->t[9] -= q;
  r->t[10] = __h2div(p, q), r->t[11] = __hadd2_sat(p, q);
  r->i[0] = __heq(a, b), r->i[1] = __hlt(a, b), r->i[2] = __hneu(a, b), r->i[3] = __hgeu(a, b), r->i[4] = __hbgt2(p, q);
  r->i[5] = __hisnan(a), r->i[6] = __hisinf(b), r->i[7] = int(__hle2_mask(p, q)), r->i[8] = p == q, r->i[9] = __hne(a, a);
  r->i[10] = a > 1.0f, r->i[11] = __hlt(a, Short(100)) && __hgt(a, Short(-100)) ? int(a * 10) : 0;
}
__host__ __device__ inline void in_half(results<__half, __half2> *r, unsigned i) {
  const __half a = __ushort_as_half(i * 40503u >> 5), b = __float2half(float(int(i % 97) - 40) / 8);
  compute(r, a, b, [](__half x, __half y) { return __halves2half2(x, y); });
  const float f = float(i) * 37.77f - 1.1e5f;
  r->s[30] = __float2half_rn(f), r->s[31] = __float2half_rz(f), r->s[32] = __float2half_rd(f), r->s[33] = __float2half_ru(f);
  r->s[34] = __int2half_rz(int(i) * 33), r->s[35] = __uint2half_ru(i * 7), r->s[36] = __double2half(double(f) / 3);
  r->i[12] = __half2int_rn(b), r->i[13] = __half2int_rd(b), r->i[14] = __half2ushort_rz(a), r->i[15] = __half_as_short(b);
  r->t[20] = __floats2half2_rn(f, -f), r->t[21] = __float22half2_rn(make_float2(1.5f, f)), r->t[22] = __half2half2(a);
}
__host__ __device__ inline void in_bfloat(results<__nv_bfloat16, __nv_bfloat162> *r, unsigned i) {
  const __nv_bfloat16 a = __ushort_as_bfloat16(i * 40503u >> 5), b = __float2bfloat16(float(int(i % 97) - 40) / 8);
  compute(r, a, b, [](__nv_bfloat16 x, __nv_bfloat16 y) { return __halves2bfloat162(x, y); });
  const float f = float(i) * 37.77f - 1.1e5f;
  r->s[30] = __float2bfloat16_rn(f), r->s[31] = __float2bfloat16_rz(f), r->s[32] = __float2bfloat16_rd(f), r->s[33] = __float2bfloat16_ru(f);
  r->i[12] = __bfloat162int_rn(b), r->i[13] = __bfloat162uint_ru(a);
  r->t[20] = __floats2bfloat162_rn(f, -f), r->t[22] = __bfloat162bfloat162(a);
}
struct both {
  results<__half, __half2> h;
  results<__nv_bfloat16, __nv_bfloat162> b;
};
__global__ void on_device(both *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  in_half(&out[i].h, i), in_bfloat(&out[i].b, i);
}
__global__ void sums(__half *one, __half2 *two, __nv_bfloat16 *three, __half *from_lanes) {
  atomicAdd(one, __half(1)), atomicAdd(two, __float2half2_rn(0.5f)), atomicAdd(three, __nv_bfloat16(2));
  __half lanes = __int2half_rn(int(threadIdx.x));
  for (int d = 16; d; d /= 2)
    lanes = __hadd(lanes, __shfl_down_sync(0xffffffff, lanes, d));
  if (threadIdx.x == 0)
    *from_lanes = lanes;
}

/// Bytes that differ, but for the bits of NaN.
template <class Short, class Two> int differences(const results<Short, Two> &a, const results<Short, Two> &b) {
  int wrong = memcmp(a.i, b.i, sizeof a.i) != 0;
  const Short *x = a.s, *y = b.s;
  for (unsigned k = 0; k < 40 + 48; ++k)
    wrong += x[k].bits() != y[k].bits() && !(__hisnan(x[k]) && __hisnan(y[k]));
  return wrong;
}

// All upper halves of a float, some with more bits below, in both formats, and what 256 numbers are.
__host__ __device__ unsigned allOf8() {
  unsigned hash = 0;
  for (unsigned kind = 0; kind != 2; ++kind)
    for (unsigned saturation = 0; saturation != 2; ++saturation)
      for (unsigned upper = 0; upper != 65536; ++upper) {
        const unsigned bits = upper << 16 | upper % 3;
        float value;
        memcpy(&value, &bits, sizeof(value));
        hash = hash * 31 + __nv_cvt_float_to_fp8(value, __nv_saturation_t(saturation), __nv_fp8_interpretation_t(kind));
      }
  return hash;
}
__host__ __device__ int notTheSame() {
  int count = 0;
  for (unsigned code = 0; code != 256; ++code) {
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = __nv_fp8_storage_t(code);
    count += (float(a) == float(a) && __nv_fp8_e4m3(double(a)).__x != code) +
             (float(b) < 1e9f && float(b) > -1e9f && __nv_fp8_e5m2(__half(b)).__x != code);
  }
  return count;
}
// Two and four of them, from and to pairs of 16 bits; integers.
__host__ __device__ void severalOf8(unsigned *out) {
  const __half2 h(__half(1.5f), __half(-3.0f));
  const __nv_bfloat162 b(__nv_bfloat16(0.25f), __nv_bfloat16(448.0f));
  out[0] = unsigned(__nv_fp8x2_e4m3(h).__x) << 16 | __nv_fp8x2_e5m2(b).__x;
  out[1] = __nv_fp8x4_e4m3(h, __half2(h.y, h.x)).__x;
  out[2] = __nv_fp8x4_e5m2(b, b).__x;
  out[3] = unsigned(__nv_fp8x2_e5m2(make_double2(1.5, -3.0)).__x) << 16 |
           __nv_cvt_bfloat16raw2_to_fp8x2(b, __NV_SATFINITE, __NV_E4M3);
  out[4] = unsigned(__nv_cvt_halfraw2_to_fp8x2(h, __NV_NOSAT, __NV_E5M2)) << 16 |
           __nv_cvt_bfloat16raw_to_fp8(b.y, __NV_NOSAT, __NV_E5M2);
  const __half2 back(__nv_fp8x2_e4m3{h});
  out[5] = back.x == h.x && back.y == h.y && float2(__nv_fp8x2_e5m2(h)).y == -3.0f;
  __nv_fp8_e4m3 none;
  none.__x = 0x7f;
  // Towards zero, to the nearest end, NaN to zero.
  out[6] = unsigned(int(__nv_fp8_e5m2(-2.5f))) << 24 | unsigned(static_cast<signed char>(__nv_fp8_e4m3(448.0f))) << 16 |
           unsigned(static_cast<unsigned char>(__nv_fp8_e4m3(-5.0f))) << 8 | unsigned(short(none));
  out[7] = static_cast<unsigned long long>(__nv_fp8_e5m2(57344.0f)) + (static_cast<long long>(none) >> 63);
}
// Each number of a format is what OCP's documents say, and what lies between two numbers rounds to the nearer one, or to zero.
template <class Small, class Cast> __host__ __device__ int notAsDefined(int mantissa, int bias, unsigned codes, Cast cast) {
  int wrong = 0;
  float before = 0;
  for (unsigned code = 0; code != codes; ++code) {
    const int exponent = int(code >> mantissa), rest = int(code & ((1u << mantissa) - 1));
    const float unit = exp2f(float((exponent ? exponent : 1) - bias - mantissa)), value = unit * float(rest + (exponent ? 1 << mantissa : 0));
    Small small;
    small.__x = static_cast<unsigned char>(code);
    wrong += float(small) != value || Small(value).__x != code || Small(double(-value)).__x != (codes | code);
    if (code) {
      const float middle = (before + value) / 2, near = (value - before) / 64;
      wrong += Small(middle).__x != (code - (code & 1)) || Small(middle + near).__x != code || Small(__half(middle - near)).__x != code - 1;
      wrong += cast(value - near, cudaRoundZero) != code - 1 || cast(near - value, cudaRoundZero) != (codes | (code - 1));
    }
    before = value;
  }
  const float nan = __builtin_nanf("");
  return wrong + (Small(1e9f).__x != codes - 1) + (Small(-before * 1.5f).__x != 2 * codes - 1) + (Small(nan).__x != codes - 1) + (Small(1000000).__x != codes - 1);
}
__host__ __device__ int notAsDefined() {
  int wrong = notAsDefined<__nv_fp6_e2m3>(3, 1, 32, [](float f, cudaRoundMode r) { return __nv_cvt_float_to_fp6(f, __NV_E2M3, r); });
  wrong += notAsDefined<__nv_fp6_e3m2>(2, 3, 32, [](float f, cudaRoundMode r) { return __nv_cvt_float_to_fp6(f, __NV_E3M2, r); });
  wrong += notAsDefined<__nv_fp4_e2m1>(1, 1, 8, [](float f, cudaRoundMode r) { return __nv_cvt_float_to_fp4(f, __NV_E2M1, r); });
  for (unsigned code = 0; code != 255; ++code) {
    const double power = ldexp(1.0, int(code) - 127);
    __nv_fp8_e8m0 scale;
    scale.__x = __nv_fp8_storage_t(code);
    wrong += double(float(scale)) != power || __nv_fp8_e8m0(power).__x != code;
    wrong += __nv_cvt_double_to_e8m0(power * 1.5, __NV_SATFINITE, cudaRoundPosInf) != (code < 254 ? code + (code != 0 || power * 1.5 > 0x1p-127) : 254);
    wrong += __nv_cvt_double_to_e8m0(power * 1.5, __NV_NOSAT, cudaRoundZero) != code;
  }
  wrong += __nv_fp8_e8m0((1ull << 60) + 1).__x != 188 || __nv_fp8_e8m0(0).__x != 0 || __nv_cvt_float_to_e8m0(-INFINITY, __NV_NOSAT, cudaRoundZero) != 255;
  return wrong;
}
// Two and four of them: of 4 bits, two share a byte. What CUDA 13's headers give.
__host__ __device__ void smaller(unsigned *out) {
  const float4 f = make_float4(1.5f, -3, 0.25f, 5);
  out[0] = unsigned(__nv_fp4x2_e2m1(make_float2(f.x, f.y)).__x) << 16 | __nv_fp4x4_e2m1(f).__x;
  out[1] = __nv_fp6x4_e2m3(f).__x, out[2] = __nv_fp6x4_e3m2(__floats2half2_rn(f.x, f.y), __floats2half2_rn(f.z, f.w)).__x;
  out[3] = __nv_fp8x4_e8m0(double4_32a{f.x, f.y, f.z, f.w}).__x;
  const __half2 two = __nv_cvt_fp4x2_to_halfraw2(0xd3, __NV_E2M1);
  const float4 back(__nv_fp6x4_e3m2{f});
  out[4] = float2(__nv_fp4x2_e2m1(two)).x == 1.5f && float(two.y) == -3 && back.y == -3 && back.w == 5 && int(__nv_fp4_e2m1(-6.0)) == -6;
  out[4] += 2 * unsigned(sizeof(__nv_fp4x4_e2m1) == 2 && alignof(__nv_fp6x4_e2m3) == 4 && alignof(double4_16a) == 16);
}
__global__ void of8(unsigned *out) {
  out[0] = allOf8(), out[1] = unsigned(notTheSame()), out[11] = unsigned(notAsDefined());
  severalOf8(out + 3), smaller(out + 12);
  out[2] = __nv_fp8x4_e4m3(make_float4(1.0f, -2.5f, 1000.0f, 0.01f)).__x;
}

int main() {
  const int n = 2048;
  static both host[n], device[n], *d;
  cudaMalloc(&d, sizeof device);
  cudaMemset(d, 0, sizeof device);
  memset(host, 0, sizeof host);
  xcc::cuda::launch(on_device, n / 64, 64)(d);
  cudaMemcpy(device, d, sizeof device, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    in_half(&host[i].h, i), in_bfloat(&host[i].b, i);
    wrong += differences(host[i].h, device[i].h) + differences(host[i].b, device[i].b);
  }
  printf("wrong %d\n", wrong); // CHECK: wrong 0
  // CHECK: 2048 2050 2048 2050; inf 65504 inf; -0 0
  printf("%g %g %g %g; %g %g %g; %g %g\n", float(__float2half_rn(2049)), float(__float2half_ru(2049)), float(__float2half_rz(2049)),
         float(__int2half_ru(2049)), float(__float2half_rn(1e6f)), float(__float2half_rz(1e6f)), float(__float2half_ru(1e6f)),
         float(__float2half_ru(-1e-9f)), float(__float2half_rd(1e-9f)));
  const long long wide = (1ll << 60) - 1; // not a number of double
  // CHECK: 0.996094 1 0.996094 -0.996094; 65504 -2048 -2050 2050
  printf("%g %g %g %g; %g %g %g %g\n", float(__ll2bfloat16_rd(wide)) * 0x1p-60f, float(__ll2bfloat16_ru(wide)) * 0x1p-60f,
         float(__ull2bfloat16_rz(wide)) * 0x1p-60f, float(__ll2bfloat16_ru(-wide)) * 0x1p-60f, float(__ull2half_rd(70000)),
         float(__ll2half_rz(-2049)), float(__ll2half_rd(-2049)), float(__ll2half_ru(2049)));
  __half *h = reinterpret_cast<__half *>(d), back[8];
  cudaMemset(h, 0, 16);
  xcc::cuda::launch(sums, 1, 32)(h, reinterpret_cast<__half2 *>(h + 2), reinterpret_cast<__nv_bfloat16 *>(h + 4), h + 6);
  cudaMemcpy(back, h, sizeof back, cudaMemcpyDeviceToHost);
  __nv_bfloat16 three;
  memcpy(&three, back + 4, 2);
  // CHECK: 32 16 16 64 496
  printf("%g %g %g %g %g\n", float(back[0]), float(back[2]), float(back[3]), float(three), float(back[6]));
  unsigned numbers[17], *of = reinterpret_cast<unsigned *>(d);
  xcc::cuda::launch(of8, 1, 1)(of);
  cudaMemcpy(numbers, of, sizeof numbers, cudaMemcpyDeviceToHost);
  // The first is what CUDA 13's header gives.
  // CHECK: 603d4bf2 0 57ec238, host 603d4bf2 0
  printf("%08x %u %x, host %08x %d\n", numbers[0], numbers[1], numbers[2], allOf8(), notTheSame());
  // CHECK: c43c5f34 3cc4c43c 5f345f34 c23e7e28 c23e005f 1 fe7f0000 dfff: as on the host 1
  unsigned several[8];
  severalOf8(several);
  for (int i = 0; i != 8; ++i)
    printf(i == 7 ? "%x:" : "%x ", numbers[3 + i]);
  printf(" as on the host %d\n", memcmp(several, numbers + 3, sizeof several) == 0);
  unsigned small[5];
  smaller(small);
  // CHECK: 0 0: d360d3 1a02340c 1504320e 827d8180 3: as on the host 1
  printf("%u %d: %x %x %x %x %u: as on the host %d\n", numbers[11], notAsDefined(), small[0], small[1], small[2], small[3], small[4],
         memcmp(small, numbers + 12, sizeof small) == 0);
  cudaFree(d);
}
