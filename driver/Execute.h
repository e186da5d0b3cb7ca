// Executes a plan
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_EXECUTE_H
#define XCC_DRIVER_EXECUTE_H

#include "Plan.h"

namespace xcc {

/// Runs the plan's steps in order. A failed step leaves no output. Adds
/// temporary files to the plan's list.
llvm::Error execute(const DriverEnv &env, Plan &plan, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_EXECUTE_H
