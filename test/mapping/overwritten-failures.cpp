// A kernel that fails leaves what it was to overwrite, and what was not copied to the device therefore, as the host
// has it. So do those that use it afterwards; what others overwrite comes back.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=1 %t
// RUN: env XCC_CPU_SEPARATE=2 %t
// RUN: env XCC_CPU_SEPARATE=2 XCC_LOG=map %t 2>&1 | FileCheck %s
// CHECK: 'y': 0 bytes to the device: new, overwritten by launch of
// CHECK-NOT: 'y': {{.*}} back to the host
// CHECK: 'y': 40000 bytes back to the host
// CHECK-NOT: 'y': {{.*}} back to the host
// CHECK: 'z': 40000 bytes back to the host
#include "Inputs/check.h"

#include <vector>

constexpr std::size_t N = 10000;

int main() {
  if (std::strcmp(xcc::device::current().kind(), "host") != 0)
    return 0;
  std::vector<int> y(N, 1), z(N, 2);
  std::vector<const int *> from(N, nullptr);
  bool failed = false;
  auto wait = [&](auto &&f) {
    try {
      f();
    } catch (const xcc::error &) {
      failed = true;
    }
  };
  for (bool all : {false, true}) {
    failed = false;
    // Some threads have done their part by then.
    xcc::parallel_for(N, [&](std::size_t i) {
      const int *p = i < N / 2 ? nullptr : from[i];
      y[i] = i < N / 2 ? 7 : *p;
    });
    if (all)
      wait([] { xcc::synchronize(); });
    else
      failed = xcc_stream_synchronize(nullptr) != XCC_SUCCESS;
    CHECK(failed);
    for (int i : y)
      CHECK(i == 1);
  }
  // Another stream waits for the one that fails.
  xcc::stream one, two;
  failed = false;
  xcc::launch({{N / 100}, {100}, 0, &one}, [&] {
    std::size_t i = xcc::global_id();
    y[i] = *from[i];
  });
  xcc::launch({{N / 100}, {100}, 0, &two}, [&] {
    std::size_t i = xcc::global_id();
    if (i % 2)
      y[i] = 5;
  });
  wait([&] { two.synchronize(); });
  wait([&] { one.synchronize(); });
  CHECK(failed);
  for (int i : y)
    CHECK(i == 1);
  // What is left of a failure because another stream still uses it, is made
  // anew by who comes next.
  failed = false;
  int sum = 0;
  xcc::launch({{N / 100}, {100}, 0, &one}, [&] {
    std::size_t i = xcc::global_id();
    y[i] = *from[i];
  });
  xcc::launch({{1}, {1}, 0, &two}, [&] { sum = y[0] & 1; });
  wait([&] { one.synchronize(); });
  CHECK(failed);
  xcc::launch({{N / 100}, {100}, 0, &one}, [&] { y[xcc::global_id()] = 6; });
  one.synchronize();
  for (int i : y)
    CHECK(i == 6);
  two.synchronize();
  xcc::launch({{N / 100}, {100}, 0, &one}, [&] { z[xcc::global_id()] = 4; });
  one.synchronize();
  for (int i : z)
    CHECK(i == 4);
}
