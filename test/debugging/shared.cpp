// gdb prints block-shared variables by their names, on the CPU device: those of functions, of functions that are
// called, and those of the namespace, of which the host has another; and stops behind a barrier when all threads have
// come to it. Without optimisation it knows which thread of which block it stopped in.
// REQUIRES: gdb
// DEFINE: %{gdb} = gdb -nx -q -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on'
// RUN: %xcc -g -O0 %s -o %t
// RUN: %{gdb} -ex 'break reversed' -ex run -ex up -ex 'print tile' -ex 'print all.value[2]' -ex 'delete' -ex continue %t 2>&1 | FileCheck %s
// RUN: %{gdb} -ex 'break product' -ex run -ex up -ex 'print factors' -ex 'delete' -ex continue %t 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: %{gdb} -ex 'break reversed' -ex run -ex up -ex 'print thread_idx' -ex 'print block_idx' -ex continue -ex up -ex 'print thread_idx' -ex 'delete' -ex continue %t 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: %xcc -g -O2 %s -o %t
// RUN: %{gdb} -ex 'break reversed' -ex run -ex up -ex 'print tile' -ex 'print all.value[2]' -ex 'delete' -ex continue %t 2>&1 | FileCheck %s
// CHECK: reversed (
// CHECK: $1 = {value = {0, 2, 4, 6, 8, 10, 12, 14}}
// CHECK: $2 = 6
// CHECK: exited normally
// INDEX: $1 = {x = 0, y = 0, z = 0}
// INDEX: $2 = {x = 0, y = 0, z = 0}
// INDEX: $3 = {x = 1, y = 0, z = 0}
// INDEX: exited normally
// CALLED: scale (v=1)
// CALLED: $1 = {value = {2, 2, 2, 2, 2, 2, 2, 2}}
#include <cstdio>
#include <xcc/xcc.h>

xcc::block_shared<int[4]> all;

[[gnu::noinline]] static int product(int v, int factor) { return v * factor; }
static int scale(int v) {
  static xcc::block_shared<int[8]> factors;
  factors[xcc::thread_idx().x] = 2;
  xcc::sync_block();
  return product(v, factors[xcc::thread_idx().x]);
}
[[gnu::noinline]] static int reversed(int v) { return 7 - v; }

void kernel(int *out) {
  static xcc::block_shared<int[8]> tile;
  const int i = xcc::thread_idx().x;
  tile[i] = i * 2;
  all[i % 4] = i;
  xcc::sync_block();
  out[i] = tile[reversed(i)] + all[i % 4];
}
void scaled(int *out) { out[xcc::thread_idx().x] = scale(1); }

int main() {
  int out[8] = {};
  xcc::launch({{1}, {8}}, kernel, (int *)out);
  xcc::launch({{1}, {8}}, scaled, (int *)out);
  xcc::synchronize();
  std::printf("%d\n", out[0]);
}
