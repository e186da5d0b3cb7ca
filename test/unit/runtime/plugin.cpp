// A library with a runtime of its own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit.h"

using namespace xcc::test;

extern "C" __attribute__((visibility("default"))) int run_plugin() {
  static Unit U;
  uint32_t Counter = 0, *Pointer = &Counter;
  for (int I = 0; I != 100; ++I)
    if (launch(U.kernel("count", 8), config(100, 1), Pointer) != XCC_SUCCESS)
      return 1;
  if (xcc_device_synchronize(-1) != XCC_SUCCESS)
    return 2;
  return Counter == 10000 ? 0 : 3;
}
