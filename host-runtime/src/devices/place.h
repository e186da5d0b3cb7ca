// Where memory is
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy or fill has one of these for each side. Whose memory it is is looked
// up once, in the table of allocations (allocations.h), before a queue sees it.

#ifndef XCC_SRC_DEVICES_PLACE_H
#define XCC_SRC_DEVICES_PLACE_H

#include <cstddef>

namespace xcc::rt {

class Device;

struct Place {
  void *at = nullptr;
  /// The device whose own memory it is; null for the host's, also where
  /// nothing is known of it.
  Device *owner = nullptr;
  /// The device that locked or manages it; null for other memory.
  Device *pinnedBy = nullptr;
  /// Where the allocation begins; null for memory that is in no table.
  void *allocation = nullptr;

  /// That many bytes on, in the same allocation.
  Place operator+(size_t bytes) const {
    Place there = *this;
    there.at = static_cast<char *>(at) + bytes;
    return there;
  }
};

/// One of several copies that are made together.
struct CopyPart {
  Place to, from;
  size_t bytes;
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_PLACE_H
