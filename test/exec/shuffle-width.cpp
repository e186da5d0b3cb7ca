// The width of a shuffle that is known at run time alone, and is none, ends the launch.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <vector>
#include <xcc/xcc.h>

void below(int *x, unsigned width) {
  x[xcc::lane_id()] = xcc::shuffle_down(int(xcc::lane_id()), 1, width);
}

int main() {
  xcc::buffer<int> x(64);
  for (unsigned width : {8u, 5u})
    try {
      xcc::launch({1, 32}, below, x, width);
      const auto lanes = x.to_vector();
      std::printf("%d %d\n", lanes[6], lanes[7]); // CHECK: 7 7
    } catch (const xcc::error &error) {
      // CHECK: kernel 'below' {{.*}}assertion failed: the width of a shuffle is a power of two
      std::puts(error.what());
    }
}
