// From source to result through a driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with images for three kinds of device, unchanged on each: the mock
// drivers load the images, find the kernels and hand the argument bytes to
// bodies that the host compiler made of the same source.

// RUN: %compile %s -o %t
// RUN: %xcc-info --json %t | %python %S/Inputs/symbols.py > %t.h
// RUN: %clangxx -std=c++20 -O1 -shared -fPIC -include %t.h %S/Inputs/bodies.cpp -o %t.so
// RUN: %clangxx -std=c++20 -O1 -shared -fPIC -DHIDDEN -include %t.h %S/Inputs/bodies.cpp -o %t.hidden.so
// RUN: %host-3 %t | %FileCheck %s --check-prefixes=RESULT,HOST
// RUN: env MOCK_CUDA_KERNELS=%t.so %cuda-mock %t | %FileCheck %s --check-prefixes=RESULT,CUDA
// RUN: env MOCK_HSA_KERNELS=%t.hidden.so %hsa-mock %t | %FileCheck %s --check-prefixes=RESULT,HSA
//
// Nobody chooses: the GPU that is there.
// RUN: env MOCK_CUDA_KERNELS=%t.so LD_LIBRARY_PATH=%build/mock/cuda %t | %FileCheck %s --check-prefixes=RESULT,CUDA
// RUN: env MOCK_HSA_KERNELS=%t.hidden.so LD_LIBRARY_PATH=%build/mock/hsa %t | %FileCheck %s --check-prefixes=RESULT,HSA
// RUN: env MOCK_CUDA_DEVICES=sm_70 LD_LIBRARY_PATH=%build/mock/cuda %t | %FileCheck %s --check-prefixes=RESULT,HOST
//
// What bodies.cpp assumes of implicit arguments is what code objects say, also
// in version 6, and there too the runtime writes it.
// RUN: %xcc -std=c++20 -O2 -offload-arch=gfx90a -foffload-device-only -c %s -o %t.o
// RUN: %llvm/bin/llvm-readelf --notes %t.o | %FileCheck %s --check-prefix=NOTES
// RUN: %xcc -std=c++20 -O2 -offload-arch=gfx1100 -mcode-object-version=6 %s -o %t.v6
// RUN: env MOCK_HSA_AGENTS=gfx1100 MOCK_HSA_KERNELS=%t.hidden.so %hsa-mock %t.v6 | %FileCheck %s --check-prefixes=RESULT,HSA
#include "Inputs/whole_path.h"
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

static place here() {
  const xcc::dim3 b = xcc::block_idx(), g = xcc::grid_dim();
  return {(b.z * g.y + b.y) * g.x + b.x, xcc::thread_idx().x,
          xcc::block_dim().x, g.x * g.y * g.z};
}

void saxpy(int n, float a, const float *x, float *y) {
  saxpy_at(here(), n, a, x, y);
}
void mix(char c, settings s, short h, double d, long long *out) {
  mix_at(here(), c, s, h, d, out);
}

// NOTES:      .offset: 24
// NOTES-NEXT: .size: 4
// NOTES-NEXT: .value_kind: hidden_block_count_x
// NOTES:      .offset: 36
// NOTES-NEXT: .size: 2
// NOTES-NEXT: .value_kind: hidden_group_size_x
// NOTES:      .offset: 42
// NOTES-NEXT: .size: 2
// NOTES-NEXT: .value_kind: hidden_remainder_x
// NOTES:      .offset: 64
// NOTES-NEXT: .size: 8
// NOTES-NEXT: .value_kind: hidden_global_offset_x
// NOTES:      .offset: 88
// NOTES-NEXT: .size: 2
// NOTES-NEXT: .value_kind: hidden_grid_dims

int main() {
  // HOST: on host
  // CUDA: on cuda
  // HSA: on hsa
  std::printf("on %s\n", xcc::device::current().kind());
  constexpr int n = 1000;
  std::vector<float> x(n), y(n, 1);
  for (int i = 0; i < n; ++i)
    x[i] = float(i);
  xcc::buffer<float> dx(n), dy(n);
  dx.copy_from(x.data(), n);
  dy.copy_from(y.data(), n);
  xcc::launch({{2, 4}, {128}}, saxpy, n, 2.0f, dx.data(), dy.data());
  xcc::launch({{1000}, {1}}, saxpy, n - 1, 1.0f, dx.data(), dy.data());
  dy.copy_to(y.data(), n);
  // RESULT: 1 4 2995 1999
  std::printf("%g %g %g %g\n", double(y[0]), double(y[1]), double(y[n - 2]),
              double(y[n - 1]));

  xcc::buffer<long long> out(6);
  std::vector<long long> values(6);
  xcc::stream stream;
  xcc::launch({{3}, {2}, 0, &stream}, mix, 'a', settings{2, 1.5, {1, 2, -1}},
              -7, 0.25, out.data());
  stream.synchronize();
  out.copy_to(values.data(), 6);
  // RESULT: 2150113 2150113
  std::printf("%lld %lld\n", values[0], values[5]);
}
