// Translating device addresses to host addresses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_FROM_DEVICE_H
#define XCC_SRC_MAPPING_FROM_DEVICE_H

#include "mapping/present.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

namespace xcc::rt {

/// Elements that a kernel added in an entry's unused room.
struct Added {
  Entry *to;
  uint64_t end; ///< bytes from the entry's start
};

/// Translates device addresses to host addresses. Use it under the lock, while
/// the table does not change.
class FromDevice {
public:
  /// \p grown: kernels may have added elements that hold addresses.
  FromDevice(const MappedMemory &memory, bool grown)
      : memory(memory), grows(grown) {}

  /// Translates an address. Returns false if it is unknown. \p isElement is
  /// false for the end of a container's room, which is no element.
  bool find(uint64_t device, uint64_t &out, bool isElement) {
    return find(device, out, isElement, device ? entryOf(device) : nullptr);
  }
  /// The same for \p e, the result of entryOf(device).
  bool find(uint64_t device, uint64_t &out, bool isElement, Entry *e);
  /// The entry whose copy contains the address, or ends there; null if none
  /// does.
  Entry *entryOf(uint64_t device);

  /// After save(): is the address in the device's own heap, where no entry has
  /// its copy?
  bool isOfHeap(uint64_t device) {
    if (device <= heap || device >= heapEnd)
      return false;
    met.first = std::min(met.first, device);
    met.last = std::max(met.last, device);
    ++met.count;
    return true;
  }
  /// The range of addresses for which isOfHeap returned true.
  struct HeapRange {
    uint64_t first = UINT64_MAX, last = 0, count = 0;
  };
  const HeapRange &metInHeap() const { return met; }

  /// Saves the host's bytes of an entry that a kernel may have grown.
  void save(const Entry &e);
  /// Restores all saved bytes: an object that cannot be copied back stays as
  /// it was.
  void restore();

  std::vector<Added> added; ///< elements after the mapped ones
  /// An entry to which a kernel added elements that may hold device addresses.
  const Entry *grown = nullptr;

private:
  bool isSame(uint64_t address);

  const MappedMemory &memory;
  const bool grows;
  uint64_t heap = 0, heapEnd = 0; ///< the device's own heap, after save()
  HeapRange met;
  struct Copy {
    uint64_t at; ///< the address on the device
    Entry *of;
  };
  std::vector<std::pair<const Entry *, std::unique_ptr<char[]>>> saved;
  std::vector<Copy> byDevice; ///< ascending
  size_t latest = 0;          ///< the last result, as a hint
  /// Addresses that are equal on both sides; computed at the first use.
  std::optional<std::unordered_set<uint64_t>> same;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_FROM_DEVICE_H
