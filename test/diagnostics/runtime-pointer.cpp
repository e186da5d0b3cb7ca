// A function pointer that only the run time knows names no kernel.
// RUN: not %xcc -fsyntax-only %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>

void run(void (*pointer)(int), bool which, void (*a)(int)) {
  // CHECK: runtime-pointer.cpp:[[#@LINE+1]]:27: error: a kernel must be known at compile time, and this function pointer is only known at run time
  xcc::launch({{1}, {1}}, pointer, 1);
  // CHECK: runtime-pointer.cpp:[[#@LINE-1]]:27: note: pass the function's name, make it an 'auto' template parameter, or call it from a lambda
}
// CHECK: 1 error generated.
