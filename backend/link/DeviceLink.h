// The device link: makes images from device modules
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the device modules of all translation units and archives of a linked
// unit with the device runtime, keeps what kernels reach, and makes the target
// generate one image for each arch. Archs run in parallel.

#ifndef XCC_BACKEND_LINK_DEVICELINK_H
#define XCC_BACKEND_LINK_DEVICELINK_H

#include "DeviceInputs.h"
#include <string>
#include <vector>

namespace xcc {

struct DeviceLinkOptions {
  std::vector<DeviceArch> archs;
  /// Options of the command line, -O and the target's, win over those that
  /// objects record.
  DeviceCodegenOptions codegen;
  bool optLevelGiven = false;
  /// The name of the shared library that is linked; empty for programs.
  std::string library;
  /// Whether the host link takes a member of an archive, "lib.a(a.o)". Null if
  /// there is no host link.
  std::function<bool(llvm::StringRef member)> inHostLink;
  /// An object of the host link that has no device code and names a symbol;
  /// empty if there is none. Called from any thread. May be null.
  std::function<std::string(llvm::StringRef symbol)> plainUserOf;
  /// A one-line note on the file that defines a symbol for the host or for
  /// other devices; empty if none does. Called from any thread.
  std::function<std::string(llvm::StringRef symbol, const DeviceArch &)>
      definedElsewhere;
};

struct DeviceLinkResult {
  std::vector<DeviceImage> images;
  /// What a shared library exports to device code of others: an OffloadBinary
  /// for each target, and the text that describes it.
  struct Export {
    std::string triple;
    llvm::SmallString<0> code;
    std::string text;
  };
  std::vector<Export> exports;
  /// Some kernels have other symbols than their descriptors
  /// (DuplicateKernels.h).
  bool renamed = false;
};

/// Makes the images. Uses up the inputs. There are no images if no input holds
/// a kernel, or exports of a shared library.
llvm::Expected<DeviceLinkResult> linkDevice(std::vector<DeviceModule> inputs,
                                            const DeviceLinkOptions &options);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICELINK_H
