// What launches do with entries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_USES_H
#define XCC_SRC_MAPPING_USES_H

#include "mapping/present.h"
#include "process/profile.h"

namespace xcc::rt {

/// An entry that a launch uses.
struct Used {
  Entry *entry;
  bool writes;
  bool anywhere;        ///< through an address of which no range is known
  bool may;             ///< if the kernel is known to, whatever the types say
  bool needs = true;    ///< what the host has there
  bool makes = false;   ///< all of it anew
  bool byConst = false; ///< writes what its types call const
  bool sends = false;   ///< stale bytes of it are sent before the kernel runs
};

/// Bytes of an entry that a launch may write.
struct Written {
  Entry *entry;
  Span span;
};

/// Tells the profile what a launch uses, where there is one.
inline void profileMapped(const Device &on, const MappingPlace &by,
                          const std::vector<Used> &used) {
  if (!profile::enabled() || !by.info) [[likely]]
    return;
  uint64_t bytes = 0;
  for (const Used &u : used)
    bytes += u.entry->allocated;
  profile::mapped(on.ordinal(), by.info->name, bytes);
}

/// Makes a queue wait for work of others that uses the same entries.
xcc_status waitForOthers(Device &on, Queue &queue,
                         const std::vector<Used> &used);

/// Remembers that the queue's next mapped launch, which was just made, uses the
/// entries. \p failures of kernels were known before it.
void useEntries(MappedMemory &memory, Queue &queue, const MappingPlace &by,
                const std::vector<Used> &used,
                const std::vector<Written> &written, uint64_t failures);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_USES_H
