// The kernels of a unit with many are generated in parts: what is wrong in one is told as if they were not.
// RUN: not %xcc -std=c++20 -O0 -foffload-lto=thin %s -o %t 2>&1 | FileCheck %s
// CHECK: {{^}}xcc: error: <inline asm>:1:2: invalid instruction mnemonic 'nonsense'
// CHECK-NOT: error
#include <utility>
#include <xcc/xcc.h>

template <int... Number>
void launchAll(int *out, std::integer_sequence<int, Number...>) {
  (xcc::parallel_for(10,
                     [=](int i) {
                       out[i] = Number;
                       if constexpr (Number == 70)
                         asm volatile("nonsense");
                     }),
   ...);
}

int main() {
  int out[10];
  launchAll(out, std::make_integer_sequence<int, 100>());
}
