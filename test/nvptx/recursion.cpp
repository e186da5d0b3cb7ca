// Lanes that recurse to different depths return one after the other. Behind each
// call that may recurse they wait for those that called with them; behind other
// calls, and those that do not return, nothing is added.
//
// RUN: %xcc -std=c++20 -O0 -offload-arch=sm_90 -S -emit-llvm -foffload-device-only %s -o %t0
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -S -emit-llvm -foffload-device-only %s -o %t2
// RUN: FileCheck %s -DF=directly -DCALLED=steps --input-file=%t0
// RUN: FileCheck %s -DF=steps -DCALLED=steps --input-file=%t0
// RUN: FileCheck %s -DF=directly -DCALLED=steps --input-file=%t2
// RUN: FileCheck %s -DF=steps -DCALLED=steps --input-file=%t2
// RUN: FileCheck %s -DF=by_virtual_calls "-DCALLED= %%" --input-file=%t2
// RUN: FileCheck %s -DF=4tree3sum "-DCALLED= %%" --input-file=%t2
// CHECK: define {{.*}}@{{.*}}[[F]]
// CHECK: call {{.*}}[[CALLED]]
// CHECK-NEXT: call {{.*}}bar.warp.sync
// CHECK: ret
//
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t2
// NONE: define {{.*}}@{{.*}}without
// NONE-NOT: bar.warp.sync
// NONE: {{^}}}
//
// AMD GPUs take all lanes of a wave to the end of a call.
// RUN: %xcc -std=c++20 -O2 -offload-arch=gfx1100 -S -emit-llvm -foffload-device-only %s -o - \
// RUN:   | FileCheck --check-prefix=AMD %s
// AMD: define {{.*}}directly
// AMD-NOT: wave.barrier
// AMD: {{^}}}
#include <xcc/xcc.h>

#define FUNCTION [[gnu::noinline]] static
FUNCTION unsigned steps(unsigned n) {
  return n < 2 ? 0 : 1 + steps(n % 2 ? 3 * n + 1 : n / 2) % 1000;
}
FUNCTION unsigned plain(unsigned n) { return n * 77 + (n >> 3); }

void directly(unsigned *p) {
  unsigned i = xcc::thread_idx().x;
  p[i] = steps(p[i]);
}
void without(unsigned *p) {
  unsigned i = xcc::thread_idx().x;
  p[i] = plain(p[i]);
}

struct tree {
  unsigned value;
  tree *left = nullptr;
  virtual unsigned sum() const;
};
unsigned tree::sum() const { return left ? value + left->sum() * 3 : value; }
struct leaf : tree {
  unsigned sum() const override { return value * 5; }
};
void by_virtual_calls(tree **nodes, unsigned *p) {
  unsigned i = xcc::thread_idx().x;
  p[i] = nodes[i]->sum();
}

int main() {
  unsigned *p = nullptr;
  xcc::launch({{1}, {32}}, directly, p);
  xcc::launch({{1}, {32}}, without, p);
  xcc::launch({{1}, {32}}, by_virtual_calls, static_cast<tree **>(nullptr), p);
  xcc::parallel_for(1, [p](std::size_t) {
    new (p) tree;
    new (p + 8) leaf;
  });
}
