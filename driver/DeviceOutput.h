// Reports and writes the images of a device link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_DEVICEOUTPUT_H
#define XCC_DRIVER_DEVICEOUTPUT_H

#include "Plan.h"

namespace xcc {

/// Sorts images into the order in which the archs were given.
void orderImages(std::vector<DeviceImage> &images,
                 llvm::ArrayRef<DeviceArch> archs);

/// Prints warnings and notes, each once, remarks, and the tables of
/// -foffload-resource-usage.
llvm::Error reportImages(const DriverEnv &env,
                         llvm::ArrayRef<DeviceImage> images,
                         const KernelTable &kernels, const Options &options);

/// The output that -foffload-device-only writes for a step; none with
/// -fsyntax-only.
std::optional<DeviceOutput> deviceOutput(const CompileStep &step);

/// Writes each arch's image. Several archs have a file each. After an error
/// there is no output.
llvm::Error writeImages(std::vector<DeviceImage> images,
                        const CompileStep &step);

/// Writes the file of -emit-kernel-info=, if the option is given.
llvm::Error writeKernelInfo(const KernelTable &kernels, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_DEVICEOUTPUT_H
