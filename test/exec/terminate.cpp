// std::terminate calls the handler that a kernel has set, and then ends the launch.
// The handler may ask for the exception, and throw it again.
// RUN: %xcc -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -w %s -o %t && %t | FileCheck %s
// CHECK: 0: no error, 3
// CHECK: handler
// CHECK: 1: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
// CHECK: handler: out of a noexcept function
// CHECK: 2: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
// CHECK: handler: 1
// CHECK: 3: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
// CHECK: handler
// CHECK: 4: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate: no memory for an exception
// CHECK: handler
// CHECK: 5: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate: nothing to throw again
// CHECK: 6: {{.*}}kernel 'kernel' launched at {{.*}} the kernel aborted: std::terminate{{[;,]}}
// CHECK: 7: {{.*}}kernel 'kernel' launched at {{.*}} an exception left the kernel: Odd: 0 in flight
#include "Inputs/each_in_child.h"
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <xcc/xcc.h>

static void handler() {
  try {
    if (std::exception_ptr kept = std::current_exception()) {
      try {
        throw;
      } catch (...) {
      }
      std::rethrow_exception(kept);
    }
    std::printf("handler\n");
  } catch (const std::exception &e) {
    std::printf("handler: %s\n", e.what());
  } catch (int n) {
    std::printf("handler: %d\n", n);
  }
}
static void other() {}

/// Its text asks, too.
struct Odd : std::exception {
  char text[16] = "? in flight";
  const char *what() const noexcept override {
    const_cast<Odd *>(this)->text[0] = char('0' + std::uncaught_exceptions());
    return text;
  }
};
static void fails() { throw Odd(); }

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
    case 7:
      std::set_terminate(fails);
      std::terminate();
    }
  } catch (int n) {
    *p = n;
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
