// The CPU device's memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory on the CPU is host memory.

#ifndef XCC_SRC_CPU_MEMORY_H
#define XCC_SRC_CPU_MEMORY_H

#include "errors/error.h"

namespace xcc::rt::cpu {

/// Gives memory that free() takes back.
xcc_status allocate(size_t bytes, void **out);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_MEMORY_H
