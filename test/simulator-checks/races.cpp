// Races in device and in shared memory, on simulated GPUs (XCC_SIM_CHECK), and
// programs that order the same accesses; suppressions, and the report in JSON.
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
// RUN: env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx1100 %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %not env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx1100 %t sum neighbour block global shared >%t.amd 2>&1
// RUN: FileCheck %s --check-prefix=AMD < %t.amd
//
// Code with marks says what orders lanes, and what is atomic.
// RUN: %xcc -std=c++20 -g -O1 -offload-arch=gfx90a -foffload-red-zones %s -o %t.marked
// RUN: env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx90a %t.marked right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: %not env XCC_SIM_CHECK=races XCC_DEVICE=sim:gfx90a %t.marked sum neighbour early block global shared >%t.marks 2>&1
// RUN: FileCheck %s --check-prefix=MARKED < %t.marks
//
// RUN: %not env XCC_SIM_CHECK=initial XCC_DEVICE=sim:sm_90 %t right 2>&1 | FileCheck %s --check-prefix=SETTING
//
// What is known may be suppressed, and all is told to machines.
// RUN: bash -c 'printf "# known\nraces:*shift(values&, bool)*\ninit:*\n" >%t.known; printf "race:x\n" >%t.bad'
// RUN: env XCC_SIM_SUPPRESS=%t.known XCC_SIM_CHECK=races XCC_SIM_REPORT=%t.json XCC_DEVICE=sim:sm_90,gfx1100 %t block 2>&1 | FileCheck %s --check-prefix=HIDDEN
// RUN: %not env XCC_SIM_SUPPRESS=%t.known XCC_SIM_CHECK=races XCC_SIM_REPORT=%t.json XCC_DEVICE=sim:sm_90,gfx1100 %t block sum 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=JSON
// RUN: %not env XCC_SIM_SUPPRESS=%t.bad XCC_SIM_CHECK=races XCC_DEVICE=sim:sm_90 %t sum 2>&1 | FileCheck %s --check-prefix=BAD
// HIDDEN-NOT: race:
// HIDDEN: block
// HIDDEN-NOT: race:
// HIDDEN: simulator: XCC_SIM_SUPPRESS hides 1 fault
// COUNTS: a race:
// COUNTS: sum
// COUNTS: simulator: XCC_SIM_CHECK found
// COUNTS: simulator: XCC_SIM_SUPPRESS hides 1 fault
// JSON: "checks": "races",
// JSON-NEXT: "suppressed": 1,
// JSON: "simulator": "nvidia",
// JSON-NEXT: "kind": "races",
// JSON-NEXT: "kernel": "void xcc::object_kernel<{{.*}}main{{.*}}",
// JSON-NEXT: "symbol": "_Z{{[^ ]*}}",
// JSON-NEXT: "functions": [
// JSON: "file": "{{.*}}",
// JSON-NEXT: "line": {{[1-9]}}
// JSON: "message": "a race: thread
// BAD: line 1: 'race:x': memory, races, init, sync, note, other or *, a colon and a function's name were expected
//
// RIGHT-NOT: race
// RIGHT: right
// RIGHT-NOT: race
// UNASKED-NOT: race
// UNASKED: sum
// AMD: a race: thread 31 of block 0 has written, at '{{.*}}races.cpp:{{.*}}byte {{[0-9]+}} of an allocation of {{[0-9]+}} bytes, which thread 32 of block 0 {{.*}} with no barrier or atomic operation in between: {{.*}}
// AMD: sum
// AMD: a race: thread 31 of block 0 has read, at {{.*}} which thread 32 of block 0 writes with no barrier or atomic operation
// AMD: neighbour
// AMD: a race: thread 31 of block 0 has written, {{.*}} which thread 32 of block 0 reads with no barrier
// AMD: block
// AMD: which thread 0 of block 1 {{.*}} with no atomic operations in between: {{.*}}races.cpp:
// AMD: global
// AMD: a race: {{.*}} shared memory that thread {{.*}} with no barrier in between: {{.*}}races.cpp:
// AMD: shared
// AMD: simulator: XCC_SIM_CHECK found
// MARKED: a race: thread {{[0-9]+}} of block 0 has {{.*}} byte {{[0-9]+}} of an allocation of {{[0-9]+}} bytes, which thread {{[0-9]+}} of block 0 {{.*}} with no barrier or atomic operation in between: {{.*}}
// MARKED: sum
// MARKED: a race: {{.*}} which thread {{[0-9]+}} of block 0 writes with no barrier or atomic operation
// MARKED: neighbour
// MARKED: a race: thread 0 of block 0 has written, {{.*}} which thread 0 of block 7 reads with no atomic operations in between
// MARKED: early
// MARKED: a race: thread 0 of block 0 has written, {{.*}} which thread 1 of block 0 reads with no barrier
// MARKED: block
// MARKED: which thread 0 of block 1 {{.*}} with no atomic operations in between: {{.*}}races.cpp:
// MARKED: global
// MARKED: a race: {{.*}} shared memory that thread {{.*}} with no barrier in between: {{.*}}races.cpp:
// MARKED: shared
// MARKED: simulator: XCC_SIM_CHECK found
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

/// What one thread has after the other, by a turn in shared memory.
static void turns(values &v) {
  xcc::launch({{1}, {256}}, [&v] {
    static xcc::block_shared<unsigned> turn;
    static xcc::block_shared<int> sum;
    const unsigned t = xcc::thread_idx().x;
    if (!t) {
      turn = 0;
      sum = 0;
    }
    xcc::sync_block();
    if (t % 64 == 0) { // one of a warp
      const std::atomic_ref<unsigned> now(turn);
      while (now.load(std::memory_order_acquire) != t)
        ;
      sum = sum + int(t);
      now.store(t + 64, std::memory_order_release);
    }
    xcc::sync_block();
    v.a[t] = sum;
  });
}

/// A lock, and flags from block to block.
static void flags(values &v) {
  xcc::launch({{8}, {1}}, [&v] {
    const unsigned b = xcc::block_idx().x;
    const std::atomic_ref<unsigned> lock(v.arrived);
    for (unsigned free = 0; !lock.compare_exchange_weak(
             free, 1, std::memory_order_acquire, std::memory_order_relaxed);)
      free = 0;
    v.sum += 1;
    lock.store(0, std::memory_order_release);
    if (b)
      while (!std::atomic_ref(v.part[b - 1]).load(std::memory_order_acquire))
        ;
    v.a[b + 1] = v.a[b] + 1;
    std::atomic_ref(v.part[b]).store(1, std::memory_order_release);
  });
}

static void right(values &v) {
  flags(v);
  turns(v);
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
