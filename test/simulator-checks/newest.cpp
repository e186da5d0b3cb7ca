// Instructions that the newest GPUs alone have, on simulated ones: the results are
// the CPU device's.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -w -O0 -offload-arch=host,sm_100 -foffload-no-cubin %s -o %t
// RUN: env XCC_DEVICE=host %t > %t.host
// RUN: env XCC_DEVICE=sim:sm_100 %t > %t.sm_100
// RUN: diff %t.host %t.sm_100
// RUN: %xcc -std=c++20 -w -O2 -offload-arch=gfx950,gfx1100,gfx1201 %s -o %t
// RUN: env XCC_DEVICE=sim:gfx950 %t > %t.gfx950
// RUN: diff %t.host %t.gfx950
// RUN: env XCC_DEVICE=sim:gfx1100 %t > %t.gfx1100
// RUN: diff %t.host %t.gfx1100
// RUN: env XCC_DEVICE=sim:gfx1201 %t > %t.gfx1201
// RUN: diff %t.host %t.gfx1201
//
// RUN: %xcc -std=c++20 -w -O0 -offload-arch=sm_100 -foffload-device-only -S %s -o - | FileCheck %s --check-prefix=SM100
// SM100-DAG: fma.rn.f32x2
// SM100-DAG: add.rn.f32.bf16
// SM100-DAG: sub.rn.f32.bf16
// RUN: %xcc -std=c++20 -w -O2 -offload-arch=gfx950 -foffload-device-only -S %s -o - | FileCheck %s --check-prefix=GFX950
// GFX950-DAG: v_bitop3_b32
// GFX950-DAG: v_cvt_pk_bf16_f32
// RUN: %xcc -std=c++20 -w -O2 -offload-arch=gfx1201 -foffload-device-only -S %s -o - | FileCheck %s --check-prefix=GFX1201
// GFX1201-DAG: v_cvt_pk_u16_f32
// GFX1201-DAG: v_minimum_f16

#include <cstdio>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

typedef float four __attribute__((vector_size(16)));

int main() {
  xcc::buffer<unsigned> memory(64 * 6);
  xcc::launch({{2}, {32}}, [out = memory.data()] {
    const unsigned i = xcc::block_idx().x * 32 + xcc::thread_idx().x;
    const unsigned x = (i + 1) * 0x9e3779b9u, y = (i + 7) * 0xbf58476du;
    const auto a = __bf16(float(i) / 3), b = __bf16(float(i) * 2 + 1);
    const __bf16 sums[] = {__bf16(a + b), __bf16(a - b)};
    std::memcpy(&out[6 * i], sums, 4);
    four f = {float(i), 2, 3, 4};
    f = f * f + f;
    const float one = f[i & 3];
    std::memcpy(&out[6 * i + 1], &one, 4);
    out[6 * i + 2] = (x & ~y) ^ (i * 5);
    out[6 * i + 3] = (x & y) | (x & (i * 77)) | (y & (i * 77));
    const unsigned short whole[] = {(unsigned short)(float(i) * 3.5f),
                                    (unsigned short)(float(i) * 7.25f)};
    std::memcpy(&out[6 * i + 4], whole, 4);
    const _Float16 c = _Float16(float(x % 97) / 4), d = _Float16(float(y % 89));
    const _Float16 least[] = {
        __builtin_elementwise_minimum(c, d),
        _Float16(__builtin_elementwise_max(c, d) * 2)};
    std::memcpy(&out[6 * i + 5], least, 4);
  });
  xcc::synchronize();
  for (unsigned number : memory.to_vector())
    std::printf("%x\n", number);
}
