// What stays on a device for a while
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_SCOPE_H
#define XCC_SRC_MAPPING_SCOPE_H

#include "mapping/present.h"

/// Entries that a scope counts as one of their holders.
struct xcc_scope {
  xcc::rt::Device *on;
  xcc::rt::MappedMemory *memory; ///< null where the device shares the host's
  std::vector<xcc::rt::Entry *> entries;
  std::vector<xcc::rt::Entry *> named; ///< of those, by the program itself
};

namespace xcc::rt {

/// Makes what was collected present. \p out is null when it fails. \p begun: by
/// xcc_data_begin.
xcc_status holdMapped(xcc_mapping &m, xcc_scope *&out, bool begun = false);
/// Copies what was collected, to the device (XCC_MAP_IN) or back. \p held: only
/// what scopes hold.
xcc_status updateMapped(xcc_mapping &m, uint32_t direction, bool held = false);
/// As xcc_held_range.
uint64_t heldAround(Device &on, const void *at, void **begin);
/// Takes the scope, also when it fails.
xcc_status endScope(xcc_scope *scope);
/// The scope of an xcc_data_begin of what was collected.
xcc_status findBegun(xcc_mapping &m, xcc_scope *&out);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_SCOPE_H
