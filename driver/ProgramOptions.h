// What a program whose main runs on a device cannot be compiled with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of Clang that change the host's code, where there is none but the
// loader's. Those that a program would be wrong or unchecked without are errors;
// those that only tell of a run are warnings.

#ifndef XCC_DRIVER_PROGRAM_OPTIONS_H
#define XCC_DRIVER_PROGRAM_OPTIONS_H

#include "DriverEnv.h"
#include "Options.h"

namespace xcc {

llvm::Error checkProgramOptions(const DriverEnv &env, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_PROGRAM_OPTIONS_H
