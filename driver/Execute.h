// Carries a plan out
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_EXECUTE_H
#define XCC_DRIVER_EXECUTE_H

#include "Plan.h"

namespace xcc {

/// Runs the plan's steps in order; messages go to standard error. Returns the
/// exit status: 0, or 1 on any error, in which case no output of a failed step
/// is left behind.
int execute(Plan &plan, const Installation &installation,
            const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_EXECUTE_H
