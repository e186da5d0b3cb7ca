// The records of llvm_offload_entries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FORMATS_OFFLOAD_ENTRY_H
#define XCC_FORMATS_OFFLOAD_ENTRY_H

#include "xcc/abi.h"

namespace xcc::rt {

/// As LLVM lays it out.
struct OffloadEntry {
  uint64_t reserved;
  uint16_t version, kind;
  uint32_t flags;
  void *address; ///< a descriptor
  const char *name;
  uint64_t size, data;
  void *more;
};
static_assert(sizeof(OffloadEntry) == 56);

/// Calls \p visit with each descriptor of a unit.
template <class Fn> void visitEntries(const xcc_binary &unit, Fn visit) {
  auto *at = static_cast<const OffloadEntry *>(unit.entries_begin);
  auto *end = static_cast<const OffloadEntry *>(unit.entries_end);
  for (; at && at < end; ++at) {
    auto *info = static_cast<xcc_kernel_info *>(at->address);
    if (info && info->magic == XCC_KERNEL_MAGIC &&
        info->abi_version == XCC_ABI_VERSION)
      visit(*info);
  }
}

} // namespace xcc::rt
#endif // XCC_FORMATS_OFFLOAD_ENTRY_H
