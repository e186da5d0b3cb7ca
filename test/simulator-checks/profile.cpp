// What the simulators count by source line (XCC_SIM_PROFILE), and lcov's file of
// the lines that ran (XCC_SIM_COVERAGE). Accesses are counted on NVIDIA GPUs.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -g -O1 -offload-arch=sm_90 -foffload-no-cubin %s -o %t
// RUN: env XCC_SIM_PROFILE=1 XCC_SIM_COVERAGE=%t.info XCC_DEVICE=sim:sm_90 %t > %t.out 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck %s --check-prefix=COVERAGE < %t.info
//
// RUN: %xcc -g -O1 -offload-arch=gfx1100 %s -o %t
// RUN: env XCC_SIM_PROFILE=1 XCC_SIM_COVERAGE=%t.info XCC_DEVICE=sim:gfx1100 %t > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=AMD < %t.err
// RUN: FileCheck %s --check-prefix=AMDLINES < %t.info

#include <xcc/xcc.h>

constexpr unsigned n = 32;

// Rows in, columns out: one bank for all lanes.
void turn(const float *in, float *out) {
  static xcc::block_shared<float[n][n]> tile;
  const unsigned t = xcc::thread_idx().x;
  for (unsigned row = 0; row != n; ++row)
    tile[row][t] = in[row * n + t];
  xcc::sync_block();
  for (unsigned row = 0; row != n; ++row)
    out[row * n + t] = tile[t][row];
}

// One lane in four, each in a sector of its own.
void gather(const float *in, float *out, bool never) {
  const unsigned t = xcc::thread_idx().x;
  if (t % 4 == 0)
    out[t * 8] = in[t * 8];
  if (never)
    out[0] = in[1];
}

int main() {
  xcc::buffer<float> in(n * n), out(n * n);
  in.fill(1);
  xcc::launch({{1}, {n}}, turn, in.data(), out.data());
  xcc::launch({{1}, {n}}, gather, in.data(), out.data(), false);
  xcc::synchronize();
}

// CHECK: simulator: kernel {{.*}}turn
// CHECK-DAG: 32.0 4.0 100% 1.0 {{.*}}profile.cpp:26
// CHECK-DAG: 32.0 4.0 100% 32.0 {{.*}}profile.cpp:29
// CHECK: simulator: kernel {{.*}}gather{{.*}}: 1 launch, {{.*}} lanes active
// CHECK: share instructions lanes sectors used passes line
// CHECK: 8.0 8.0 12% - {{.*}}profile.cpp:36
// AMD: simulator: kernel void xcc::function_kernel<&{{.*}}turn{{.*}}: 1 launch, {{[0-9]+}} instructions of warps, {{.*}} of 32 lanes active
// AMD: simulator: kernel {{.*}}gather{{.*}}: 1 launch, {{.*}} of 32 lanes active
// AMD: share instructions lanes sectors used passes line
// AMD: {{[0-9.]+}} - - - {{.*}}profile.cpp:36
// AMDLINES: SF:{{.*}}profile.cpp
// AMDLINES: DA:26,1024
// AMDLINES: DA:29,1024
// AMDLINES: DA:36,32
// AMDLINES: DA:38,0
// COVERAGE: SF:{{.*}}profile.cpp
// COVERAGE: DA:26,1024
// COVERAGE: DA:29,1024
// COVERAGE: DA:36,8
// COVERAGE: DA:38,0
// COVERAGE: end_of_record
