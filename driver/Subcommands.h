// Commands of xcc that compile nothing
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_SUBCOMMANDS_H
#define XCC_DRIVER_SUBCOMMANDS_H

#include "DriverEnv.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// Whether the command starts with --precompile or is --print-device-sections.
bool isSubcommand(llvm::ArrayRef<const char *> args);

/// Runs the command and returns its exit status.
llvm::Expected<int> runSubcommand(const DriverEnv &env,
                                  llvm::ArrayRef<const char *> args);

} // namespace xcc

#endif // XCC_DRIVER_SUBCOMMANDS_H
