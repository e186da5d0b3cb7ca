// The CPU device's memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory on the CPU is host memory.

#ifndef XCC_SRC_CPU_MEMORY_H
#define XCC_SRC_CPU_MEMORY_H

#include "errors/error.h"

#include <cstdint>

namespace xcc::rt::cpu {

/// Gives memory that cpu::free() takes back. While a launch is to be recorded, it
/// is where a process that replays the launch has nothing.
xcc_status allocate(size_t bytes, void **out);
void free(void *memory);

/// Gets the pages of these bytes, for good. Calls come by address; a page that the
/// one before got may be shared.
xcc_status allocateAt(uintptr_t address, size_t bytes);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_MEMORY_H
