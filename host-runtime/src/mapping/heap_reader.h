// What kernels left in a device's heap, read by the host
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

/// Page-locked memory for copies of a heap, kept from one copy back to the next:
/// the device writes there itself. It lives as long as the device.
struct HeapCopy {
  static constexpr uint64_t MostKept = 8 << 20;
  char *memory = nullptr;
  uint64_t bytes = 0;
};

/// Many small blocks lie in few slabs of the heap: each is copied once, when
/// something in it is read first, and with it some that follow, more each time.
/// For one copy back, while no kernel that was waited for runs any more.
class HeapReader {
public:
  HeapReader(Device &on, Queue &in, HeapCopy &kept);

  /// \p count blocks that will be read begin in [first, last]. Where they lie
  /// close together, all of that is copied at once.
  xcc_status expect(uint64_t first, uint64_t last, uint64_t count);

  /// Is it an address in the device's own heap, where no entry has its copy?
  bool isWithin(uint64_t at) const { return base < at && at < end; }
  /// Are these bytes in memory that kernels allocate from the device?
  bool holds(uint64_t at, uint64_t bytes) const;
  /// Copies bytes that it holds. Those of large blocks are there after flush.
  xcc_status read(void *to, uint64_t from, uint64_t bytes);
  /// Waits for all copies.
  void flush();
  /// Is the device's heap the host's, so that nothing need be read?
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
  uint64_t base = 0, end = 0; ///< of the heap
  bool copying = false;
  std::unordered_map<uint64_t, const char *> slabs; ///< by their begins
  std::vector<std::unique_ptr<char[]>> copied;
  struct {
    uint64_t begin = 0;
    const char *copy = nullptr;
  } latest;              ///< which slab was asked for
  uint64_t together = 1; ///< how many slabs the next copy has
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_HEAP_READER_H
