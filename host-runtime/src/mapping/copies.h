// Copies of entries that need no staging copy
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_COPIES_H
#define XCC_SRC_MAPPING_COPIES_H

#include "mapping/present.h"

namespace xcc::rt {

/// Enqueues copies between entries and host memory. If the device gathers
/// copies, end() enqueues those of small entries together. Use it under the
/// lock; it may throw std::bad_alloc.
class Copies {
public:
  enum Direction { ToDevice, ToHost };
  Copies(MappedMemory &memory, Queue &in) : memory(memory), in(in) {
    memory.parts.clear();
  }
  Copies(const Copies &) = delete;

  xcc_status add(const Entry &e, const Spans &what, Direction direction);
  xcc_status end();
  /// The bytes that end() will copy together, so far.
  uint64_t bytes() const { return bytes_; }
  size_t entries() const { return entries_; }

  /// Larger entries have a block and copies of their own.
  static constexpr uint64_t MostGathered = 64 * 1024 - 1024;
  /// Does end() copy this entry, if it needs no staging copy?
  static bool gathers(const Device &on, const Entry &e) {
    return on.gathers() && e.allocated <= MostGathered;
  }

private:
  MappedMemory &memory;
  Queue &in;
  uint64_t bytes_ = 0;
  size_t entries_ = 0;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_COPIES_H
