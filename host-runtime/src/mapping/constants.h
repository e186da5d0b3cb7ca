// Copies of the program's constants on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of the memory behind a plain pointer is unknown. If it leads to
// memory that the program cannot write, such as a string literal, the size is
// not needed: the device gets a copy of the whole segment of the program or
// library, once, and keeps it.
//
// Use all of this under mappingMutex.

#ifndef XCC_SRC_MAPPING_CONSTANTS_H
#define XCC_SRC_MAPPING_CONSTANTS_H

#include "xcc/runtime.h"

#include <cstdint>
#include <vector>

namespace xcc::rt {

struct MappedMemory;
struct MappingPlace;

/// A read-only segment of a loaded file.
struct ConstantSegment {
  uintptr_t begin, end;
  /// Is it in the program itself, which is never unloaded?
  bool stays;
  /// Was the file loaded at the address for which it was linked? Then numbers
  /// in it may be addresses.
  bool fixed;
};

/// The segment that contains an address; null if there is none. Valid until the
/// next call.
const ConstantSegment *findConstants(uintptr_t at);

/// Copies of segments on one device.
class Constants {
public:
  /// Computes the device's address of \p at, which is in \p segment; makes the
  /// copy if necessary. May throw std::bad_alloc.
  xcc_status translate(MappedMemory &memory, const ConstantSegment &segment,
                       uintptr_t at, const MappingPlace &by, uint64_t &out);
  /// Translates a device address to the host's. Returns false if it is in no
  /// copy.
  bool onHost(uint64_t device, uint64_t &host) const;

private:
  struct Copy {
    uintptr_t begin; ///< on the host
    uint64_t bytes;
    uint64_t device;
    uint64_t hash;   ///< of the bytes; 0 if the segment stays
    uint64_t loaded; ///< count of unloaded files when it was last used
  };
  Copy *find(const ConstantSegment &segment);

  std::vector<Copy> copies;
};

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_CONSTANTS_H
