// What shows in the types and in one translation unit: addresses of the host's
// code among a kernel's arguments, and variables that differ from the host's.
// RUN: not %xcc -Wno-offload-lifetime -Wno-offload-race -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %xcc -Wno-offload-lifetime -Wno-offload-race -Werror -Wno-offload-globals -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WERROR
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -Wno-error=offload-host-code -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -Wno-offload-host-code -Wno-offload-globals -Wall -Werror -c %s -o %t.o
// RUN: not %xcc -Wno-offload-lifetime -Wno-offload-race -Wno-offload-host-code -Werror=offload-globals -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=GLOBALS
// RUN: %xcc -Wno-offload-lifetime -Wno-offload-race -w -Werror -Wno-error=offload-host-code -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: not %xcc -Wno-offload-lifetime -Wno-offload-race -w -Wno-offload-host-code -Werror=offload-globals -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=GLOBALS
// QUIET-NOT: {{.}}
#include <xcc/xcc.h>
struct Shape { virtual int area() const = 0; int x; };
struct Ops { int (*f)(int); };
struct Holder { Ops o; int (Ops::*m)(); };
struct Leads { Shape *s; };
int twice(int x) { return 2 * x; }
void k1(int *o, int (*f)(int)) { *o = f(1); }
void k2(int *o, Holder h) {}
void k3(int *o, Shape *s) { *o = s->area(); }
void k4(int *o, const Leads &l) {}
void k5(int *o, int (&f)(int)) {}
int counter; int table[4]; int only_device; const int fine = 4; static int conf = 3;
struct Node { Node *next; static inline Node *head; Node() : next(head) { head = this; } };
Node n1, n2;
void k6(int *o) { counter++; table[1] = 2; only_device += 1; *o = fine + conf + (Node::head != nullptr); }
int main(int argc, char **) {
  int *o = nullptr;
  xcc::launch({{1},{1}}, k1, o, twice);
  xcc::launch({{1},{1}}, k2, o, Holder{});
  xcc::launch({{1},{1}}, k3, o, nullptr);
  Leads l; xcc::launch({{1},{1}}, k4, o, l);
  auto fp = &twice; xcc::launch({{1},{1}}, [=] { *o = fp(3); });
  Shape *s = nullptr; xcc::parallel_for(3, [=](int i) { *o = s->area(); });
  xcc::launch({{1},{1}}, k6, o);
  conf = argc;
  return counter + table[1];
}

// CHECK-DAG: error: parameter 'f' passes a pointer of type 'int (*)(int)' to the kernel: functions have other addresses on a device than on the host [-Woffload-host-code]
// CHECK-DAG: note: declared here; make the function a template argument, or call it by name in a lambda
// CHECK-DAG: error: parameter 'h' passes a pointer of type 'int (*)(int)' to the kernel
// CHECK-DAG: warning: parameter 's' leads to an object of 'Shape', which has virtual functions: an object that the host made calls the host's functions [-Woffload-host-code]
// CHECK-DAG: warning: parameter 'l' leads to an object of 'Shape'
// CHECK-DAG: error: capture 'fp' passes a pointer
// CHECK-DAG: warning: capture 's' leads to an object of 'Shape'
// CHECK-DAG: warning: a kernel writes the device's copy of 'counter': the host's variable does not change [-Woffload-globals]
// CHECK-DAG: note: the host uses its own here; copy the device's with xcc::symbol(counter), declare an xcc::shared_global for both, or pass the address of memory that both can access, such as an xcc::buffer's
// CHECK-DAG: warning: a kernel writes the device's copy of 'table'
// CHECK-DAG: warning: a kernel reads the device's copy of 'conf': it does not get what the host writes to its variable [-Woffload-globals]
// CHECK: 6 warnings and 3 errors generated.
// WERROR: 6 errors generated.
// WARN: 9 warnings generated.
// GLOBALS: 3 errors generated.
