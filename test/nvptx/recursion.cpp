// Lanes that recurse to different depths may return one after the other, which ptxas
// does not expect after a call that it can follow. So a call that may recurse goes
// through a pointer; other calls stay as they are.
//
// RUN: %xcc -std=c++20 -O0 -offload-arch=sm_90 -S -foffload-device-only %s -o %t0
// RUN: %xcc -std=c++20 -O2 -offload-arch=sm_90 -S -foffload-device-only %s -o %t2
// RUN: FileCheck %s --input-file=%t0
// RUN: FileCheck %s --input-file=%t2
// CHECK: .const .align 8 .u64 [[P:__xcc_calls[$0-9]*]] = {{.*}}steps
// CHECK: .entry {{.*}}directly
// CHECK: ld.const.b64 [[R:%rd[0-9]+]], {{\[}}[[P]]];
// CHECK: call (retval0), [[R]],
// CHECK: .entry {{.*}}without
// CHECK: call{{(.uni)?}} (retval0), {{.*}}plain
//
// AMD GPUs take all lanes of a wave to the end of a call.
// RUN: %xcc -std=c++20 -O2 -offload-arch=gfx1100 -S -emit-llvm -foffload-device-only %s -o - \
// RUN:   | FileCheck --check-prefix=AMD %s
// AMD-NOT: __xcc_calls
// AMD: call {{.*}}steps
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

int main() {
  unsigned *p = nullptr;
  xcc::launch({{1}, {32}}, directly, p);
  xcc::launch({{1}, {32}}, without, p);
}
