// The graphs' functions for the rest of the runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_GRAPHS_GRAPHS_H
#define XCC_SRC_GRAPHS_GRAPHS_H

#include "xcc/runtime.h"

namespace xcc::rt {

/// Called before the unit's kernels are unloaded: graphs that launch one of
/// them cannot be launched any more.
void forgetRecorded(const xcc_binary &unit);

} // namespace xcc::rt
#endif // XCC_SRC_GRAPHS_GRAPHS_H
