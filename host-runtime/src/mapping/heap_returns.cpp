// Blocks of a device's heap that go back to it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/heap_returns.h"
#include "rpc/services/mapped.h"
#include "services/host_services.h"

#include <algorithm>
#include <bit>

namespace xcc::rt {

xcc_status HeapReturns::post(Device &on, Queue &in) {
  uint64_t base = 0, end = 0;
  deviceHeap(on, base, end);
  // The host has lent some itself.
  std::erase_if(waiting, [&](uint64_t at) {
    return (at < base || at >= end) && freeHeapBlock(on, at);
  });
  if (waiting.empty() || base == end)
    return XCC_SUCCESS;
  auto *heap = reinterpret_cast<char *>(base);
  auto there = [&](uint32_t offset) -> Place {
    return {.at = heap + offset, .owner = &on, .allocation = heap};
  };
  uint32_t done;
  XCC_TRY(in.copy({.at = &done}, there(XCC_RETURNS_DONE), sizeof(done)));
  in.drain();
  if (done != posted)
    return XCC_SUCCESS;
  if (capacity < waiting.size()) {
    const auto wanted =
        std::bit_ceil(std::max<uint32_t>(uint32_t(waiting.size()), 512));
    void *larger = nullptr;
    // Later, with more memory.
    if (on.allocate(wanted * sizeof(uint64_t), &larger) != XCC_SUCCESS)
      return XCC_SUCCESS;
    if (list)
      (void)on.release(list);
    list = larger;
    capacity = wanted;
    const uint64_t where[2] = {reinterpret_cast<uint64_t>(list), capacity - 1};
    XCC_TRY(in.copy(there(XCC_RETURNS_LIST),
                    {.at = const_cast<uint64_t *>(where)}, sizeof(where)));
    in.drain();
  }
  for (size_t i = 0; i != waiting.size();) {
    const uint32_t at = (posted + uint32_t(i)) & (capacity - 1);
    const size_t part = std::min<size_t>(waiting.size() - i, capacity - at);
    XCC_TRY(in.copy({.at = static_cast<uint64_t *>(list) + at,
                     .owner = &on,
                     .allocation = list},
                    {.at = waiting.data() + i}, part * sizeof(uint64_t)));
    i += part;
  }
  posted += uint32_t(waiting.size());
  // Behind the list, which has to be there by then.
  XCC_TRY(in.copy(there(XCC_RETURNS_POSTED), {.at = &posted}, sizeof(posted)));
  in.drain();
  waiting.clear();
  return XCC_SUCCESS;
}

} // namespace xcc::rt
