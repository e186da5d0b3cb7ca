// An exception that no handler in its kernel takes ends the launch, with its
// text, and so does what calls std::terminate on the host.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0: no error, -1
// CHECK: 1: {{.*}}kernel 'kernel' launched at {{.*}} failed {{.*}}an exception left the kernel: std::length_error: long
// CHECK: 2: {{.*}}an exception left the kernel: app::error: app
// CHECK: 3: {{.*}}an exception left the kernel: double
// CHECK: 4: {{.*}}the kernel aborted: std::terminate
// CHECK: 5: {{.*}}the kernel aborted: std::terminate
// CHECK: 6: {{.*}}an exception left the kernel: app::error: app
// CHECK: 7: {{.*}}the kernel aborted: std::terminate
#include "Inputs/each_in_child.h"
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <xcc/xcc.h>

namespace app {
struct error : std::exception {
  const char *what() const noexcept override { return "app"; }
};
} // namespace app
struct Throws {
  ~Throws() noexcept(false) { throw 2; }
};
void quiet(int i) noexcept {
  if (i)
    throw i;
}
void kernel(int which, int *p) {
  try {
    switch (which) {
    case 0:
      throw std::runtime_error("too far");
    case 1:
      throw std::length_error("long");
    case 2:
    case 6:
      throw app::error();
    case 3:
      throw 1.5;
    case 4:
      quiet(which);
      break;
    case 5: {
      Throws twice;
      throw 1;
    }
    }
    if (which == 7)
      throw; // nothing is handled
  } catch (const std::runtime_error &) {
    *p = -1;
  } catch (const app::error &) {
    throw;
  }
}

int main() {
  each_in_child(8, [](int which) {
    try {
      xcc::buffer<int> p(1);
      int result = 0;
      xcc::launch({1, 1}, kernel, which, p.data());
      p.copy_to(&result, 1);
      std::printf("%d: no error, %d\n", which, result);
    } catch (const xcc::error &error) {
      std::printf("%d: %s\n", which, error.what());
    }
  });
}
