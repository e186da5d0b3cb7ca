// Lanes that skip a block and go on after it have not ended: the block's warp
// operations are among those that are there. Lanes that end are not waited for.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -S -foffload-device-only %s -o - \
// RUN:   | FileCheck %s
#include <xcc/xcc.h>

// CHECK-LABEL: .visible .entry {{.*}}branch{{.*[(]$}}
// CHECK: activemask.b32 [[MASK:%r[0-9]+]]
// CHECK: shfl.sync{{.*}}[[MASK]];
void branch(float *p) {
  unsigned i = xcc::thread_idx().x;
  if (p[i] > 0)
    p[i] += xcc::shuffle_xor(p[i], 1);
  p[i] *= 2;
}

// CHECK-LABEL: .visible .entry {{.*}}loop{{.*[(]$}}
// CHECK: activemask.b32 [[MASK:%r[0-9]+]]
// CHECK: vote.sync{{.*}}[[MASK]];
void loop(int *p) {
  unsigned i = xcc::thread_idx().x;
  int sum = 0;
  for (int n = p[i]; n > 0; --n)
    sum += int(xcc::ballot(n & 1));
  p[i] = sum;
}

// A block that some lanes come to in one turn of a loop and others in the next.
// CHECK-LABEL: .visible .entry {{.*}}turns{{.*[(]$}}
// CHECK: activemask.b32 [[MASK:%r[0-9]+]]
// CHECK: shfl.sync{{.*}}[[MASK]];
void turns(int *p, int n) {
  unsigned i = xcc::thread_idx().x;
  for (int k = 0; k < n; ++k)
    if ((p[k] ^ i) & 1)
      p[k + i] += xcc::shuffle_xor(k, 1);
}

// CHECK-LABEL: .visible .entry {{.*}}ends{{.*[(]$}}
// CHECK-NOT: activemask
// CHECK: shfl.sync{{.*}}-1;
void ends(float *p, unsigned n) {
  unsigned i = xcc::thread_idx().x;
  if (i >= n)
    return;
  p[i] += xcc::shuffle_xor(p[i], 1);
}

void start(float *f, int *p) {
  xcc::launch({{1}, {32}}, branch, f);
  xcc::launch({{1}, {32}}, loop, p);
  xcc::launch({{1}, {32}}, turns, p, 3);
  xcc::launch({{1}, {32}}, ends, f, 3u);
}
