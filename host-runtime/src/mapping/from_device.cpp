// Addresses of the device as the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/from_device.h"
#include "devices/allocations.h"

#include <algorithm>

namespace xcc::rt {

Entry *FromDevice::entryOf(uint64_t device) {
  if (byDevice.empty()) {
    byDevice = memory.table.all();
    std::sort(
        byDevice.begin(), byDevice.end(),
        [](const Entry *a, const Entry *b) { return a->device < b->device; });
  }
  auto next =
      std::upper_bound(byDevice.begin(), byDevice.end(), device,
                       [](uint64_t at, const Entry *e) {
                         return at < reinterpret_cast<uintptr_t>(e->device);
                       });
  if (next == byDevice.begin())
    return nullptr;
  Entry *e = next[-1];
  uint64_t offset = device - reinterpret_cast<uintptr_t>(e->device);
  return offset <= e->reach ? e : nullptr;
}

bool FromDevice::find(uint64_t device, uint64_t &out, bool isElement) {
  out = device;
  if (!device)
    return true;
  Entry *e = entryOf(device);
  if (!e)
    return isSame(device);
  uint64_t offset = device - reinterpret_cast<uintptr_t>(e->device);
  out = e->begin + offset;
  if (!isElement || offset <= e->held.last())
    return true;
  if (e->objects) {
    grown = grows ? nullptr : e;
    return grows;
  }
  added.push_back({e, offset});
  return true;
}

/// Is it one that the host uses too: of device memory, or of no element?
bool FromDevice::isSame(uint64_t address) {
  FoundAllocation a;
  if (findAllocation(reinterpret_cast<void *>(address), a) &&
      isVisible(a, memory.on)) {
    void *seen;
    return !isLocked(a.kind) ||
           (memory.on.seenAt(reinterpret_cast<void *>(a.begin), seen) ==
                XCC_SUCCESS &&
            seen == reinterpret_cast<void *>(a.begin));
  }
  if (!same) {
    same.emplace();
    for (const Entry *e : byDevice)
      for (const HeldAddress &h : e->addresses)
        if (h.host == h.sent && h.host)
          same->insert(h.host);
  }
  return same->contains(address);
}

} // namespace xcc::rt
