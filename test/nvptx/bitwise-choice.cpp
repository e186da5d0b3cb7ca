// The bitwise choice of hash functions stays one value, which the GPU computes by
// one instruction, also within a sum.
// RUN: %xcc -O2 -S -emit-llvm -foffload-device-only -offload-arch=sm_90 -o - %s | FileCheck %s
#include <xcc/xcc.h>

// CHECK: define {{.*}}6kernel
// CHECK: [[CHOICE:%.*]] = or disjoint i32
// CHECK-NEXT: add i32 {{.*}}[[CHOICE]]
void kernel(unsigned *p, unsigned e, unsigned f, unsigned g, unsigned h, unsigned w) {
  *p = h + ((e & f) ^ (~e & g)) + w + p[1];
}
void start(unsigned *p) { xcc::launch({{1}, {1}}, kernel, p, 1u, 2u, 3u, 4u, 5u); }
