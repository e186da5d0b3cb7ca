// -foffload-stdpar: in an xcc::map scope, algorithms over the same container copy
// its elements to the device once, and back once.
// RUN: %xcc -O1 -std=c++17 -foffload-stdpar %s -o %t
// RUN: env XCC_LOG=map,stdpar XCC_CPU_SEPARATE=1 %t 2>&1 | FileCheck %s
// CHECK: 80000 bytes to the device
// CHECK-NOT: 80000 bytes {{to the device|back}}
// CHECK: transform runs on the device
// CHECK-NOT: 80000 bytes {{to the device|back}}
// CHECK: sort runs on the device
// CHECK-NOT: 80000 bytes {{to the device|back}}
// CHECK: count_if runs on the device
// CHECK-NOT: 80000 bytes {{to the device|back}}
// CHECK: leaves the scope
// CHECK: 80000 bytes back to the host
// CHECK-NOT: 80000 bytes {{to the device|back}}
// CHECK: has 10000, 0, 39998
#include <algorithm>
#include <cstdio>
#include <execution>
#include <numeric>
#include <vector>
#include <xcc/xcc.h>

int main() {
  using std::execution::par;
  std::vector<int> v(20000);
  std::iota(v.rbegin(), v.rend(), 0);
  std::ptrdiff_t small;
  {
    xcc::map scope(v);
    std::transform(par, v.begin(), v.end(), v.begin(),
                   [](int x) { return x * 2; });
    std::sort(par, v.begin(), v.end());
    small = std::count_if(par, v.begin(), v.end(),
                          [](int x) { return x < 20000; });
    std::fprintf(stderr, "leaves the scope\n");
    scope.end();
  }
  std::fprintf(stderr, "has %td, %d, %d\n", small, v.front(), v.back());
}
