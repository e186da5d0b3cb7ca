// The initialiser that ended a launch is named with its place, also by a GPU whose memory nobody can read any more.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <xcc/xcc.h>

struct Checked {
  int value;
  explicit Checked(int i);
};
int zero() {
  volatile int none = 0;
  return none;
}
Checked::Checked(int i) : value(i + zero()) {
#ifdef __XCC_DEVICE_PASS__
  if (i == 5)
    __builtin_trap();
#endif
}
namespace app {
Checked before(1);
inline Checked
    wanted(5);
Checked after(7);
} // namespace app
void uses(int *out) { *out = app::before.value + app::wanted.value + app::after.value; }

int main() {
  xcc::buffer<int> out(1);
  try {
    xcc::launch({1, 1}, uses, out.data());
    xcc::synchronize();
  } catch (const xcc::error &e) {
    std::printf("%s\n", e.what());
  }
}
// CHECK: kernel 'uses' cannot run: the initialiser of a global variable ('app::wanted' at {{.*}}initialisers-trap.cpp:24) failed: kernel 'initialisers of global variables' failed on device 0
