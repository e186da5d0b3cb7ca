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
// CHECK: search runs on the device
// CHECK: lexicographical_compare runs on the device
// CHECK-NOT: 80000 bytes {{to the device|back}}
// CHECK: leaves the scope
// CHECK: 80000 bytes back to the host
// CHECK-NOT: 80000 bytes {{to the device|back}}
// CHECK: has 10000, 0, 39998, 50, 50, 50, 1
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
  std::vector<int> other(5000), pattern{100, 102};
  std::ptrdiff_t small, at[3];
  bool less;
  {
    xcc::map scope(v);
    std::transform(par, v.begin(), v.end(), v.begin(),
                   [](int x) { return x * 2; });
    std::sort(par, v.begin(), v.end());
    small = std::count_if(par, v.begin(), v.end(),
                          [](int x) { return x < 20000; });
    // Which elements are equal is found on the device: the host has others.
    at[0] = std::search(par, v.begin(), v.end(), pattern.begin(), pattern.end()) -
            v.begin();
    at[1] =
        std::find_end(par, v.begin(), v.end(), pattern.begin(), pattern.end()) -
        v.begin();
    at[2] = std::search_n(par, v.begin(), v.end(), 1, 100) - v.begin();
    for (std::size_t i = 0; i < other.size(); ++i)
      other[i] = int(2 * i + (i == 4000));
    less = std::lexicographical_compare(par, v.begin(), v.begin() + 5000,
                                        other.begin(), other.end());
    std::fprintf(stderr, "leaves the scope\n");
    scope.end();
  }
  std::fprintf(stderr, "has %td, %d, %d, %td, %td, %td, %d\n", small, v.front(),
               v.back(), at[0], at[1], at[2], less);
}
