// Memory for the arguments of graphs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernargs.h"
#include "gpu.h"

#include <algorithm>
#include <bit>

namespace xcc::rt::hsa {

xcc_status KernargStore::take(size_t bytes, KernargBlock &out) {
  // Powers of two, so that another graph can use the same block.
  constexpr size_t least = 4096;
  const size_t size = std::bit_ceil(std::max(bytes, least));
  {
    std::lock_guard lock(mutex);
    for (unsigned i = 0; i != count; ++i)
      if (kept[i].bytes == size) {
        out = kept[i];
        kept[i] = kept[--count];
        return XCC_SUCCESS;
      }
  }
  void *at = nullptr;
  XCC_TRY(on.allocateHost(on.world.kernarg, size, &at));
  out = {static_cast<char *>(at), size};
  return XCC_SUCCESS;
}

void KernargStore::recycle(const KernargBlock &block) {
  // A failed GPU may still read the block. After the process's end the library
  // may be gone.
  if (on.hasFailed() || on.stopped.load(std::memory_order_relaxed))
    return;
  if (block.bytes <= Largest) {
    std::lock_guard lock(mutex);
    if (count != Most) {
      kept[count++] = block;
      return;
    }
  }
  hsa.amd_memory_pool_free(block.at);
}

} // namespace xcc::rt::hsa
