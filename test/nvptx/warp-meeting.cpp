// Where several branches decide about a warp operation, lanes reconverge before it;
// and in a loop that lanes leave after an operation, in each iteration. Where one
// branch decides, nothing is added.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -S -foffload-device-only %s -o - \
// RUN:   | FileCheck %s
// RUN: %xcc -std=c++20 -O0 -offload-arch=sm_90 -S -foffload-device-only %s -o - \
// RUN:   | FileCheck %s
#include <xcc/xcc.h>

static int count(unsigned lanes) { return __builtin_popcount(lanes); }

// CHECK-LABEL: .visible .entry {{.*}}falls{{.*[(]$}}
// CHECK: bar.warp.sync
// CHECK: {{vote.sync.ballot|call.*ballot}}
// CHECK: ret;
void falls(int *p) {
  unsigned i = xcc::thread_idx().x;
  int n = 0;
  switch (p[i]) {
  case 7:
    p[i] = 3;
    [[fallthrough]];
  case 2:
    n = count(unsigned(xcc::ballot(true)));
    break;
  case 9:
    p[i + 1] = 5;
  }
  p[i] += n;
}

// CHECK-LABEL: .visible .entry {{.*}}leaves{{.*[(]$}}
// CHECK: {{vote.sync.ballot|call.*ballot}}
// CHECK: bar.warp.sync
// CHECK: ret;
void leaves(int *p) {
  unsigned i = xcc::thread_idx().x;
  int n = 0;
  for (int *at = p + i;; ++at)
    if (*at == 7) {
      n = count(unsigned(xcc::ballot(true)));
      break;
    }
  p[i] += n;
}

// CHECK-LABEL: .visible .entry {{.*}}simple{{.*[(]$}}
// CHECK-NOT: bar.warp.sync
// CHECK: {{vote.sync.ballot|call.*ballot}}
// CHECK-NOT: bar.warp.sync
// CHECK: {{vote.sync.ballot|call.*ballot}}
// CHECK-NOT: bar.warp.sync
// CHECK: ret;
void simple(int *p, int size) {
  int i = int(xcc::thread_idx().x), n = 0;
  if (i >= size)
    return;
  for (int left = p[i]; left > 0; --left) {
    if (left % 3 == 1)
      continue;
    if (left % 5 == 2)
      n += count(unsigned(xcc::ballot(left & 1)));
    else
      n -= p[i + left];
  }
  n += count(unsigned(xcc::ballot(n & 1)));
  p[i] += n;
}

int main() {
  int *p = nullptr;
  xcc::launch({{1}, {32}}, falls, p);
  xcc::launch({{1}, {32}}, leaves, p);
  xcc::launch({{1}, {32}}, simple, p, 4);
}
