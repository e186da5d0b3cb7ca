// The library adds to an atomic float by compare-and-swap, which becomes one
// instruction; and an update has the memory order that it was written with,
// which PTX has no word for before sm_70 and LLVM writes nothing for after.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -S -foffload-device-only %s -o - \
// RUN:   | FileCheck %s
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_60 -S -foffload-device-only %s -o - \
// RUN:   | FileCheck %s --check-prefixes=OLD
#include <atomic>
#include <xcc/xcc.h>

// CHECK-LABEL: .visible .entry {{.*}}relaxed{{.*[(]$}}
// CHECK-NOT: fence
// CHECK: atom.global.add.f32
// CHECK: atom.global.add.f64
// CHECK: atom.global.add.f32
// CHECK: atom.shared.add.f32
// CHECK-NOT: fence
// CHECK: ret
static void relaxed(float *f, double *d) {
  constexpr auto order = std::memory_order_relaxed;
  std::atomic_ref<float>(*f).fetch_add(1.5f, order);
  std::atomic_ref<double>(*d).fetch_add(1.5, order);
  f[2] = std::atomic_ref<float>(f[1]).fetch_sub(f[3], order) * 2;
  static xcc::block_shared<float> sum;
  std::atomic_ref<float>(*&sum).fetch_add(f[2], order);
}

// CHECK-LABEL: .visible .entry {{.*}}ordered{{.*[(]$}}
// CHECK: fence.acq_rel.sys
// CHECK-NEXT: atom.global.add.u32
// CHECK-NEXT: atom.global.add.u32
// CHECK-NEXT: fence.acq_rel.sys
// CHECK: fence.sc.sys
// CHECK-NEXT: atom.global.add.f32
// CHECK-NEXT: fence.acq_rel.sys
// OLD-LABEL: .visible .entry {{.*}}ordered{{.*[(]$}}
// OLD: membar.sys
// OLD-NEXT: atom.global.add.u32
// OLD-NEXT: membar.sys
static void ordered(int *i, float *f) {
  std::atomic_ref<int>(*i).fetch_add(1, std::memory_order_release);
  std::atomic_ref<int>(*i).fetch_add(2, std::memory_order_acquire);
  std::atomic_ref<float>(*f) += 1;
}

void launches(float *f, double *d, int *i) {
  xcc::launch({1, 32}, relaxed, f, d);
  xcc::launch({1, 32}, ordered, i, f);
}
