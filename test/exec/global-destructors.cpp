// Destructors of global and static variables, and what atexit was told of, run
// on the device when the program ends, the last first.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <cstdlib>
#include <xcc/xcc.h>

struct tells {
  const char *name;
  explicit tells(const char *name) : name(name) {}
  ~tells() {
#ifdef __XCC_DEVICE_PASS__
    std::printf("%s goes\n", name);
#endif
  }
};
tells first("first"), second("second");
tells pair[] = {tells("left"), tells("right")};
struct no_effect {
  int value = 3;
  no_effect() {}
  ~no_effect() { value = 0; }
};
no_effect unseen;

void uses(int *out) {
  static tells local("local");
  *out = first.name[0] + second.name[0] + pair[0].name[0] + local.name[0] +
         unseen.value;
  std::atexit([] { std::printf("atexit\n"); });
}
int main() {
  xcc::buffer<int> out(1);
  xcc::launch({1, 1}, uses, out.data());
  xcc::synchronize();
  std::printf("main ends\n");
  std::fflush(stdout);
}
// CHECK: main ends
// CHECK-NEXT: atexit
// CHECK-NEXT: local goes
// CHECK-NEXT: right goes
// CHECK-NEXT: left goes
// CHECK-NEXT: second goes
// CHECK-NEXT: first goes
