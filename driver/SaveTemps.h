// Implements -save-temps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang implements -save-temps by running its stages as separate jobs. xcc's
// stages stay one job, because host and device passes share data. So the plan
// gets file names, and the jobs write their intermediate results:
//
//   a.ii a.bc a.s a.o          the host pass of a.cpp
//   a-<triple>.bc              a device pass
//   a-<arch>.bc .s .o .so      the device link (named after the program if it
//                              has several inputs)

#ifndef XCC_DRIVER_SAVETEMPS_H
#define XCC_DRIVER_SAVETEMPS_H

#include "Plan.h"

namespace xcc {

/// Gives the plan's temporary objects permanent names, and every C++ step its
/// prefix.
void keepTemporaries(Plan &plan, const Options &options);

/// Writes the host pass's .ii and .s of a step.
llvm::Error saveHostStages(const CompileStep &step);

} // namespace xcc

#endif // XCC_DRIVER_SAVETEMPS_H
