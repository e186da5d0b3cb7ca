// A GPU has no thread_local variables: what a kernel reaches of them is an error
// where it stands, also in another file, and nowhere else.
// RUN: split-file %s %t
// RUN: not %xcc -offload-arch=sm_90 -foffload-no-cubin -fsyntax-only %t/main.cpp 2>&1 | FileCheck %t/main.cpp
// RUN: not %xcc -offload-arch=gfx90a -fsyntax-only %t/main.cpp 2>&1 | FileCheck %t/main.cpp
// RUN: not %xcc -offload-arch=gfx1100 -fsyntax-only %t/main.cpp 2>&1 | FileCheck %t/main.cpp
// RUN: %xcc -offload-arch=host -fsyntax-only %t/main.cpp
//
// RUN: %xcc -offload-arch=gfx1100,host -foffload-export -c %t/other.cpp -o %t/other.o
// RUN: %xcc -offload-arch=gfx1100,host -c %t/uses.cpp -o %t/uses.o
// RUN: not %xcc -offload-arch=gfx1100,host %t/uses.o %t/other.o -o %t/program 2>&1 | FileCheck %t/other.cpp --check-prefix=LINK
// RUN: %xcc -offload-arch=host %t/uses.o %t/other.o -o %t/program
#--- main.cpp
#include <xcc/xcc.h>
thread_local int counter;
int unreached() { return ++counter; }
struct Class {
  static thread_local int member;
};
int next() {
  static thread_local int calls = 0;
  return ++calls;
}
void k(int *p) {
  *p = counter;
  // CHECK: main.cpp:[[#@LINE-1]]:8: error: device code uses the thread_local variable 'counter'
  // CHECK: main.cpp:2:18: note: declared here; a local variable is already one per device thread
  // CHECK: note: in kernel 'k', which is launched here
  *p += Class::member;
  // CHECK: main.cpp:[[#@LINE-1]]:9: error: device code uses the thread_local variable 'member'
  *p += next();
  // CHECK: main.cpp:8:27: error: device code uses the thread_local variable 'calls'
}
void other(int *p) { *p = 1; }
int main() {
  xcc::launch({{1}, {1}}, other, nullptr);
  xcc::launch({{1}, {1}}, k, nullptr);
}
#--- other.cpp
thread_local int calls;
int offered() { return ++calls; }
// LINK: other.cpp:[[#@LINE-1]]:26: error: device code uses the thread_local variable 'calls'
// LINK: note: 'offered()' is called by 'k(int*)' here
#--- uses.cpp
#include <xcc/xcc.h>
int offered();
void k(int *p) { *p = offered(); }
int main() { xcc::launch({{1}, {1}}, k, nullptr); }
