// A function copies what it is passed by value: ptxas stores a parameter whose
// address is taken before there is a frame, where the function allocates.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %ptx -O2 -offload-arch=sm_90 %s | FileCheck %s
// RUN: %ptx -O0 -offload-arch=sm_90 %s | FileCheck %s
#include <xcc/xcc.h>

struct Passed {
  long first;
  int second[3];
};

// CHECK-LABEL: .func {{.*}}by_value{{.*}}(
// CHECK: .param .align {{[0-9]+}} .b8 [[P:.*by_value.*param_0]][24]
// CHECK-NOT: {{mov.*}}[[P]];
// CHECK: ld.param.b64 {{.*}}[[P]]
// CHECK-NOT: {{mov.*}}[[P]];
// CHECK: alloca
// CHECK-NOT: {{mov.*}}[[P]];
// CHECK: {{^}}}
[[gnu::noinline]] int by_value(Passed p, int n, int t) {
  int *own = static_cast<int *>(__builtin_alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    own[i] = i * t;
  p.second[t % 3] += own[t];
  return p.second[n % 3] + int(p.first) + own[n / 2];
}

void start(int *out, int n) {
  xcc::launch(
      {{1}, {32}},
      [out, n](auto...) {
        int (*const volatile call)(Passed, int, int) = by_value;
        *out = call({n, {1, 2, 3}}, n, 7);
      });
}
