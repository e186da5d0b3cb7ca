// A number that a kernel writes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_EXPECT_H
#define XCC_TEST_EXPECT_H

#include <xcc/xcc.h>

#include <cstdio>
#include <cstdlib>

/// Its first element is out(); main makes it.
static xcc::buffer<int> *memory;
/// Where kernels write.
static int *out() { return memory->data(); }
/// Ends the program unless it is the value; it is zero then.
static void expect(int value, int line) {
  int now = 0;
  memory->copy_to(&now, 1);
  if (now != value) {
    std::printf("line %d: %d, not %d\n", line, now, value);
    std::exit(1);
  }
  memory->fill(0);
}
#define EXPECT(value) expect(value, __LINE__)

#endif // XCC_TEST_EXPECT_H
