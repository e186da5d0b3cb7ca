// Compiles one file with all its passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_COMPILEJOB_H
#define XCC_DRIVER_COMPILEJOB_H

#include "Plan.h"
#include "link/DeviceLink.h"

namespace xcc {

/// The device code of a compiled file.
struct CompiledUnit {
  KernelTable kernels;
  std::vector<DeviceModule> modules; ///< for the later device link
  std::vector<DeviceImage> images;   ///< made by an early device link
  bool linked = false;               ///< linked early, so `modules` is empty
};

/// Compiles a step's file, or preprocesses it. With `early`, links device
/// modules while the host's code is still being generated. That is possible if
/// no other file has device code.
llvm::Expected<CompiledUnit> compileFile(const DriverEnv &env,
                                         CompileStep &step,
                                         const Options &options,
                                         const DeviceLinkOptions *early);

} // namespace xcc

#endif // XCC_DRIVER_COMPILEJOB_H
