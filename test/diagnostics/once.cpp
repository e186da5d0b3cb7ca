// Both passes find the same warning; it is printed once.
// RUN: %xcc -Wall -fsyntax-only %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>

// CHECK: warning: unused variable 'unused'
// CHECK-NOT: unused variable
// CHECK: 1 warning generated.
void kernel(int *p) { int unused = 3; *p = 1; }
void run(int *p) { xcc::launch({{1}, {1}}, kernel, p); }
