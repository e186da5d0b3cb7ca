// Links a program whose main runs on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects and libraries of the link make the image. If the device is the
// host's processor, libraries of the host are linked into the image. The host's
// program is xcc's loader, which contains the image.

#ifndef XCC_DRIVER_PROGRAMLINK_H
#define XCC_DRIVER_PROGRAMLINK_H

#include "Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// Makes the plan's link one of a program: moves the user's inputs to
/// link.deviceArgs, and keeps the toolchain's own arguments. Sources of this
/// command are compiled for the devices only.
llvm::Error linkAsProgram(const DriverEnv &env, Plan &plan,
                          const Options &options);

/// The files of which the loader is linked, without images.
std::vector<std::string> loaderFiles(const Installation &installation);

/// The linker arguments for host code that a program uses: libraries, and
/// objects for which `holdsDeviceCode` returns false.
std::vector<std::string>
hostLibraries(const LinkStep &link,
              llvm::function_ref<bool(llvm::StringRef)> holdsDeviceCode);

} // namespace xcc

#endif // XCC_DRIVER_PROGRAMLINK_H
