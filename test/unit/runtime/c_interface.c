// The C interface is C
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling is the test; error_test.cpp calls the function.

#include "xcc/runtime.h"

xcc_status xcc_test_from_c(const xcc_kernel_info *kernel) {
  xcc_launch_config config = {{1, 1, 1}, {1, 1, 1}, 0, 0,
                              __FILE__,  __LINE__,  0};
  xcc_status status = xcc_kernel_launch(kernel, &config, 0, 0);
  return status != XCC_SUCCESS ? status : xcc_stream_synchronize(0);
}
