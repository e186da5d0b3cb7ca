// Returning blocks to a device's heap
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/heap_returns.h"
#include "rpc/services/mapped.h"
#include "services/host_services.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace xcc::rt {

namespace {
/// The control words at the start of the device's heap.
class HeapWords {
public:
  explicit HeapWords(Device &on) : on(on) { deviceHeap(on, base, end); }
  bool empty() const { return base == end; }
  bool holds(uint64_t at) const { return base <= at && at < end; }
  Place at(uint32_t offset) const {
    auto *heap = reinterpret_cast<char *>(base);
    return {.at = heap + offset, .owner = &on, .allocation = heap};
  }

private:
  Device &on;
  uint64_t base = 0, end = 0;
};
} // namespace

xcc_status HeapReturns::ask(Device &on, Queue &in) {
  const HeapWords heap(on);
  return heap.empty()
             ? XCC_SUCCESS
             : in.copy({.at = &done}, heap.at(XCC_RETURNS_DONE), sizeof(done));
}

xcc_status HeapReturns::post(Device &on, Queue &in) {
  const HeapWords heap(on);
  // Some blocks are the host's own, lent to the device: free them here.
  std::erase_if(waiting, [&](uint64_t at) {
    return !heap.holds(at) && freeHeapBlock(on, at);
  });
  if (waiting.empty() || heap.empty())
    return XCC_SUCCESS;
  in.drain();
  if (done != posted)
    return XCC_SUCCESS;
  if (capacity < waiting.size()) {
    const auto wanted =
        std::bit_ceil(std::max<uint32_t>(uint32_t(waiting.size()), 512));
    void *larger = nullptr;
    // On failure, try again later, when there may be more memory.
    if (on.allocate(wanted * sizeof(uint64_t), &larger) != XCC_SUCCESS)
      return XCC_SUCCESS;
    if (list)
      (void)on.release(list);
    list = larger;
    capacity = wanted;
    const uint64_t where[2] = {reinterpret_cast<uint64_t>(list), capacity - 1};
    XCC_TRY(in.copy(heap.at(XCC_RETURNS_LIST),
                    {.at = const_cast<uint64_t *>(where)}, sizeof(where)));
    in.drain();
  }
  // Kernels have freed all blocks of the last list, so no copy reads it now.
  sent.clear();
  std::swap(sent, waiting);
  for (size_t i = 0; i != sent.size();) {
    const uint32_t at = (posted + uint32_t(i)) & (capacity - 1);
    const size_t part = std::min<size_t>(sent.size() - i, capacity - at);
    XCC_TRY(in.copy({.at = static_cast<uint64_t *>(list) + at,
                     .owner = &on,
                     .allocation = list},
                    {.at = sent.data() + i}, part * sizeof(uint64_t)));
    i += part;
  }
  posted += uint32_t(sent.size());
  // This copy follows the list, which must be complete by then.
  return in.copy(heap.at(XCC_RETURNS_POSTED), {.at = &posted}, sizeof(posted));
}

} // namespace xcc::rt
