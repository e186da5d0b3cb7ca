// What xcc does instead of compiling
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_SUBCOMMANDS_H
#define XCC_DRIVER_SUBCOMMANDS_H

#include "DriverEnv.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Does the command begin with --precompile, or is it --print-device-sections?
bool isSubcommand(llvm::ArrayRef<const char *> args);

/// Carries it out. The exit status.
llvm::Expected<int> runSubcommand(const DriverEnv &env,
                                  llvm::ArrayRef<const char *> args);

} // namespace xcc

#endif // XCC_DRIVER_SUBCOMMANDS_H
