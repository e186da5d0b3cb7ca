// A function's static variable is one for all its activations, also when the
// function calls itself.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/xcc.h>

[[gnu::noinline]] int last(int n, int *trace) {
  static int x;
  x = n;
  if (trace[n])
    trace[n] += last(n - 1, trace);
  return x;
}
void kernel(int *p) { p[0] = last(p[1], p); }

int main() {
  int here[8] = {0, 3, 1, 1, 1}, there[8] = {0, 3, 1, 1, 1};
  xcc::buffer<int> p(8);
  p.copy_from(there, 8);
  xcc::launch({1, 1}, kernel, p.data());
  p.copy_to(there, 8);
  here[0] = last(here[1], here);
  std::printf("%d %d\n", there[0], here[0]); // CHECK: 0 0
}
