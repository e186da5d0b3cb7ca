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
  /// The name of the shared library that is being linked; empty for programs.
  std::string library;
  /// Whether a member of an archive, "lib.a(a.o)", takes part in the host's
  /// link. Null where there is none.
  std::function<bool(llvm::StringRef member)> inHostLink;
  /// An object of the host's link that holds no device code and names a symbol;
  /// empty where there is none. Called from any thread; null for none.
  std::function<std::string(llvm::StringRef symbol)> plainUserOf;
  /// A note, of a line, that says what defines a symbol for the host or for
  /// other devices; empty where nothing does. Called from any thread.
  std::function<std::string(llvm::StringRef symbol, const DeviceArch &)>
      definedElsewhere;
};

struct DeviceLinkResult {
  std::vector<DeviceImage> images;
  /// What a shared library has for device code of others: for each target an
  /// OffloadBinary and the text that says what is in it.
  struct Export {
    std::string triple;
    llvm::SmallString<0> code;
    std::string text;
  };
  std::vector<Export> exports;
  /// Kernels have other symbols than their descriptors (DuplicateKernels.h).
  bool renamed = false;
};

/// The inputs are used up. No images when no input holds a kernel, or what a
/// shared library's images have for others.
llvm::Expected<DeviceLinkResult> linkDevice(std::vector<DeviceModule> inputs,
                                            const DeviceLinkOptions &options);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICELINK_H
