// What cannot be a host call is refused where it is written.
// RUN: not %xcc -std=c++20 -fsyntax-only %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>
#include <vector>

struct Object {
  XCC_HOST void method(); // CHECK-DAG: refused.cpp:[[#@LINE]]:17: note: 'method' is declared here; make it static, or call it in a lambda that xcc::host_call runs
};
static void vector(std::vector<int>);
static void callback(void (*)());
static std::vector<int> result();
XCC_HOST void marked();

static void kernel(Object *o, void (*pointer)(int)) {
  // CHECK-DAG: refused.cpp:[[#@LINE+1]]:6: error: a member function that needs an object cannot be marked as one that runs on the host
  o->method();
  // CHECK-DAG: refused.cpp:[[#@LINE+1]]:18: error: a function that the host is to run must be known at compile time, and this pointer is only known at run time
  xcc::host_call(pointer, 1);
}
static void types() {
  // CHECK-DAG: error: {{.*}}a parameter of a host call cannot be moved to the host
  xcc::host_call(callback, nullptr);
  // CHECK-DAG: error: {{.*}}the result of a host call must be void or trivially copyable
  xcc::host_call(result);
}
int main() {
  xcc::launch({1, 1}, kernel, nullptr, nullptr);
  xcc::launch({1, 1}, types);
}
