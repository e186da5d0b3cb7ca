// Averages, funnel shifts, dot products of two, norms, loads and stores with hints, atomics with an order, and the largest of sums.
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/cuda.h>

__global__ void integers(long long *out) {
  out[0] = __hadd(-3, -4) * 1000 + __rhadd(-3, -4);
  out[1] = __uhadd(0xffffffffu, 0xfffffffdu);
  out[2] = __sad(-2147483647 - 1, 2147483647, 0);
  out[3] = __funnelshift_lc(0x80000000u, 1, 1) * 1000ll +
           __funnelshift_rc(7, 9, 40);
  out[4] = __fns(0b101100, 0, 2) * 10000 + __fns(0b101100, 5, -3) * 100 +
           __fns(0b101100, 3, 0);
  out[5] = __fns(1, 1, 1);
  out[6] = __dp2a_lo(int(0xfffe0003), 0x04030201, 5) * 1000ll +
           __dp2a_hi(0xfffe0003u, 0x04030201u, 0u) % 1000;
}
__global__ void floats(float *out) {
  const float four[] = {2, 4, 4, 8};
  out[0] = norm3df(2, 3, 6) + norm4df(2, 4, 4, 8) + normf(4, four);
  out[1] = rcbrtf(8) + rhypotf(3, 4);
  out[2] = normcdff(0) + fdividef(1, 4);
  out[3] = cospif(0.5f) + 10 * cospif(1) + 100 * cospif(-1.0f / 3);
}
__global__ void special(double *out) {
  out[0] = cyl_bessel_i0(1.0);
  out[1] = cyl_bessel_i1(-2.5);
  out[2] = cyl_bessel_i0(40.0) * 1e-16;
  out[3] = erfcx(3.0);
  out[4] = erfcx(-1.0);
  out[5] = erfcxf(20.0f) + double(cyl_bessel_i1f(0.0f));
}
__global__ void memory(unsigned *cells, float *sum) {
  __stcg(cells + 8 + threadIdx.x, __ldcg(cells + threadIdx.x) + 1u);
  __nv_atomic_fetch_add(cells, 2u, __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(cells + 1, threadIdx.x, __NV_ATOMIC_ACQ_REL,
                        __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_fetch_add(sum, 0.5f, __NV_ATOMIC_SEQ_CST,
                        __NV_THREAD_SCOPE_SYSTEM);
  atomicInc_block(cells + 2, 5);
  // The scope may be left out.
  unsigned expected = threadIdx.x, lowest;
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST);
  __nv_atomic_store_n(cells + 3, 3u, __NV_ATOMIC_RELAXED);
  __nv_atomic_load(cells + 3, &lowest, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_fetch_sub(cells + 4, lowest, __NV_ATOMIC_RELAXED);
  __nv_atomic_compare_exchange_n(cells + 5, &expected, 9u, false,
                                 __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(cells + 6,
                       1u << __nv_atomic_load_n(cells + 3, __NV_ATOMIC_RELAXED),
                       __NV_ATOMIC_RELAXED);
}
// The largest and smallest of sums and of three, of words and of their halves.
__global__ void largest(unsigned *out) {
  const unsigned a = 0x7fff0001, b = 0x0001fffe, c = 0x8001fff0;
  bool high, low, first, second;
  out[0] = unsigned(__viaddmax_s32(2147483647, 1, -5));
  out[1] = __viaddmax_u32(0xffffffffu, 3, 1) * 100 + __viaddmin_u32(4, 5, 20);
  out[2] = __viaddmax_s16x2(a, b, c);
  out[3] = __viaddmax_u16x2(a, b, c);
  out[4] = __viaddmin_s16x2_relu(a, 0x0000fffe, c) + __viaddmin_s16x2(a, b, c);
  out[5] = unsigned(__vimax3_s32_relu(-1, -2, -3) + __vimin3_s32(4, -6, 5));
  out[6] = __vimax3_u16x2(a, b, c) ^ __vimin3_s16x2(a, b, c);
  out[7] = __vimax_s16x2_relu(c, 0xfffe0003) +
           unsigned(__vimin_s32_relu(7, -9) + __vimax_s32_relu(-7, -9));
  out[8] = __vibmax_s16x2(a, b, &high, &low);
  out[9] = high * 10 + low;
  out[10] = __vibmin_u16x2(a, b, &high, &low);
  out[11] = high * 1000 + low * 100 +
            (__vibmax_s32(3, 3, &first) + __vibmin_u32(2, 1u, &second)) * 10 +
            first * 2 + second;
}

int main() {
  long long *many;
  float *numbers;
  unsigned *cells;
  cudaMallocManaged(&many, 7 * sizeof *many);
  cudaMallocManaged(&numbers, 8 * sizeof *numbers);
  cudaMallocManaged(&cells, 16 * sizeof *cells);
  for (int i = 0; i < 16; ++i)
    cells[i] = 0;
  numbers[4] = 0;
  xcc::cuda::launch(integers, 1, 1)(many);
  xcc::cuda::launch(floats, 1, 1)(numbers);
  xcc::cuda::launch(memory, 1, 8)(cells, numbers + 4);
  double *special_numbers;
  cudaMallocManaged(&special_numbers, 6 * sizeof(double));
  xcc::cuda::launch(special, 1, 1)(special_numbers);
  unsigned *words;
  cudaMallocManaged(&words, 12 * sizeof *words);
  xcc::cuda::launch(largest, 1, 1)(words);
  cudaDeviceSynchronize();
  for (int i = 0; i < 7; ++i)
    printf("%lld ", many[i]);
  printf("\n%.4f %.4f %.4f %.4f\n", numbers[0], numbers[1], numbers[2],
         numbers[3]);
  printf("%u %u %u %u %.1f\n", cells[0], cells[1], cells[2], cells[15],
         numbers[4]);
  // CHECK: -4003 4294967294 4294967295 3009 30203 4294967295 4145
  // CHECK: 27.0000 0.7000 0.7500 40.0000
  // CHECK: 16 7 2 1 4.0
  printf("%.10f %.10f %.10f\n", special_numbers[0], special_numbers[1],
         special_numbers[2]); // CHECK: 1.2660658778 -2.5167162453 1.4894774793
  printf("%.10f %.10f %.5f\n", special_numbers[3], special_numbers[4],
         special_numbers[5]); // CHECK: 0.1790011512 5.0089800808 0.02817
  for (int i = 0; i < 12; ++i)
    printf("%x ", words[i]);
  printf("\n%u %u %u %x\n", cells[3], cells[4], cells[5], cells[6]);
  // CHECK: fffffffb d1 8001ffff 8001ffff 8000fff0 fffffffa e 3 7fff0001 b 10001 8e
  // CHECK: 3 4294967272 9 8
}
