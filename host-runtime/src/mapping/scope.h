// Scopes, which keep memory on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_SCOPE_H
#define XCC_SRC_MAPPING_SCOPE_H

#include "mapping/present.h"

/// A scope. It holds parts of its entries.
struct xcc_scope {
  xcc::rt::Device *on;
  xcc::rt::MappedMemory *memory; ///< null if the device shares host memory
  std::vector<xcc::rt::Entry *> entries;
  std::vector<xcc::rt::Entry *> named; ///< those that the program named
};

namespace xcc::rt {

/// Copies what was collected to the device and makes a scope hold it. \p out is
/// null on failure. \p begun: called by xcc_data_begin.
xcc_status holdMapped(xcc_mapping &m, xcc_scope *&out, bool begun = false);
/// Copies what was collected to the device (XCC_MAP_IN) or back (XCC_MAP_OUT).
/// \p held: only what scopes hold.
xcc_status updateMapped(xcc_mapping &m, uint32_t direction, bool held = false);
/// Implements xcc_held_range.
uint64_t heldAround(Device &on, const void *at, void **begin);
/// Ends the scope, and frees it even on failure.
xcc_status endScope(xcc_scope *scope);
/// Finds the xcc_data_begin of what was collected, as a scope to end.
xcc_status findBegun(xcc_mapping &m, xcc_scope *&out);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_SCOPE_H
