// What ends a launch early traps: a throw, a failed assertion, abort. After it
// nothing goes on, and no handler is there.
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -offload-arch=sm_90 %s | FileCheck --check-prefix=NONE %s
// NONE-NOT: {{__cxa|_Unwind|typeinfo|_ZTI|12345}}
#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <xcc/xcc.h>

// CHECK-LABEL: .entry {{.*}}6throws{{.*}}({{$}}
// CHECK: call.uni [[THROW:__xcc_throw]], (
// CHECK: exit;
void throws(int *p) {
  if (p[0])
    throw std::runtime_error("no");
  p[1] = 3;
}
// CHECK-LABEL: .entry {{.*}}7asserts{{.*}}({{$}}
// CHECK: call.uni __assert_fail, (
void asserts(int *p) { assert(p[0]); }
// CHECK-LABEL: .entry {{.*}}6aborts{{.*}}({{$}}
// CHECK: call.uni {{abort|__xcc_trap}}, (
void aborts(int *p) {
  if (p[0])
    std::abort();
}
// CHECK-LABEL: .entry {{.*}}5again{{.*}}({{$}}
// CHECK: call.uni [[THROW]], (
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
// CHECK-LABEL: .func __xcc_trap(
// CHECK: trap;

void start(int *p) {
  xcc::launch({{1}, {1}}, throws, p);
  xcc::launch({{1}, {1}}, asserts, p);
  xcc::launch({{1}, {1}}, aborts, p);
  xcc::launch({{1}, {1}}, again, p);
}
