// What moves, as XCC_LOG=map says: nothing comes back that the kernel has not
// written, nothing moves between launches, and nothing twice.
// RUN: %xcc -std=c++20 -O2 %s -o %t
// RUN: env XCC_CPU_SEPARATE=1 XCC_LOG=map %t 2>&1 | FileCheck %s
#include "Inputs/check.h"

#include <vector>

int main() {
  std::vector<float> x(1000, 1), y(1000, 2);
  float a = 2;
  // CHECK-DAG: map: device 0: 'x' is new: 4000 bytes to the device (launch of 'xcc::parallel_for<
  // CHECK-DAG: map: device 0: 'y' is new: 4000 bytes to the device
  for (int i = 0; i < 3; ++i)
    xcc::parallel_for(1000, [&](std::size_t i) { y[i] += a * x[i]; });
  // CHECK-NOT: is new: 4000
  // CHECK-NOT: 'x': 4000 bytes back
  // CHECK: 'y': 4000 bytes back to the host
  // CHECK-NOT: bytes
  xcc::synchronize();
  CHECK(y[0] == 8);

  std::fprintf(stderr, "a scope\n");
  // CHECK: a scope
  // CHECK: 4000 bytes to the device (mapping ({{.*}}moves.cpp:[[# @LINE + 1]]))
  xcc::map scope(y);
  std::fprintf(stderr, "inside\n");
  // CHECK: inside
  // CHECK-NOT: 4000
  xcc::parallel_for(1000, [&](std::size_t i) { y[i] += 1; });
  xcc::synchronize();
  std::fprintf(stderr, "to the host\n");
  // CHECK: to the host
  // CHECK: 'object 1': 4000 bytes back to the host
  scope.to_host(y);
  CHECK(y[0] == 9);
}
