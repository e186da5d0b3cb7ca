// Programs that do not wait for a stream get what was there before: the simulators
// begin its work when somebody waits for it. With a seed, streams that nobody makes
// wait for each other are done in one order or the other.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -O1 -std=c++20 -offload-arch=sm_90,gfx90a -foffload-no-cubin %s -o %t
// RUN: env XCC_SIM_STREAMS=latest %on-cuda %t | FileCheck %s
// RUN: env XCC_SIM_STREAMS=latest %on-hsa %t | FileCheck %s
// RUN: %on-cuda %t spin | FileCheck %s --check-prefix=SPIN
// RUN: %on-hsa %t spin | FileCheck %s --check-prefix=SPIN
// RUN: env XCC_SIM_STREAMS=random:3 %on-cuda %t order | FileCheck %s --check-prefix=ORDER
// RUN: env XCC_SIM_STREAMS=random:3 %on-hsa %t order | FileCheck %s --check-prefix=ORDER
// RUN: %not env XCC_SIM_STREAMS=soon %on-cuda %t 2>&1 | FileCheck %s --check-prefix=SETTING
// SETTING: simulator: XCC_SIM_STREAMS=soon: early, late, latest or random:SEED was expected

#include <atomic>
#include <cstdio>
#include <cstring>
#include <xcc/xcc.h>

void set(int *p, int value) { *p = value; }

static xcc::host_buffer<int> &locked() {
  static auto &memory = *new xcc::host_buffer<int>(2);
  return memory;
}

static void forget() {
  xcc::host_buffer<int> &host = locked();
  xcc::buffer<int> b(1);
  xcc::stream s, other;
  int own = 0;
  // CHECK: a launch: 0 1
  xcc::launch({{1}, {1}, 0, s}, set, host.data(), 1);
  std::printf("a launch: %d ", own = host[0]);
  s.synchronize();
  std::printf("%d\n", host[0]);
  // CHECK: a copy: 1 2
  xcc::launch({{1}, {1}, 0, s}, set, b.data(), 2);
  s.copy(host.data(), b.data(), 1);
  std::printf("a copy: %d ", host[0]);
  s.synchronize();
  std::printf("%d\n", host[0]);
  // CHECK: a source that changes: 4
  host[1] = 3;
  s.copy(b.data(), host.data() + 1, 1);
  host[1] = 4;
  s.copy(host.data(), b.data(), 1);
  s.synchronize();
  std::printf("a source that changes: %d\n", host[0]);
  // CHECK: another stream: 4 5
  xcc::launch({{1}, {1}, 0, s}, set, b.data(), 5);
  other.copy(host.data(), b.data(), 1);
  other.synchronize();
  std::printf("another stream: %d ", host[0]);
  xcc::event set;
  set.record(s);
  other.wait(set);
  other.copy(host.data(), b.data(), 1);
  other.synchronize();
  std::printf("%d\n", host[0]);
}

// SPIN: 1
static void spin() {
  xcc::host_buffer<int> &host = locked();
  xcc::launch({{1}, {1}}, set, host.data(), 1);
  while (!std::atomic_ref(host[0]).load())
    ;
  std::printf("%d\n", host[0]);
}

// ORDER: both: 1 1
static void orders() {
  bool seen[3] = {};
  xcc::stream one, two;
  for (int i = 0; i != 40; ++i) {
    xcc::launch({{1}, {1}, 0, one}, set, locked().data(), 1);
    xcc::launch({{1}, {1}, 0, two}, set, locked().data(), 2);
    one.synchronize();
    two.synchronize();
    seen[locked()[0]] = true;
  }
  std::printf("both: %d %d\n", seen[1], seen[2]);
}

int main(int count, char **arguments) {
  locked()[0] = locked()[1] = 0;
  if (count == 1)
    forget();
  else if (!std::strcmp(arguments[1], "spin"))
    spin();
  else
    orders();
}
