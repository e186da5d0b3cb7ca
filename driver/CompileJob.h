// One file through its passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_COMPILEJOB_H
#define XCC_DRIVER_COMPILEJOB_H

#include "Plan.h"
#include "link/DeviceLink.h"

namespace xcc {

/// What a compiled file has for devices.
struct CompiledUnit {
  KernelTable kernels;
  std::vector<DeviceModule> modules; ///< for the device link
  std::vector<DeviceImage> images;   ///< what an early device link made of them
  bool linked = false;               ///< early: there are no modules any more
};

/// Compiles a step's file, or preprocesses it. With `early`, device modules are
/// linked while the host's code is still being generated, which is for files
/// that are the only ones with device code.
llvm::Expected<CompiledUnit> compileFile(const DriverEnv &env,
                                         CompileStep &step,
                                         const Options &options,
                                         const DeviceLinkOptions *early);

} // namespace xcc

#endif // XCC_DRIVER_COMPILEJOB_H
