// SIMDe: AVX2 and NEON in a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Inputs/both.h"
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/arm/neon.h>
#include <simde/x86/avx2.h>
int main() {
  both("avx2", std::vector<int>(32, 7), [](int *p) {
    for (int i = 0; i < 16; ++i)
      p[i] = i * 77 - 400;
    simde__m256i a = simde_mm256_loadu_si256((simde__m256i *)p),
                 b = simde_mm256_loadu_si256((simde__m256i *)(p + 8));
    a = simde_mm256_max_epi32(simde_mm256_mullo_epi32(a, b),
                              simde_mm256_permute4x64_epi64(b, 0x1b));
    simde_mm256_storeu_si256((simde__m256i *)(p + 16), a);
    int32x4_t v = vld1q_s32(p + 4);
    v = vmlaq_s32(v, v, vrev64q_s32(v));
    p[25] = vaddvq_s32(v);
    uint8x16_t t = vreinterpretq_u8_s32(v);
    p[26] = vgetq_lane_u8(vqtbl1q_u8(t, vdupq_n_u8(5)), 2);
  });
}
