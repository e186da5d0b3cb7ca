// From device modules to images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the device modules of all translation units and archives of a linked
// unit with the device runtime, keeps what kernels reach, and has the target
// generate one image per arch. Archs run in parallel.

#ifndef XCC_BACKEND_LINK_DEVICELINK_H
#define XCC_BACKEND_LINK_DEVICELINK_H

#include "DeviceInputs.h"
#include <string>
#include <vector>

namespace xcc {

struct DeviceLinkOptions {
  std::vector<DeviceArch> archs;
  /// What is given here, -O and target options, holds; objects tell the rest.
  DeviceCodegenOptions codegen;
  bool optLevelGiven = false;
  /// A note, of a line, that says what defines a symbol for the host or for
  /// other devices; empty where nothing does. Called from any thread.
  std::function<std::string(llvm::StringRef symbol, const DeviceArch &)>
      definedElsewhere;
};

/// The inputs are used up. No images when no input holds a kernel.
llvm::Expected<std::vector<DeviceImage>>
linkDevice(std::vector<DeviceModule> inputs, const DeviceLinkOptions &options);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICELINK_H
