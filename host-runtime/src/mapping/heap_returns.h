// Blocks of a device's heap that go back to it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_HEAP_RETURNS_H
#define XCC_SRC_MAPPING_HEAP_RETURNS_H

#include "devices/device.h"

#include <vector>

namespace xcc::rt {

/// What kernels allocated and the host has brought home. Only kernels change the
/// heap, which others may use at any time: they free what they find in a list
/// (rpc/services/mapped.h) when they allocate. Of one device, under mappingMutex.
class HeapReturns {
public:
  void add(uint64_t block) { waiting.push_back(block); }
  /// Has the device say how much of the last list kernels have freed: a copy among
  /// others, which post waits for.
  xcc_status ask(Device &on, Queue &in);
  /// Behind ask: posts a list, if kernels have freed all of the last one. Nobody
  /// waits for the copies of that.
  xcc_status post(Device &on, Queue &in);

private:
  std::vector<uint64_t> waiting, sent; ///< copies may still read the latter
  uint32_t done = 0;                   ///< what the device said
  void *list = nullptr;                ///< of the device; lives as long as it
  uint32_t capacity = 0;               ///< a power of two
  uint32_t posted = 0; ///< how many, ever; a copy may still read it
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HEAP_RETURNS_H
