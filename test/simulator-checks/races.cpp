// Races in device and in shared memory, on the NVIDIA simulator (XCC_SIM_CHECK),
// and programs that order the same accesses.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -g -O1 -offload-arch=sm_90,gfx1100 -foffload-no-cubin %s -o %t
// RUN: %not env XCC_SIM_CHECK=races XCC_DEVICE=sim:sm_90 %t sum neighbour early block global shared >%t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: bash -c 'XCC_SIM_CHECK=races XCC_DEVICE=sim:sm_90 %t sum three; test $? = 3' 2>&1 | FileCheck %s --check-prefix=STATUS
// STATUS: XCC_SIM_CHECK found
// RUN: env XCC_SIM_CHECK=races XCC_DEVICE=sim:sm_90 %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: env XCC_SIM_CHECK=memory XCC_DEVICE=sim:sm_90 %t sum 2>&1 | FileCheck %s --check-prefix=UNASKED
// RUN: env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx1100 %t right 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: %not env XCC_SIM_CHECK=initial XCC_DEVICE=sim:sm_90 %t right 2>&1 | FileCheck %s --check-prefix=SETTING
// RIGHT-NOT: race
// RIGHT: right
// RIGHT-NOT: race
// UNASKED-NOT: race
// UNASKED: sum
// AMD: simulator: XCC_SIM_CHECK=races: not checked on AMD GPUs
// AMD: right
// SETTING: simulator: XCC_SIM_CHECK=initial: memory, races, init, sync or all was expected

#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

static int counter;

struct values {
  std::vector<int> a = std::vector<int>(512, 1), part = std::vector<int>(8);
  int sum = 0;
  unsigned arrived = 0;
};

/// A sum by the block that comes last. Early: it counts before it writes.
static void last(values &v, bool early) {
  xcc::launch({{8}, {64}}, [&v, early] {
    const unsigned t = xcc::thread_idx().x, b = xcc::block_idx().x;
    if (t)
      return;
    if (!early)
      v.part[b] = 64;
    if (std::atomic_ref(v.arrived).fetch_add(1) == 7) {
      int sum = 0;
      for (int p : v.part) // EARLY
        sum += p;
      v.sum = sum;
    }
    if (early)
      v.part[b] = 64;
  });
}

/// Each thread takes what the one before has written.
static void shift(values &v, bool waits) {
  xcc::launch({{1}, {64}}, [&v, waits] {
    const unsigned t = xcc::thread_idx().x;
    v.a[t] = int(t);
    if (waits)
      xcc::sync_block();
    if (t)
      v.a[256 + t] = v.a[t - 1]; // BLOCK
  });
}

static void shiftShared(values &v, bool waits) {
  xcc::launch({{2}, {64}}, [&v, waits] {
    static xcc::block_shared<int[64]> row;
    const unsigned t = xcc::thread_idx().x;
    row[t] = int(t);
    if (waits)
      xcc::sync_block();
    v.a[64 * xcc::block_idx().x + t] = row[63 - t]; // SHARED
  });
}

static void right(values &v) {
  last(v, false);
  shift(v, true);
  shiftShared(v, true);
  xcc::parallel_for(512, [&](std::size_t i) {
    std::atomic_ref(v.sum) += v.a[i];
    int *own = new int(int(i)); // memory that other threads had before
    v.a[i] = *own;
    delete own;
  });
}

int main(int count, char **words) {
  for (int i = 1; i < count; ++i) {
    values v;
    auto is = [&](const char *word) { return !std::strcmp(words[i], word); };
    if (is("sum"))
      xcc::parallel_for(512, [&](std::size_t i) { v.sum += v.a[i]; }); // SUM
    else if (is("neighbour"))
      xcc::parallel_for(511, [&](std::size_t i) { v.a[i] = v.a[i + 1]; });
    else if (is("early"))
      last(v, true);
    else if (is("block"))
      shift(v, false);
    else if (is("global"))
      xcc::launch({{4}, {1}}, [] { ++counter; }); // GLOBAL
    else if (is("three"))
      return 3; // what a program says stays
    else if (is("shared"))
      shiftShared(v, false);
    else
      right(v);
    xcc::synchronize();
    std::fprintf(stderr, "%s\n", words[i]);
  }
}

// CHECK: a race: thread {{[0-9]+}} of block 0 has {{.*}}races.cpp:{{.*}}byte {{[0-9]+}} of an allocation of {{[0-9]+}} bytes, which thread {{[0-9]+}} of block 0 {{.*}} with no barrier or atomic operation in between: {{.*}}races.cpp:
// CHECK: sum
// CHECK: a race: thread 0 of block 0 has read, at {{.*}} which thread 1 of block 0 writes with no barrier or atomic operation
// CHECK: neighbour
// CHECK: a race: thread 0 of block 0 has written, {{.*}} which thread 0 of block 7 reads with no atomic operations in between
// CHECK: early
// CHECK: a race: thread 0 of block 0 has written, {{.*}} which thread 1 of block 0 reads with no barrier
// CHECK: block
// CHECK: byte 0 of variable '{{.*}}counter{{.*}}', which thread 0 of block 1
// CHECK: global
// CHECK: a race: {{.*}} shared memory that thread
// CHECK: shared
// CHECK: simulator: XCC_SIM_CHECK found
