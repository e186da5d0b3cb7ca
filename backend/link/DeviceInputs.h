// Reads the device code of objects
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what an object carries from -c to the link: modules, the options they
// were compiled with, and which kernels lack device code. Files may come from
// anywhere, so their hash is checked first.

#ifndef XCC_BACKEND_LINK_DEVICEINPUTS_H
#define XCC_BACKEND_LINK_DEVICEINPUTS_H

#include "DeviceModule.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace xcc {

struct ObjectContents {
  std::vector<DeviceModule> inputs;
  /// Objects with descriptors of kernels but without any device code.
  std::vector<std::string> lacking;
};

/// Reads an object, bitcode file, archive or shared library. The result is
/// empty if it holds nothing of xcc. Modules stay packed (UnpackInputs.h). An
/// error names the file and the problem.
llvm::Expected<ObjectContents> readObject(llvm::StringRef file);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICEINPUTS_H
