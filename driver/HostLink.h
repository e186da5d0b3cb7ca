// The host link, with images and runtime
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_HOSTLINK_H
#define XCC_DRIVER_HOSTLINK_H

#include "Plan.h"
#include "link/DeviceLink.h"

namespace xcc {

/// Links the host's program or library with its images and the runtime; a
/// library also with its exports. A program with kernels but without images
/// gets a record without images. `needed` are arguments that name libraries
/// whose variables the images use. Adds temporary files to the plan's list.
/// After an error there is no output.
llvm::Error linkHost(const DriverEnv &env, Plan &plan,
                     const DeviceLinkResult &linked, bool hasKernels,
                     llvm::ArrayRef<std::string> needed,
                     const Options &options);

/// Writes the object that linkHost would add, for the link of another driver.
llvm::Error writeDeviceObject(const DriverEnv &env, const Plan &plan,
                              const DeviceLinkResult &linked, bool hasKernels,
                              llvm::ArrayRef<std::string> needed,
                              const Options &options);

/// Writes the images alone; xcc-run runs them.
llvm::Error writeImageFile(const Plan &plan,
                           llvm::ArrayRef<DeviceImage> images);

} // namespace xcc

#endif // XCC_DRIVER_HOSTLINK_H
