// XCC_RECORD writes one launch as a folder, and xcc-replay runs it again: where it
// was recorded and on other devices, with other shapes, with other code.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -std=c++20 -O1 -g --offload-arch=host,sm_90,gfx1100 -foffload-no-cubin %s -o %t
// RUN: rm -rf %t.host %t.cuda %t.hsa %t.beyond %t.graph %t.small %t.copy
// RUN: env XCC_RECORD=%t.host:add:2 XCC_DEVICE=host %t add | FileCheck %s --check-prefix=SUM
// RUN: env XCC_RECORD=%t.cuda:add:2 XCC_DEVICE=sim:sm_90 %t add | FileCheck %s --check-prefix=SUM
// RUN: env XCC_RECORD=%t.hsa:add:2 XCC_DEVICE=sim:gfx1100 %t add | FileCheck %s --check-prefix=SUM
// SUM: 12 22
//
// Each on each.
// RUN: env XCC_SIM_CHECK=all bash -c 'for f in host cuda hsa; do for d in host sim:sm_90 sim:gfx1100; do %xcc-replay --device=$d %t.$f || exit 1; done; done' 2>&1 | FileCheck %s --check-prefix=EACH
// EACH: kernel add on host, recorded on host: a grid of 2 x 1 x 1 blocks of 64 x 1 x 1 threads
// EACH-NEXT: bytes of memory are as recorded
// EACH: kernel add on sim:sm_90, recorded on host
// EACH: kernel add on sim:gfx1100, recorded on host
// EACH: kernel add on host, recorded on sim:sm_90
// EACH: kernel add on sim:sm_90, recorded on sim:sm_90
// EACH: kernel add on sim:gfx1100, recorded on sim:sm_90
// EACH: kernel add on host, recorded on sim:gfx1100
// EACH: kernel add on sim:sm_90, recorded on sim:gfx1100
// EACH: kernel add on sim:gfx1100, recorded on sim:gfx1100
// EACH-NEXT: bytes of memory are as recorded
//
// The user's alone.
// RUN: bash -c 'stat -c "%%A %%n" %t.host %t.host/*' | FileCheck %s --check-prefix=RIGHTS
// RIGHTS: drwx------
// RIGHTS-COUNT-5: -rw-------
//
// RUN: %xcc-replay --show %t.cuda | FileCheck %s --check-prefix=SHOW
// SHOW: kernel add ({{.*}}replay.cpp:[[#]])
// SHOW-NEXT: launched at {{.*}}replay.cpp:[[#]], a grid of 2 x 1 x 1 blocks of 64 x 1 x 1 threads
// SHOW-NEXT: recorded on sim:sm_90 (sm_90); it ended
// RUN: %xcc-replay --repeat=3 %t.host | FileCheck %s --check-prefix=TIMES
// TIMES: 3 runs, milliseconds with the wait: least
// RUN: %not %xcc-replay --block=32 %t.host | FileCheck %s --check-prefix=SHAPE
// SHAPE: blocks of 32 x 1 x 1 threads
// SHAPE: of the {{.*}} bytes at 0x{{.*}} differ:
// SHAPE-NEXT: byte 256: 0x00000082 (130, {{.*}}), recorded 0x00000103 (259,
//
// Other code: the same kernel, compiled anew; and one that computes something else.
// RUN: %xcc -std=c++20 -O0 --offload-arch=host -DOTHER %s -o %t.other
// RUN: %not %xcc-replay --image=%t.other %t.host | FileCheck %s --check-prefix=OTHER
// OTHER: byte 0: 0x00000000 (0, {{.*}}), recorded 0x00000003 (3,
// RUN: %xcc-replay --image=%t --device=sim:gfx1100 %t.host | FileCheck %s --check-prefix=SAME
// SAME: bytes of memory are as recorded
//
// Less memory.
// RUN: bash -c 'for f in host cuda hsa; do %xcc-replay --shrink %t.$f && %xcc-replay %t.$f || exit 1; done' | FileCheck %s --check-prefix=SHRINK
// SHRINK-COUNT-3: {{^[0-9][0-9][0-9][0-9]}} of {{[0-9]+}} bytes of memory are left
//
// What is wrong and not seen on the CPU device is found by a simulator, also with
// less memory.
// RUN: env XCC_RECORD=%t.beyond:beyond XCC_DEVICE=host %t beyond | FileCheck %s --check-prefix=BEYOND
// BEYOND: beyond
// RUN: bash -c '! %xcc-replay --device=sim:sm_90 %t.beyond && %xcc-replay --device=sim:sm_90 --shrink %t.beyond && ! %xcc-replay --device=sim:sm_90 %t.beyond' 2>&1 | FileCheck %s --check-prefix=FOUND
// FOUND: replay.cpp:[[#AT:]]
// FOUND: the launch failed: kernel 'beyond'
// FOUND: {{^[0-9]+}} of {{[0-9]+}} bytes of memory are left
// FOUND: replay.cpp:[[#AT]]
// FOUND: the launch failed: kernel 'beyond'
//
//
// Launches of a graph.
// RUN: env XCC_RECORD=%t.graph:step:3 XCC_DEVICE=host %t graph | FileCheck %s --check-prefix=GRAPH
// RUN: %xcc-replay %t.graph | FileCheck %s --check-prefix=SAME
// GRAPH: 8
//
// What is wrong is said.
// RUN: %not --crash env XCC_RECORD=%t.host XCC_DEVICE=host %t add 2>&1 | FileCheck %s --check-prefix=EXISTS
// EXISTS: XCC_RECORD: cannot make the folder {{.*}}.host: File exists; name a folder that does not exist
// RUN: env XCC_RECORD=%t.none:subtract XCC_DEVICE=host %t add 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: XCC_RECORD: nothing was recorded: 0 launches of the process are of a kernel 'subtract', and number 1 was requested
// RUN: %not --crash env XCC_RECORD=:add XCC_DEVICE=host %t add 2>&1 | FileCheck %s --check-prefix=SETTING
// SETTING: XCC_RECORD=:add: expected DIRECTORY, DIRECTORY:KERNEL or DIRECTORY:KERNEL:NUMBER
// RUN: %not --crash env XCC_RECORD=%t.none XCC_CPU_SEPARATE=0 XCC_DEVICE=host %t add 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: XCC_RECORD cannot record what kernels reach while XCC_CPU_SEPARATE=0
// RUN: %not --crash env XCC_RECORD=%t.small XCC_DEVICE=host bash -c 'ulimit -f 90; exec %t add' 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: XCC_RECORD: cannot write {{.*}}.small/before: File too large
//
// RUN: %not %xcc-replay %t.none 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: xcc-replay: {{.*}}.none/launch.json: No such file or directory
// RUN: cp -r %t.host %t.copy
// RUN: bash -c 'printf x | dd of=%t.copy/before conv=notrunc status=none'
// RUN: %not %xcc-replay %t.copy 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: xcc-replay: the record is damaged: {{.*}}.copy/before has [[#]] bytes with the hash
// RUN: bash -c 'truncate -s 100 %t.copy/launch.json'
// RUN: %not %xcc-replay %t.copy 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: .copy/launch.json is no record of a launch:
// RUN: %not %xcc-replay --device=sim:sm_75 %t.host 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: xcc-replay: kernel 'add' has no image that device 0 (sim:sm_75, sm_75) can run; the program holds
// RUN: %not %xcc-replay --image=%s %t.host 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: replay.cpp: the file
// RUN: %not %xcc-replay --grid=0 %t.host 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: --grid: '0' is no number from 1 on

