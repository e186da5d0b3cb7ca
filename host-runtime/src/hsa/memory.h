// Memory as AMD GPUs see it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy engines reach memory that the HSA runtime knows: a GPU's own, and pinned
// host memory. What the table of allocations does not know is looked up in the
// library, and any that is not known there either is the host's.

#ifndef XCC_SRC_HSA_MEMORY_H
#define XCC_SRC_HSA_MEMORY_H

#include "gpu.h"

namespace xcc::rt::hsa {

struct Memory {
  enum Kind : uint8_t {
    Pageable, ///< memory of the process
    Pinned,   ///< host memory that every GPU sees
    OnGpu
  } in = Pageable;
  Gpu *owner = nullptr; ///< of a GPU's memory
  void *base = nullptr; ///< where the allocation begins
  bool ours = false;    ///< given by allocate()
};

Memory memoryAt(const Place &place);
/// Lets a GPU see another one's allocation. False when it cannot.
bool allowAccess(const Memory &memory, Gpu &user);
/// An allocation of ours goes.
void forgetAccess(void *base);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_MEMORY_H
