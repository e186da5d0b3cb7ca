// An initialiser that fails on the device fails the launch that needed it, and
// later ones; the program and the device go on.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <stdexcept>
#include <xcc/xcc.h>

int checked(int i) {
#ifdef __XCC_DEVICE_PASS__
  throw std::runtime_error("not on a device");
#endif
  return i;
}
namespace app {
int before = 1;
int wanted = checked(4) + before;
int after = checked(5);
} // namespace app
void uses(int *out) { *out = app::wanted + app::after; }

int main() {
  xcc::buffer<int> out(1);
  for (int i = 0; i < 2; ++i)
    try {
      xcc::launch({1, 1}, uses, out.data());
    } catch (const xcc::error &e) {
      std::printf("%s\n", e.what());
    }
  int value = 7;
  out.copy_from(&value, 1);
  out.copy_to(&value, 1);
  std::printf("goes on: %d\n", value);
}
// CHECK-COUNT-2: kernel 'uses' cannot run: the initialiser of a global variable ('app::wanted' at {{.*}}initialisers-fail.cpp:17) failed: kernel 'initialisers of global variables' failed on device 0 (host): an exception left the kernel: {{.*}}runtime_error{{.*}} (launched at {{.*}}initialisers-fail.cpp:26)
// CHECK: goes on: 7
