//===-- cpu/memory.h - The CPU device's allocations -------------*- C++ -*-===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory on the CPU is host memory; it is still accounted for, so that
// freeing a foreign pointer and copying past an end are errors, not crashes.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_SRC_CPU_MEMORY_H
#define XCC_SRC_CPU_MEMORY_H

#include "../error.h"

#include <map>
#include <mutex>

namespace xcc::rt::cpu {

class Memory {
public:
  xcc_status allocate(size_t Bytes, void **Out);
  /// Forgets an allocation; its bytes are freed with free().
  xcc_status take(void *Pointer);
  xcc_status checkRange(const void *Pointer, size_t Bytes);

private:
  std::mutex Mutex;
  std::map<uintptr_t, size_t> Sizes;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_MEMORY_H
