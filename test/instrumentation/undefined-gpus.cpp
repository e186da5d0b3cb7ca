// UndefinedBehaviorSanitizer in kernels of GPUs: each check's message is the
// host's, and a kernel that may not go on ends with it.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %xcc -g -O1 -fsanitize=undefined,implicit-conversion -fno-sanitize-recover=unreachable -offload-arch=sm_90,gfx1100 -foffload-no-cubin %s -o %t
// RUN: env XCC_DEVICE=sim:sm_90 %t 2>&1 | %FileCheck %s
// RUN: env XCC_DEVICE=sim:gfx1100 %t 2>&1 | %FileCheck %s

#include <cstdio>
#include <xcc/xcc.h>

static void kinds(int n, float x, const bool *flag, int *out, bool last) {
  struct {
    int a[4], behind[4];
  } s = {{1, 2, 3, 4}, {}};
  int *none = nullptr;
  out[6] = __builtin_ctz(unsigned(n - 7));
  out[0] = n * 0x7fffffff;
  out[1] = 5 / (n - 7);
  out[2] = 1 << (n * 10);
  out[3] = s.a[n - 2];
  out[4] = int(x * 1e20f);
  out[5] = *flag;
  short narrow = n * 10000;
  out[0] = narrow;
  out[1] = int(reinterpret_cast<long>(none + n));
  out[2] = -(n - 7 - 0x7fffffff - 1);
  if (last)
    __builtin_unreachable();
}

int main() {
  xcc::buffer<unsigned char> seven(1);
  xcc::buffer<int> out(8);
  seven.fill(7);
  const auto *flag = reinterpret_cast<const bool *>(seven.data());
  // Many threads come to each check, and one of them reports it. The last check
  // is another launch's: a thread that ends a kernel waits for no other report.
  xcc::launch({{2}, {64}}, kinds, 7, 7.f, flag, out.data(), false);
  xcc::synchronize();
  xcc::launch({{1}, {1}}, kinds, 7, 7.f, flag, out.data(), true);
  try {
    xcc::synchronize();
  } catch (const xcc::error &e) {
    fprintf(stderr, "%s\n", e.what());
  }
}

// CHECK-DAG: undefined-gpus.cpp:20:{{[0-9]+}}: runtime error: signed integer overflow: 7 * 2147483647 cannot be represented in type 'int'
// CHECK-DAG: runtime error: division by zero
// CHECK-DAG: runtime error: shift exponent 70 is too large for 32-bit type 'int'
// CHECK-DAG: runtime error: index 5 out of bounds for type 'int[4]'
// CHECK-DAG: runtime error: 7e+20 is outside the range of representable values of type 'int'
// CHECK-DAG: runtime error: load of value 7, which is not a valid value for type '{{(const )?}}bool'
// CHECK-DAG: runtime error: passing zero to __builtin_ctz(), which is not a valid argument
// CHECK-DAG: runtime error: implicit conversion from type 'int' of value 70000 (32-bit, signed) to type 'short' changed the value to 4464 (16-bit, signed)
// CHECK-DAG: runtime error: applying non-zero offset 28 to null pointer
// CHECK-DAG: runtime error: negation of -2147483648 cannot be represented in type 'int'
// CHECK-DAG: runtime error: execution reached an unreachable program point
// CHECK-NOT: runtime error: signed integer overflow: 7 *
// CHECK: the kernel aborted: undefined behavior, which is reported above ({{.*}}undefined-gpus.cpp:31)
