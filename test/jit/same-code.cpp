// What a running process generates is what the compiler makes ahead of time.
// REQUIRES: simulators
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=generic %s -o %t
// RUN: rm -rf %t.dump && mkdir %t.dump

// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_DEVICE=cuda XCC_JIT_DUMP=%t.dump %t | FileCheck %s
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=sm_90 -foffload-no-cubin -foffload-device-only -c %s -o %t.sm_90
// RUN: cmp %t.sm_90 %t.dump/*-sm_90.image

// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx90a XCC_DEVICE=hsa XCC_JIT_DUMP=%t.dump %t | FileCheck %s
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=gfx90a:sramecc+:xnack- -foffload-device-only -c %s -o %t.gfx90a
// RUN: cmp %t.gfx90a %t.dump/*-gfx90a*.image
// RUN: env LD_LIBRARY_PATH=%build/simulator/hsa MOCK_HSA_AGENTS=gfx1100 XCC_DEVICE=hsa XCC_JIT_DUMP=%t.dump %t | FileCheck %s
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=gfx1100 -foffload-device-only -c %s -o %t.gfx1100
// RUN: cmp %t.gfx1100 %t.dump/*-gfx1100.image

// RUN: env XCC_DEVICE=host XCC_JIT_DUMP=%t.dump %t | FileCheck %s
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=native -foffload-device-only -S %s -o %t.native.s
// RUN: cmp %t.native.s %t.dump/*-native.s

// A GPU that LLVM does not know, with what the driver makes of PTX for an older.
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_125 XCC_DEVICE=cuda XCC_LOG=load %t 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: loaded the sm_121 image, {{.*}} (generated here in
// NEWER: sum 1998000
#include <cstdio>
#include <xcc/xcc.h>

static void add(float *to, int n, float factor) {
  int i = int(xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x);
  if (i < n)
    to[i] = to[i] * factor + float(i);
}

int main() {
  constexpr int n = 1000;
  float host[n];
  for (int i = 0; i != n; ++i)
    host[i] = float(i);
  xcc::buffer<float> device(n);
  device.copy_from(host, n);
  xcc::launch({{(n + 127) / 128}, {128}}, add, device.data(), n, 3.0f);
  device.copy_to(host, n);
  double sum = 0;
  for (float f : host)
    sum += f;
  std::printf("sum %.0f\n", sum); // CHECK: sum 1998000
}
