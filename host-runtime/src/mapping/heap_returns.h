// Returning blocks to a device's heap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_HEAP_RETURNS_H
#define XCC_SRC_MAPPING_HEAP_RETURNS_H

#include "devices/device.h"

#include <vector>

namespace xcc::rt {

/// Returns blocks that kernels allocated and the host has copied back. Only
/// kernels may change the heap, because other kernels may use it at any time.
/// So the host posts a list (rpc/services/mapped.h), and kernels free its
/// blocks when they allocate. For one device, under mappingMutex.
class HeapReturns {
public:
  void add(uint64_t block) { waiting.push_back(block); }
  /// Enqueues a copy that tells how much of the last list kernels have freed.
  /// post() waits for it.
  xcc_status ask(Device &on, Queue &in);
  /// After ask(): posts a new list if kernels have freed all of the last one.
  /// Nothing waits for the copies.
  xcc_status post(Device &on, Queue &in);

private:
  std::vector<uint64_t> waiting, sent; ///< copies may still read \c sent
  uint32_t done = 0;                   ///< what the device reported
  void *list = nullptr;  ///< on the device; never freed at the end
  uint32_t capacity = 0; ///< a power of two
  uint32_t posted = 0;   ///< total number; a copy may still read it
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HEAP_RETURNS_H