#include <cstdio>
#include <cstring>
#include <vector>
#include <xcc/xcc.h>

struct node {
  int value;
  node *next;
};

/// Follows addresses in memory.
static void add(node *nodes, std::vector<int> &sum, int n) {
  const int i = int(xcc::global_id());
#ifdef OTHER
  if (i < n)
    sum[i] = nodes[i].value;
#else
  if (i < n)
    sum[i] += nodes[i].value + nodes[i].next->value;
#endif
}

/// The last thread reads what is behind the end.
static void beyond(node *nodes, int *out, int n) {
  const int i = int(xcc::global_id());
  if (i < n)
    out[i] = nodes[i + 1].value;
}

static void step(int *out) { out[xcc::global_id()] *= 2; }

constexpr int n = 100;

/// A ring in memory of the device, and the sum of launches before.
struct data {
  data() {
    std::vector<node> list(n);
    for (int i = 0; i != n; ++i)
      list[i] = {i, nodes.data() + (i + 1) % n};
    nodes.copy_from(list.data(), n);
  }
  xcc::buffer<node> nodes{n};
  xcc::buffer<char> unused{100000};
  xcc::buffer<int> out{n};
};

static void addTwice(data &d) {
  std::vector<int> sum(n, 1);
  xcc::launch({{2}, {64}}, add, d.nodes.data(), sum, n);
  xcc::launch({{2}, {64}}, add, d.nodes.data(), sum, n);
  xcc::synchronize();
  std::printf("%d %d\n", sum[2] + 1, sum[5] - 1);
}

/// Each launch of the graph doubles.
static void graph(data &d) {
  std::vector<int> ones(n, 1);
  d.out.copy_from(ones.data(), n);
  xcc::stream s;
  auto doubled = xcc::graph::record(
      s, [&] { xcc::launch({{1}, {n}, 0, s}, step, d.out.data()); });
  for (int i = 0; i != 3; ++i)
    doubled.replay(s);
  s.synchronize();
  d.out.copy_to(ones.data(), n);
  std::printf("%d\n", ones[7]);
}

int main(int, char **arguments) {
  data d;
  if (!std::strcmp(arguments[1], "add")) {
    addTwice(d);
  } else if (!std::strcmp(arguments[1], "graph")) {
    graph(d);
  } else {
    xcc::launch({{2}, {64}}, beyond, d.nodes.data(), d.out.data(), n);
    xcc::synchronize();
    std::puts("beyond");
  }
}
