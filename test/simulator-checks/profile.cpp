// What the NVIDIA simulator counts by source line (XCC_SIM_PROFILE), and lcov's
// file of the lines that ran (XCC_SIM_COVERAGE).
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -g -O1 -offload-arch=sm_90 -foffload-no-cubin %s -o %t
// RUN: env XCC_SIM_PROFILE=1 XCC_SIM_COVERAGE=%t.info XCC_DEVICE=sim:sm_90 %t > %t.out 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: FileCheck %s --check-prefix=COVERAGE < %t.info

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
// CHECK-DAG: 32.0 4.0 100% 1.0 {{.*}}profile.cpp:21
// CHECK-DAG: 32.0 4.0 100% 32.0 {{.*}}profile.cpp:24
// CHECK: simulator: kernel {{.*}}gather{{.*}}: 1 launch, {{.*}} lanes active
// CHECK: share instructions lanes sectors used passes line
// CHECK: 8.0 8.0 12% - {{.*}}profile.cpp:31
// COVERAGE: SF:{{.*}}profile.cpp
// COVERAGE: DA:21,1024
// COVERAGE: DA:24,1024
// COVERAGE: DA:31,8
// COVERAGE: DA:33,0
// COVERAGE: end_of_record
