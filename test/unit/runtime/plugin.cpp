// A library with a runtime of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"

using namespace xcc::test;

extern "C" __attribute__((visibility("default"))) int run_plugin() {
  static Unit u;
  uint32_t counter = 0, *pointer = &counter;
  for (int i = 0; i != 100; ++i)
    if (launch(u.kernel("count", 8), config(100, 1), pointer) != XCC_SUCCESS)
      return 1;
  if (xcc_device_synchronize(-1) != XCC_SUCCESS)
    return 2;
  return counter == 10000 ? 0 : 3;
}
