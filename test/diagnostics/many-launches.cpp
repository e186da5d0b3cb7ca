// A function with two thousand launches, whose paths all join, is followed in no
// time, and what is wrong at its end is said.
// RUN: %not %xcc -std=c++20 -fsyntax-only -Werror=offload-lifetime -ftemplate-depth=4096 -fbracket-depth=4096 %s 2>&1 | FileCheck %s
#include <utility>
#include <xcc/xcc.h>

template <int N> void kernel(int *p) { *p = N; }

template <int... N> void run(int n, int *p, std::integer_sequence<int, N...>) {
  ((N == n ? xcc::launch({{1}, {1}}, kernel<N>, p) : void()), ...);
}

void all(int n, int *p) {
  run(n, p, std::make_integer_sequence<int, 2000>());
  xcc::synchronize();
}

// CHECK-NOT: error:
void ends(int n) {
  int value = 0;
  run(n, &value, std::make_integer_sequence<int, 2000>());
  // CHECK: many-launches.cpp:[[@LINE-1]]:3: error: the kernel that is launched here refers to 'value', and may still run when it ends [-Woffload-lifetime]
}
// CHECK: 1 error generated
