// Translating device addresses to host addresses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/from_device.h"
#include "devices/allocations.h"
#include "mapping/ordered.h"
#include "services/host_services.h"

#include <algorithm>
#include <cstring>

namespace xcc::rt {

Entry *FromDevice::entryOf(uint64_t device) {
  if (byDevice.empty()) {
    byDevice.reserve(memory.table.all().size());
    for (Entry *e : memory.table.all())
      byDevice.push_back({reinterpret_cast<uintptr_t>(e->device), e});
    auto before = [](const Copy &a, const Copy &b) { return a.at < b.at; };
    // Copies are mostly allocated in the order of the host's addresses.
    if (!std::is_sorted(byDevice.begin(), byDevice.end(), before))
      std::sort(byDevice.begin(), byDevice.end(), before);
  }
  const size_t n = countUpTo(byDevice.data(), byDevice.size(), device, latest,
                             [](const Copy &c) { return c.at; });
  if (!n)
    return nullptr;
  const Copy &c = byDevice[n - 1];
  return device - c.at <= c.of->allocated ? c.of : nullptr;
}

bool FromDevice::find(uint64_t device, uint64_t &out, bool isElement,
                      Entry *e) {
  out = device;
  if (!device)
    return true;
  if (!e)
    return memory.constants.onHost(device, out) || isSame(device);
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

void FromDevice::save(const Entry &e) {
  if (saved.empty() && !memory.on.usesHostHeap())
    deviceHeap(memory.on, heap, heapEnd);
  auto copy = std::make_unique_for_overwrite<char[]>(e.allocated);
  for (const Span &s : e.back)
    memcpy(copy.get() + s.offset,
           reinterpret_cast<const char *>(e.begin) + s.offset, s.bytes);
  saved.push_back({&e, std::move(copy)});
}

void FromDevice::restore() {
  for (const auto &[e, copy] : saved)
    for (const Span &s : e->back)
      memcpy(reinterpret_cast<char *>(e->begin) + s.offset,
             copy.get() + s.offset, s.bytes);
  saved.clear();
}

/// Is the address the same on both sides: of device memory, or a value that
/// both had before?
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
    for (const Copy &c : byDevice)
      for (const HeldAddress &h : c.of->addresses)
        if (h.host == h.sent && h.host)
          same->insert(h.host);
  }
  return same->contains(address);
}

} // namespace xcc::rt
