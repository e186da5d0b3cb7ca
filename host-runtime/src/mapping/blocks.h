// Blocks that kernels allocated, with host memory for them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a device's heap are added in the order of the objects that own
// them, not in the order of addresses. Most queries are for a block's start,
// for which there is a table. The blocks are sorted only at the first query for
// an address within a block.

#ifndef XCC_SRC_MAPPING_BLOCKS_H
#define XCC_SRC_MAPPING_BLOCKS_H

#include "mapping/numbers.h"
#include "mapping/ordered.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace xcc::rt {

/// A block of the device's heap, and the host memory for it.
struct DeviceBlock {
  uint64_t device, bytes;
  char *host;
  bool holds(uint64_t at, bool past = false) const {
    return at - device < bytes + past;
  }
};

class GrownBlocks {
public:
  bool empty() const { return blocks.empty(); }
  /// All blocks in the order in which they were added.
  const std::vector<DeviceBlock> &all() const { return blocks; }
  /// Finds a block by its start on the device; null if there is none.
  const DeviceBlock *find(uint64_t device) const {
    const uint32_t number = begins.find(device);
    return number == begins.None ? nullptr : &blocks[number];
  }
  /// Finds the block that contains a device address. \p past: or ends there.
  const DeviceBlock *around(uint64_t at, bool past) {
    // An object's addresses are mostly in the block that was added last.
    if (!blocks.empty() && blocks.back().holds(at))
      return &blocks.back();
    if (at < lowest || at > highest)
      return nullptr;
    if (const DeviceBlock *begun = find(at))
      return begun;
    sortNew();
    auto *before = sorted.atOrBefore(at);
    return before && blocks[before->value].holds(at, past)
               ? &blocks[before->value]
               : nullptr;
  }
  /// Reserves room. Call it before the first add().
  void reserve(size_t count) {
    begins.reserve(count);
    blocks.reserve(count);
  }
  /// Adds a block that is not there yet.
  void add(const DeviceBlock &block) {
    lowest = std::min(lowest, block.device);
    highest = std::max(highest, block.device + block.bytes);
    begins.add(block.device);
    blocks.push_back(block);
  }

private:
  void sortNew() {
    if (sortedCount == blocks.size())
      return;
    std::vector<uint32_t> more;
    for (; sortedCount != blocks.size(); ++sortedCount)
      more.push_back(uint32_t(sortedCount));
    std::sort(more.begin(), more.end(), [&](uint32_t a, uint32_t b) {
      return blocks[a].device < blocks[b].device;
    });
    for (uint32_t number : more)
      sorted.add(blocks[number].device, number);
  }

  Numbers<uint64_t> begins;
  std::vector<DeviceBlock> blocks; ///< parallel to begins
  uint64_t lowest = UINT64_MAX, highest = 0;
  Ordered<uint32_t> sorted; ///< the first blocks, by device address
  size_t sortedCount = 0;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_BLOCKS_H
