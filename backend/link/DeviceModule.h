// Device code between a pass and the device link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_DEVICEMODULE_H
#define XCC_BACKEND_LINK_DEVICEMODULE_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace xcc {

struct DeviceArch {
  const Target *target = nullptr;
  std::string arch;
};

/// One translation unit's code for one target. In memory it comes from a pass
/// and is not optimised yet; bitcode comes from an object file. The context
/// must outlive the module.
struct DeviceModule {
  /// Null if the kernels were compiled for the host only.
  const Target *target = nullptr;
  std::string origin; ///< the file it came from, for messages
  std::string file;   ///< the input of the host link; empty for a library
  /// In an archive: the host's linker may leave it out.
  bool fromArchive = false;
  /// The exports of a shared library; empty for all others.
  std::string exports;
  KernelTable kernels;
  /// The archs for which its file was compiled, of all targets, in order.
  std::vector<DeviceArch> archs;
  /// The options -O, -g and of the target with which it was compiled.
  std::vector<std::string> options;
  /// The module in an object's format (packBitcode), if it goes into an object,
  /// or comes from one and is not unpacked yet (UnpackInputs.h).
  llvm::SmallString<0> packed;
  std::unique_ptr<llvm::LLVMContext> context;
  /// Null if `bitcode` holds it, or there is no code for the device.
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::MemoryBuffer> bitcode;
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICEMODULE_H
