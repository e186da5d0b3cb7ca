// A program's loader
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_PROGRAM_RUN_H
#define XCC_PROGRAM_RUN_H

#include "options.h"
#include "xcc/abi.h"

namespace xcc::program {

/// How the loader itself ends when it cannot start a program.
inline constexpr int CannotRun = 125;
/// How a program ends that took longer than --timeout.
inline constexpr int TimedOut = 124;

/// Says "xcc-run: error: ..." on standard error.
void complain(const char *text);

/// Runs the program whose images a record names, and ends the process as the
/// program ends. The environment is the process's.
[[noreturn]] void run(xcc_binary &unit, const Options &options, int argc,
                      char **argv);

} // namespace xcc::program
#endif // XCC_PROGRAM_RUN_H
