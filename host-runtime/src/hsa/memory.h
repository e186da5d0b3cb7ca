// Memory that AMD GPUs can access
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy engines can access memory that the HSA runtime knows: a GPU's own, and
// pinned host memory. Memory that is not in the table of allocations is looked
// up in the HSA runtime; if that does not know it, it is ordinary host memory.

#ifndef XCC_SRC_HSA_MEMORY_H
#define XCC_SRC_HSA_MEMORY_H

#include "gpu.h"

namespace xcc::rt::hsa {

struct Memory {
  enum Kind : uint8_t {
    Pageable, ///< ordinary memory of the process
    Pinned,   ///< host memory that every GPU can access
    OnGpu
  } in = Pageable;
  Gpu *owner = nullptr; ///< the GPU, for OnGpu
  void *base = nullptr; ///< the start of the allocation
  bool ours = false;    ///< from allocate()
};

Memory memoryAt(const Place &place);
/// Gives a GPU access to another's allocation. Returns false if it cannot.
bool allowAccess(const Memory &memory, Gpu &user);
/// Called when an allocation of ours is freed.
void forgetAccess(void *base);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_MEMORY_H
