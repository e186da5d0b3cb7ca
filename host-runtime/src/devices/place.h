// Where memory is
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy or fill has a Place for each side. It is looked up once, in the table
// of allocations (allocations.h), before a queue sees it.

#ifndef XCC_SRC_DEVICES_PLACE_H
#define XCC_SRC_DEVICES_PLACE_H

#include <cstddef>

namespace xcc::rt {

class Device;

struct Place {
  void *at = nullptr;
  /// The device that owns the memory; null for host memory and unknown memory.
  Device *owner = nullptr;
  /// The device that page-locked or manages the memory; null for other memory.
  Device *pinnedBy = nullptr;
  /// The start of the allocation; null for memory that is in no table.
  void *allocation = nullptr;

  /// The place \p bytes further, in the same allocation.
  Place operator+(size_t bytes) const {
    Place there = *this;
    there.at = static_cast<char *>(at) + bytes;
    return there;
  }
};

/// One of several copies that are enqueued together.
struct CopyPart {
  Place to, from;
  size_t bytes;
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_PLACE_H
