// What ends a launch early traps: a throw, a failed assertion, abort, and code that
// cannot be reached, which would run on into the next function.
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck %s
// RUN: %amdgcn -offload-arch=gfx90a %s | FileCheck --check-prefix=NONE %s
// NONE-NOT: {{__cxa|_Unwind|_ZTI|12345|0x3039}}
#include <cassert>
#include <stdexcept>
#include <xcc/xcc.h>

// CHECK: __xcc_trap:
// CHECK: s_trap 2
// CHECK-LABEL: {{^}}{{.*}}6throws{{.*}}:
// CHECK: __xcc_throw@
// CHECK: s_swappc_b64
void throws(int *p) {
  if (p[0])
    throw std::runtime_error("no");
  p[1] = 3;
}
// CHECK-LABEL: {{^}}{{.*}}7asserts{{.*}}:
// CHECK: __assert_fail@
void asserts(int *p) { assert(p[0]); }
// CHECK-LABEL: {{^}}{{.*}}5again{{.*}}:
// CHECK: __xcc_throw@
// What throws again is no handler.
void again(int *p) {
  try {
    if (p[0])
      throw 3;
  } catch (...) {
    p[1] = 12345;
    throw;
  }
}
// CHECK-LABEL: {{^}}{{.*}}7nothing{{.*}}:
// CHECK-NOT: {{^}}_Z
// CHECK: s_trap 2
void nothing(int *p) {
  if (p[0])
    p[1] = 3;
  __builtin_unreachable();
}

void start(int *p) {
  xcc::launch({{1}, {1}}, throws, p);
  xcc::launch({{1}, {1}}, asserts, p);
  xcc::launch({{1}, {1}}, again, p);
  xcc::launch({{1}, {1}}, nothing, p);
}
