// Checks of a command before it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_COMMANDCHECKS_H
#define XCC_DRIVER_COMMANDCHECKS_H

#include "DriverEnv.h"
#include "Options.h"

namespace xcc {

/// Warns of options that did not arrive, or do less than they seem to. An error
/// is what -Werror makes of that, or options that exclude each other.
llvm::Error checkCommand(const DriverEnv &env, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_COMMANDCHECKS_H
