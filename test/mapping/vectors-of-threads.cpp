// A kernel that takes everything by reference is as wide as one that takes
// pointers: what it loads through references does not depend on whether there is
// work for the thread, so it is loaded before the threads' loop, and that runs
// over the threads with work alone.
// RUN: %xcc -O2 -std=c++20 -foffload-device-only -S -emit-llvm %s -o - \
// RUN:   | %FileCheck %s --implicit-check-not=masked
#include <vector>
#include <xcc/xcc.h>

// CHECK-LABEL: define internal void @{{.*}}refer
// CHECK: load <[[N:[0-9]+]] x float>
// CHECK: fmul <[[N]] x float>
void refer(std::vector<float> &y, std::size_t n) {
  float a = 2, b = 1;
  xcc::parallel_for(n, [&](std::size_t i) { y[i] = y[i] * a + b; });
}
