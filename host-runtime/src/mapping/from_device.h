// Addresses of the device as the host's
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

/// Elements that a kernel added in the room behind an entry's.
struct Added {
  Entry *to;
  uint64_t end; ///< bytes from the entry's begin
};

/// Finds what the host calls an address of the device. Under the lock, while the
/// table stays as it is.
class FromDevice {
public:
  /// \p grown: elements that may hold addresses may have been added.
  FromDevice(const MappedMemory &memory, bool grown)
      : memory(memory), grows(grown) {}

  /// False where there is none. What is no element's is the end of a
  /// container's room.
  bool find(uint64_t device, uint64_t &out, bool isElement) {
    return find(device, out, isElement, device ? entryOf(device) : nullptr);
  }
  /// \p e: what entryOf(device) has found.
  bool find(uint64_t device, uint64_t &out, bool isElement, Entry *e);
  /// The entry whose copy an address is in, or at the end of; null: none.
  Entry *entryOf(uint64_t device);

  /// After a save: is it in the device's own heap, where no entry has its copy?
  bool isOfHeap(uint64_t device) {
    if (device <= heap || device >= heapEnd)
      return false;
    met.first = std::min(met.first, device);
    met.last = std::max(met.last, device);
    ++met.count;
    return true;
  }
  /// Those that isOfHeap has been asked about.
  struct HeapRange {
    uint64_t first = UINT64_MAX, last = 0, count = 0;
  };
  const HeapRange &metInHeap() const { return met; }

  /// Keeps what the host has of an entry that a kernel may have grown.
  void save(const Entry &e);
  /// Gives the host all of that back: an object that cannot come home stays as
  /// it was.
  void restore();

  std::vector<Added> added; ///< behind what was mapped
  /// Whose elements, added by a kernel, may hold addresses of the device.
  const Entry *grown = nullptr;

private:
  bool isSame(uint64_t address);

  const MappedMemory &memory;
  const bool grows;
  uint64_t heap = 0, heapEnd = 0; ///< the device's own, where kernels may grow
  HeapRange met;
  struct Copy {
    uint64_t at; ///< on the device
    Entry *of;
  };
  std::vector<std::pair<const Entry *, std::unique_ptr<char[]>>> saved;
  std::vector<Copy> byDevice; ///< ascending
  size_t latest = 0;          ///< how many of them begin at or before the last
  /// Addresses in entries that both sides have, once asked for.
  std::optional<std::unordered_set<uint64_t>> same;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_FROM_DEVICE_H
