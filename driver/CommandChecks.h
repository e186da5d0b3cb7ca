// Checks of a command before it runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_COMMANDCHECKS_H
#define XCC_DRIVER_COMMANDCHECKS_H

#include "DriverEnv.h"
#include "Options.h"

namespace xcc {

/// Warns of options that did not reach xcc, or have less effect than they seem
/// to. Returns an error for a warning under -Werror, and for options that
/// exclude each other.
llvm::Error checkCommand(const DriverEnv &env, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_COMMANDCHECKS_H
