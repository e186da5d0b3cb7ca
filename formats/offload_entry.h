// Records of llvm_offload_entries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FORMATS_OFFLOAD_ENTRY_H
#define XCC_FORMATS_OFFLOAD_ENTRY_H

#include "formats/entry_flags.h"
#include "xcc/abi.h"

namespace xcc::rt {

/// A record, in LLVM's layout.
struct OffloadEntry {
  uint64_t reserved;
  uint16_t version, kind;
  uint32_t flags; ///< see entry_flags.h
  void *address;  ///< an xcc_kernel_info
  const char *name;
  uint64_t size, data;
  const void *function; ///< the host function, with XCC_ENTRY_OF_FUNCTION
};
static_assert(sizeof(OffloadEntry) == 56);

/// Calls \p visit with each record of a unit that refers to one of our
/// descriptors.
template <class Fn> void visitRecords(const xcc_binary &unit, Fn visit) {
  auto *at = static_cast<const OffloadEntry *>(unit.entries_begin);
  auto *end = static_cast<const OffloadEntry *>(unit.entries_end);
  for (; at && at < end; ++at) {
    auto *info = static_cast<xcc_kernel_info *>(at->address);
    if (info && info->magic == XCC_KERNEL_MAGIC &&
        info->abi_version == XCC_ABI_VERSION)
      visit(*at, *info);
  }
}

/// Calls \p visit with each descriptor of a unit.
template <class Fn> void visitEntries(const xcc_binary &unit, Fn visit) {
  visitRecords(unit, [&](const OffloadEntry &record, xcc_kernel_info &info) {
    if (record.flags != XCC_ENTRY_OF_FUNCTION)
      visit(info);
  });
}

/// Returns the descriptor of the kernel with this host function, or null.
inline const xcc_kernel_info *infoOfFunction(const xcc_binary &unit,
                                             const void *function) {
  const xcc_kernel_info *found = nullptr;
  visitRecords(unit, [&](const OffloadEntry &record, xcc_kernel_info &info) {
    if (record.flags == XCC_ENTRY_OF_FUNCTION && record.function == function)
      found = &info;
  });
  return found;
}

} // namespace xcc::rt
#endif // XCC_FORMATS_OFFLOAD_ENTRY_H
