// Finding kernels by the addresses of their functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "errors/error.h"
#include "formats/offload_entry.h"
#include "images/units.h"
#include "xcc/runtime.h"

using namespace xcc::rt;

xcc_status xcc_kernel_of_function(const void *function, const char *file,
                                  uint32_t line,
                                  const xcc_kernel_info **kernel) {
  if (!kernel)
    return failNull("xcc_kernel_of_function", "kernel");
  const xcc_kernel_info *found = nullptr;
  if (function)
    visitUnits([&](xcc_binary &unit) {
      if (!found)
        found = infoOfFunction(unit, function);
    });
  *kernel = found;
  if (found)
    return XCC_SUCCESS;
  const bool placed = file && *file;
  return fail(XCC_ERROR_INVALID_KERNEL, {nullptr, file, line},
              "%s%s%s%s: the pointer %p is no kernel's; a kernel is marked "
              "__global__, and code that xcc compiles takes its address",
              placed ? "launch at " : "a launch by pointer", placed ? file : "",
              placed ? ":" : "", placed ? std::to_string(line).c_str() : "",
              function);
}
