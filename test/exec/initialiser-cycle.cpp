// Objects whose constructors need each other: the launch fails, on every device,
// where the host would wait for itself.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/xcc.h>

struct first {
  int value;
  first();
};
struct second {
  int value;
  second();
};
first &one() {
  static first object;
  return object;
}
second &two() {
  static second object;
  return object;
}
first::first() : value(two().value + 1) {}
second::second() : value(one().value + 1) {}

#ifdef __XCC_DEVICE_PASS__
int begins = one().value;
#else
int begins = 0;
#endif
void kernel(int *out) { *out = begins; }

int main() {
  xcc::buffer<int> out(1);
  try {
    xcc::launch({1, 1}, kernel, out.data());
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
}
// CHECK: kernel 'kernel' cannot run: the initialiser of a global variable{{.*}} failed: {{.*}}a static variable's initialiser uses the variable itself
