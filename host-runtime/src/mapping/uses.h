// How launches use entries
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
  bool anywhere;        ///< writes through an address without a known range
  bool may;             ///< writes if the analysis says so, despite the types
  bool needs = true;    ///< needs the host's contents
  bool makes = false;   ///< overwrites all of it
  bool byConst = false; ///< writes what its types call const
  bool sends = false;   ///< stale bytes are sent before the kernel runs
};

/// Bytes of an entry that a launch may write.
struct Written {
  Entry *entry;
  Span span;
};

/// Tells the profile, if it is on, how many bytes a launch uses.
inline void profileMapped(const Device &on, const MappingPlace &by,
                          const std::vector<Used> &used) {
  if (!profile::enabled() || !by.info) [[likely]]
    return;
  uint64_t bytes = 0;
  for (const Used &u : used)
    bytes += u.entry->allocated;
  profile::mapped(on.ordinal(), by.info->name, bytes);
}

/// Makes a queue wait for other queues' work on the same entries.
xcc_status waitForOthers(Device &on, Queue &queue,
                         const std::vector<Used> &used);

/// Records that the queue's next mapped launch, which was just made, uses the
/// entries. \p failures: how many kernels had failed before it.
void useEntries(MappedMemory &memory, Queue &queue, const MappingPlace &by,
                const std::vector<Used> &used,
                const std::vector<Written> &written, uint64_t failures);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_USES_H
