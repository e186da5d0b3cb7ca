// Device memory of the mocks: memory of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device_memory.h"

#include <algorithm>
#include <cstdlib>

namespace mock {

uint64_t allocateDevice(size_t bytes, size_t align) {
  void *memory = nullptr;
  if (posix_memalign(&memory, std::max(align, sizeof(void *)), bytes) != 0)
    return 0;
  return reinterpret_cast<uintptr_t>(memory);
}

void freeDevice(uint64_t address) { free(reinterpret_cast<void *>(address)); }

uint64_t deviceShift(uint64_t) { return 0; }

} // namespace mock
