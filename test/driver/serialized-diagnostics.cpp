// --serialize-diagnostics holds what every pass says, each said once, and
// nothing of an earlier compile.
// RUN: not %xcc -Wno-offload-lifetime -Wno-offload-race -DWRONG -Wall --offload-arch=host,sm_90 --serialize-diagnostics %t.dia -c %s -o %t.o
// RUN: c-index-test -read-diagnostics %t.dia 2>&1 | FileCheck %s
// RUN: not %xcc -Wno-offload-lifetime -Wno-offload-race -DWRONG -Wall --offload-arch=host,sm_90 -foffload-device-only --serialize-diagnostics %t.dia -c %s -o %t.o
// RUN: c-index-test -read-diagnostics %t.dia 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -Wall --offload-arch=host,sm_90 --serialize-diagnostics %t.dia -c %s -o %t.o
// RUN: c-index-test -read-diagnostics %t.dia 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: not %xcc -Wno-offload-lifetime -Wno-offload-race -DWRONG -Wall --offload-arch=host,sm_90 -fdiagnostics-format=sarif -c %s -o %t.o 2> %t.sarif
// RUN: %python %S/Inputs/sarif.py %t.sarif | FileCheck %s --check-prefix=SARIF
// CHECK-DAG: :[[#@LINE+14]]:7: warning: unused variable 'unused' [-Wunused-variable]
// CHECK-DAG: :[[#@LINE+15]]:10: error: device code uses the thread_local variable 'per_thread'
// CHECK: Number of diagnostics: 2
// DEVICE: error: device code uses the thread_local variable 'per_thread'
// DEVICE: Number of diagnostics: 1
// RIGHT: warning: unused variable 'unused'
// RIGHT: Number of diagnostics: 1
// SARIF: warning: unused variable 'unused'
// SARIF: error: device code uses the thread_local variable 'per_thread'
// SARIF-NOT: {{warning|error}}:
#include <xcc/xcc.h>

thread_local int per_thread;
static int get() {
  int unused;
#ifdef WRONG
  return per_thread;
#endif
  return 1;
}
int main() {
  int number = 0, *out = &number;
  xcc::launch({{1}, {1}}, [=] { *out = get(); });
}
