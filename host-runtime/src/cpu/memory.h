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

/// Allocates memory that cpu::free() frees. While launches are recorded, it
/// uses addresses that are free in a process that replays them.
xcc_status allocate(size_t bytes, void **out);
void free(void *memory);

/// Maps the pages of these bytes, permanently. Call it in the order of
/// addresses; a page that the call before mapped may be shared.
xcc_status allocateAt(uintptr_t address, size_t bytes);

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_MEMORY_H
