// The device code of objects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object carries from -c to the link, read back: modules, what they
// were compiled for, and which kernels lack device code. Files come from
// anywhere, so nothing in them is believed before its hash agrees.

#ifndef XCC_BACKEND_LINK_DEVICEINPUTS_H
#define XCC_BACKEND_LINK_DEVICEINPUTS_H

#include "DeviceModule.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace xcc {

struct ObjectContents {
  std::vector<DeviceModule> inputs;
  /// Objects that hold kernels' descriptors and no device code at all.
  std::vector<std::string> lacking;
};

/// Reads an object, bitcode file, archive or shared library; empty when it holds nothing of
/// ours. Modules stay packed (UnpackInputs.h). An error names the file and what is wrong in it.
llvm::Expected<ObjectContents> readObject(llvm::StringRef file);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICEINPUTS_H
