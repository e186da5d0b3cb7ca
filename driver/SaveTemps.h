// What -save-temps keeps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang implements -save-temps by running its stages as separate jobs. Stages
// of ours stay one job, in which host and device passes know each other, so
// the plan gets names and the jobs write what they hold:
//
//   a.ii a.bc a.s a.o          the host's, of a.cpp
//   a-<triple>.bc              a device pass's
//   a-<arch>.bc .s .o .so      the device link's (named after the program where
//                              several files are linked)

#ifndef XCC_DRIVER_SAVETEMPS_H
#define XCC_DRIVER_SAVETEMPS_H

#include "Plan.h"

namespace xcc {

/// Gives the plan's temporary objects names that stay, and every C++ step its
/// prefix.
void keepTemporaries(Plan &plan, const Options &options);

/// Writes the host's .ii and .s of a step.
llvm::Error saveHostStages(const CompileStep &step);

} // namespace xcc

#endif // XCC_DRIVER_SAVETEMPS_H
