// Host functions that device code calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_SERVICES_HOST_TABLE_H
#define XCC_SRC_SERVICES_HOST_TABLE_H

#include "xcc/abi.h"

namespace xcc::rt {

/// Finds a host function by number in all registered tables; null if there is
/// none. It stays valid until its table is unregistered.
const xcc_host_entry *findHostEntry(uint64_t id);

} // namespace xcc::rt

#endif // XCC_SRC_SERVICES_HOST_TABLE_H
