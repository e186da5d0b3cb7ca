// The link of a program whose main runs on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was written for the link, objects and libraries, makes the image; where
// the device is the host's machine, libraries of the host are linked into it.
// The host's program is a loader of ours with the image in it.

#ifndef XCC_DRIVER_PROGRAMLINK_H
#define XCC_DRIVER_PROGRAMLINK_H

#include "Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace xcc {

/// Makes the plan's link one of a program: what was written goes to
/// link.deviceArgs, the command keeps the toolchain's own. Sources that are
/// linked at once are compiled for the devices alone.
llvm::Error linkAsProgram(const DriverEnv &env, Plan &plan,
                          const Options &options);

/// The files of which the loader is linked, without images.
std::vector<std::string> loaderFiles(const Installation &installation);

/// The arguments of a linker for what a program takes of the host's: libraries,
/// and objects that `holdsDeviceCode` does not know.
std::vector<std::string>
hostLibraries(const LinkStep &link,
              llvm::function_ref<bool(llvm::StringRef)> holdsDeviceCode);

} // namespace xcc

#endif // XCC_DRIVER_PROGRAMLINK_H
