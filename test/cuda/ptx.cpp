// Inline PTX of the kinds that programs have is translated, on every device.
// RUN: %xcc -foffload-cuda -O2 -x cuda %s -o %t && %t | FileCheck %s
#include <cstdint>
#include <cstdio>
__device__ __forceinline__ unsigned lane() {
  unsigned n;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(n));
  return n;
}
__device__ unsigned below() {
  unsigned m;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
  return m;
}
__device__ uint64_t mad_wide(uint32_t a, uint32_t b, uint64_t c) {
  uint64_t d;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(c));
  return d;
}
__device__ void add128(uint64_t (&r)[2], uint64_t a0, uint64_t a1, uint64_t b0,
                       uint64_t b1) {
  asm("add.cc.u64 %0, %2, %4;\n\t"
      "addc.u64 %1, %3, %5;"
      : "=l"(r[0]), "=l"(r[1])
      : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
}
__device__ void sub128(uint64_t (&r)[2], uint64_t a0, uint64_t a1, uint64_t b0,
                       uint64_t b1) {
  asm("{ sub.cc.u64 %0, %2, %4; subc.cc.u64 %1, %3, %5; }"
      : "=l"(r[0]), "=l"(r[1])
      : "l"(a0), "l"(a1), "l"(b0), "l"(b1));
}
// A carry goes from one statement to the next, and out of functions.
__device__ unsigned add_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __noinline__ unsigned addc_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ static unsigned addc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
template <int N> __device__ unsigned addWords(unsigned *to, const unsigned *a) {
  to[0] = add_cc(to[0], a[0]);
  for (int i = 1; i < N; ++i)
    to[i] = addc_cc(to[i], a[i]);
  return addc(0, 0);
}
/// to[0..2] += a * b, and to - b
__device__ void products(unsigned *to, const unsigned *a, unsigned b) {
  asm("mad.lo.cc.u32 %0, %1, %2, %0;" : "+r"(to[0]) : "r"(a[0]), "r"(b));
  asm("madc.lo.cc.u32 %0, %1, %2, %0;" : "+r"(to[1]) : "r"(a[1]), "r"(b));
  asm("addc.u32 %0, %0, 0;" : "+r"(to[2]));
  asm("mad.hi.cc.u32 %0, %1, %2, %0;" : "+r"(to[1]) : "r"(a[0]), "r"(b));
  asm("madc.hi.u32 %0, %1, %2, %0;" : "+r"(to[2]) : "r"(a[1]), "r"(b));
  asm("sub.cc.u32 %0, %0, %1;" : "+r"(to[0]) : "r"(b));
  asm("subc.cc.u32 %0, %0, 0;" : "+r"(to[1]));
  asm("subc.u32 %0, %0, 0;" : "+r"(to[2]));
}
#define LOP3(d, a, b, c, how)                                                  \
  asm("lop3.b32 %0, %1, %2, %3, " #how ";" : "=r"(d) : "r"(a), "r"(b), "r"(c))
#define BFE(a, b, c)                                                           \
  ({                                                                           \
    unsigned r_;                                                               \
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r_) : "r"(a), "r"(b), "r"(c));        \
    r_;                                                                        \
  })
__device__ int nc(const int *p) {
  int v;
  asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}
