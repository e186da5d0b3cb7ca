// The handler of std::set_terminate runs for what a noexcept function throws, in a
// program without any other handler, too.
// RUN: %xcc -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -w %s -o %t && %t | FileCheck %s
// CHECK: the handler
// CHECK: the kernel aborted: std::terminate
#include "Inputs/each_in_child.h"
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <xcc/xcc.h>

static void quiet(int n) noexcept {
  if (n)
    throw n;
}
static void kernel(int n) {
  std::set_terminate([] { std::printf("the handler\n"); });
  quiet(n);
}

int main() {
  each_in_child(1, [](int) {
    try {
      xcc::launch({1, 1}, kernel, 1);
      xcc::synchronize();
    } catch (const xcc::error &error) {
      std::printf("%s\n", error.what());
    }
  });
}
