// std::terminate calls the handler that a kernel has set, and then ends the launch.
// RUN: %xcc -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -w %s -o %t && %t | FileCheck %s
// CHECK: 0: no error, 3
// CHECK: handler
// CHECK: 1: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
// CHECK: handler
// CHECK: 2: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
// CHECK: handler
// CHECK: 3: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
// CHECK: handler
// CHECK: 4: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate: no memory for an exception
// CHECK: handler
// CHECK: 5: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate: nothing to throw again
// CHECK: 6: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
#include "Inputs/each_in_child.h"
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <xcc/xcc.h>

static void handler() { std::printf("handler\n"); }
static void other() {}

static void quiet(int i) noexcept {
  if (i)
    throw std::runtime_error("out of a noexcept function");
}
struct Throws {
  int n;
  ~Throws() noexcept(false) { throw n; }
};
struct Huge {
  char bytes[1ul << 45];
};

static void kernel(int which, int *p) {
  std::set_terminate(other);
  *p = std::get_terminate() == other;
  *p += 2 * (std::set_terminate(handler) == other);
  try {
    switch (which) {
    case 1:
      std::terminate();
    case 2:
      quiet(which);
      break;
    case 3: {
      Throws twice{1};
      throw 2;
    }
    case 4:
      throw *reinterpret_cast<Huge *>(p);
    case 5:
      throw;
    case 6:
      std::set_terminate(nullptr);
      std::terminate();
    }
  } catch (int n) {
    *p = n;
  }
}

int main() {
  each_in_child(7, [](int which) {
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
