// Constants of the program's files, on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plain pointer says nothing of how much there is behind it. Where it leads to
// memory that the program cannot write, as a string literal's, that need not be
// known: the device gets a copy of the whole segment of the program or library,
// once, and keeps it.
//
// Everything here is used under mappingMutex.

#ifndef XCC_SRC_MAPPING_CONSTANTS_H
#define XCC_SRC_MAPPING_CONSTANTS_H

#include "xcc/runtime.h"

#include <cstdint>
#include <vector>

namespace xcc::rt {

struct MappedMemory;
struct MappingPlace;

/// A segment of a loaded file that can be read only.
struct ConstantSegment {
  uintptr_t begin, end;
  /// In the program itself, which is never unloaded.
  bool stays;
  /// May hold addresses: of a file that is loaded where it was linked for.
  bool fixed;
};

/// The segment that an address is in; null when there is none. Valid until the
/// next call.
const ConstantSegment *findConstants(uintptr_t at);

/// Copies of segments on one device.
class Constants {
public:
  /// Where the device has \p at, which is in \p segment. May throw
  /// std::bad_alloc.
  xcc_status translate(MappedMemory &memory, const ConstantSegment &segment,
                       uintptr_t at, const MappingPlace &by, uint64_t &out);
  /// What the host calls an address of the device; false when it is in no copy.
  bool onHost(uint64_t device, uint64_t &host) const;

private:
  struct Copy {
    uintptr_t begin; ///< on the host
    uint64_t bytes;
    uint64_t device;
    uint64_t hash;   ///< of the bytes; 0: the segment stays
    uint64_t loaded; ///< when it was the segment's: files unloaded by then
  };
  Copy *find(const ConstantSegment &segment);

  std::vector<Copy> copies;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_CONSTANTS_H
