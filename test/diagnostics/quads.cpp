// __float128 on a GPU: passed and stored it may be, computed with it may not.
// RUN: not %xcc -O0 -offload-arch=gfx1100 -S -foffload-device-only %s -o %t 2>&1 | FileCheck %s
// RUN: not %xcc -O2 -offload-arch=sm_90 -foffload-no-cubin %s -o %t 2>&1 | FileCheck %s
// RUN: %xcc -O2 -offload-arch=sm_90,gfx1100,host -foffload-no-cubin -DMOVED %s -o %t
#include <xcc/xcc.h>

__attribute__((noinline)) double twice(__float128 x) { return double(x + x); }
struct pair {
  __float128 first;
  double second;
};
void kernel(pair *p) {
#ifdef MOVED
  p[1] = p[0];
#else
  p->second = twice(p->first);
#endif
}
// CHECK: error: 'twice(__float128)', which kernel 'kernel' leads to, computes with __float128, which {{sm_90|gfx1100}} has no code for
// CHECK: note: such numbers can be passed and stored there; compute with double
int main() { xcc::launch({1, 1}, kernel, nullptr); }
