// Reading a device's heap from the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_HEAP_READER_H
#define XCC_SRC_MAPPING_HEAP_READER_H

#include "devices/device.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace xcc::rt {

/// Page-locked memory for copies of a heap, to which the device writes
/// directly. It is kept from one copy back to the next, and lives as long as
/// the device.
struct HeapCopy {
  static constexpr uint64_t MostKept = 8 << 20;
  char *memory = nullptr;
  uint64_t bytes = 0;
};

/// Reads blocks of a device's heap. Many small blocks lie in few slabs of the
/// heap. A slab is copied once, when a block in it is first read, together with
/// some that follow, more each time. Use it for one copy back, while no kernel
/// of that runs any more.
class HeapReader {
public:
  HeapReader(Device &on, Queue &in, HeapCopy &kept);

  /// Announces \p count blocks that begin in [first, last]. If they lie close
  /// together, the whole range is copied at once.
  xcc_status expect(uint64_t first, uint64_t last, uint64_t count);

  /// Whether the address is in the device's own heap, where no entry has a
  /// copy.
  bool isWithin(uint64_t at) const { return base < at && at < end; }
  /// Are these bytes in memory that kernels allocate from the device or the
  /// host?
  bool holds(uint64_t at, uint64_t bytes) const;
  /// Copies bytes for which holds() is true. Large ones arrive at flush().
  xcc_status read(void *to, uint64_t from, uint64_t bytes);
  /// Waits for all copies.
  void flush();
  /// Is the device's heap the host's, so that nothing must be read?
  bool isHost() const { return host; }

private:
  xcc_status slab(uint64_t begin, const char *&out);
  xcc_status copySlabs(uint64_t begin, uint64_t count);
  xcc_status copy(const Place &to, uint64_t from, uint64_t bytes);
  Place memoryFor(uint64_t bytes);

  static constexpr uint64_t SlabSize = 65536, MostTogether = 32;
  Device &on;
  Queue &in;
  HeapCopy &kept;
  bool host;
  uint64_t base = 0, end = 0; ///< of the device's heap
  bool copying = false;
  std::unordered_map<uint64_t, const char *> slabs; ///< copies, by their start
  std::vector<std::unique_ptr<char[]>> copied;
  struct {
    uint64_t begin = 0;
    const char *copy = nullptr;
  } latest;              ///< the last slab used
  uint64_t together = 1; ///< slabs to copy next time
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HEAP_READER_H