__device__ int4 nc4(const int4 *p) {
  int4 v;
  asm("ld.global.nc.v4.s32 {%0,%1,%2,%3}, [%4];"
      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
      : "l"(p));
  return v;
}
__device__ void st_release(int *p, int v) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v)
               : "memory");
}
__device__ float fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ int pick(int a, int b) {
  int r;
  asm("{\n"
      "  .reg .pred p;\n"
      "  .reg .s32 t<2>;\n"
      "  setp.lt.s32 p, %1, %2; // smaller\n"
      "  mov.s32 t0, 10;\n"
      "  add.s32 t1, t0, %1;\n"
      "  @!p mov.s32 t1, -3;\n"
      "  selp.s32 %0, t1, %2, p;\n"
      "}"
      : "=r"(r)
      : "r"(a), "r"(b));
  return r;
}
__device__ unsigned xorlane(unsigned v) {
  unsigned r;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
               : "=r"(r)
               : "r"(v), "r"(1), "r"(0x1f), "r"(0xffffffff));
  return r;
}
__device__ unsigned count(int *p) {
  unsigned old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(p), "r"(2));
  asm volatile("red.global.max.s32 [%0+4], %1;" ::"l"(p), "r"(threadIdx.x));
  return old;
}
__device__ unsigned prmt(unsigned a, unsigned b) {
  unsigned r;
  asm("prmt.b32 %[out], %[a], %[b], 0x5410;"
      : [out] "=r"(r)
      : [a] "r"(a), [b] "r"(b));
  return r;
}
__global__ void all(long long *out, const int *in, int *at) {
  __shared__ int tile[32];
  const int i = threadIdx.x;
  uint64_t r[2], s[2];
  add128(r, ~0ull, 1, i + 1, 2);
  sub128(s, 0, 5, i + 1, 2);
  unsigned x = 0xff00ff00u + i, y = 0x0ff00ff0u, z = 0x33333333u, d;
  LOP3(d, x, y, z, 0x96);
  tile[i] = i * 3;
  asm volatile("bar.sync 0;");
  asm volatile("membar.gl;" ::: "memory");
  long long v[26] = {lane(),
                     below(),
                     (long long)mad_wide(0xffffffffu, i + 2, 7),
                     (long long)r[0],
                     (long long)r[1],
                     (long long)s[0],
                     (long long)s[1],
                     d,
                     BFE(0xabcd1234u, 8, 12),
                     nc(in + i),
                     nc4((const int4 *)in).z,
                     (long long)(fast(3.f) * 8),
                     pick(i, 16),
                     xorlane(i),
                     prmt(0x11223344u, 0x55667788u),
                     tile[31 - i]};
  if (i == 0)
    asm("shf.l.wrap.b32 %0, %1, %2, 4;"
        : "=r"(d)
        : "r"(0x12345678), "r"(0x9abcdef0));
  else
    asm("brev.b32 %0, %1;" : "=r"(d) : "r"(i));
  v[16] = d;
  int c;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(c) : "f"(i + 0.75f));
  v[17] = c;
  asm("dp4a.u32.u32 %0, %1, %2, %3;"
      : "=r"(d)
      : "r"(0x01020304), "r"(0x05060708), "r"(i));
  v[18] = d;
  asm("{ .reg .u64 a; cvta.to.global.u64 a, %1; ld.global.u32 %0, [a+4]; }"
      : "=r"(d)
      : "l"(in));
  v[19] = d;
  unsigned low, high;
  unsigned long long swapped;
  asm("mov.b64 {%0, %1}, %2;"
      : "=r"(low), "=r"(high)
      : "l"(0x1234567800000000ull + i));
  asm("mov.b64 %0, {%1, %2};" : "=l"(swapped) : "r"(high), "r"(low));
  asm("add.u64 %0, %0, 5;" : "+l"(swapped));
  asm("{ .reg .b16 a, b; mov.b32 {a, b}, %1; mov.b32 %0, {b, a}; }"
      : "=r"(low)
      : "r"(0x00010002 + i));
  v[20] = swapped + low;
  unsigned two, three;
  unsigned short half, bfloat;
  float back;
  asm("{ .reg .f16 low, high; cvt.rn.f16.f32 low, %1; cvt.rn.f16.f32 high, %2; mov.b32 %0, {low, high}; }"
      : "=r"(two) : "f"(1.5f), "f"(float(i)));
  asm("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(three) : "r"(two));
  asm("add.f16x2 %0, %0, %1;" : "+r"(three) : "r"(two));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(two) : "f"(-2.f), "f"(0.1f));
  asm("{ .reg .b32 t; neg.f16x2 t, %1; max.f16x2 %0, %0, t; }" : "+r"(two) : "r"(two));
  asm("mul.rn.f16 %0, %1, %1;" : "=h"(half) : "h"((unsigned short)0x3e00));
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bfloat) : "f"(3.14159f));
  asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(half));
  v[21] = (long long)three << 32 | two;
  v[22] = half | bfloat << 16 | (long long)(back * 100) << 32;
  unsigned words[4] = {~0u - i, ~0u, ~0u, unsigned(i)};
  const unsigned others[4] = {2, 0, 0, 5};
  v[23] = addWords<3>(words, others) + 16ll * words[0] + ((long long)words[2] << 32);
  words[3] = 3 * i; // to[2] of the product
  products(words + 1, others, ~0u);
  v[24] = words[1] | (long long)words[2] << 32;
  v[25] = words[3];
  count(at);
  if (i == 5)
    st_release(at + 2, 77);
  for (int k = 0; k < 26; k++)
    out[k * 32 + i] = v[k];
}
int main() {
  long long *out;
  int *in, *at;
  cudaMallocManaged(&out, 26 * 32 * 8);
  cudaMallocManaged(&in, 128);
  cudaMallocManaged(&at, 12);
  for (int i = 0; i < 32; i++)
    in[i] = 100 + i;
  at[0] = at[1] = at[2] = 0;
  all<<<1, 32>>>(out, in, at);
  cudaDeviceSynchronize();
  for (int k = 0; k < 26; k++)
    printf("%d: %llx %llx %llx\n", k, out[k * 32], out[k * 32 + 3],
           out[k * 32 + 31]);
  printf("%d %d %d\n", at[0], at[1], at[2]);
}
// CHECK: 0: 0 3 1f
// CHECK-NEXT: 1: 0 7 7fffffff
// CHECK-NEXT: 2: 200000005 500000002 20ffffffe6
// CHECK-NEXT: 3: 0 3 1f
// CHECK-NEXT: 4: 4 4 4
// CHECK-NEXT: 5: ffffffffffffffff fffffffffffffffc ffffffffffffffe0
// CHECK-NEXT: 6: 2 2 2
// CHECK-NEXT: 7: c3c3c3c3 c3c3c3c0 c3c3c3dc
// CHECK-NEXT: 8: d12 d12 d12
// CHECK-NEXT: 9: 64 67 83
// CHECK-NEXT: 10: 66 66 66
// CHECK-NEXT: 11: 40 40 40
// CHECK-NEXT: 12: a d 10
// CHECK-NEXT: 13: 1 2 1e
// CHECK-NEXT: 14: 77883344 77883344 77883344
// CHECK-NEXT: 15: 5d 54 0
// CHECK-NEXT: 16: abcdef01 c0000000 f8000000
// CHECK-NEXT: 17: 1 4 20
// CHECK-NEXT: 18: 46 49 65
// CHECK-NEXT: 19: 65 65 65
// CHECK-NEXT: 20: 1236567e 31239567e 1f1255567e
// CHECK-NEXT: 21: 454040002e66 4b80454040002e66 63fe454040002e66
// CHECK-NEXT: 22: e140494080 e140494080 e140494080
// CHECK-NEXT: 23: 11 effffffe0 efffffe20
// CHECK-NEXT: 24: ffffffff fffffffe fffffffe
// CHECK-NEXT: 25: 0 a 5e
// CHECK-NEXT: 64 31 77
