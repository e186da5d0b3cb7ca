// Device code on its way from a pass to the device link
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

/// What one translation unit has for one target: in memory, straight from a
/// pass and not yet optimised, or as bitcode from an object file. The context
/// outlives the module.
struct DeviceModule {
  /// Null: the kernels were compiled for the host alone.
  const Target *target = nullptr;
  std::string origin; ///< the file it came from, for messages
  std::string file;   ///< what the host's link names; empty of a library
  /// In an archive: the host's linker may leave it out.
  bool fromArchive = false;
  /// What a shared library exports, "xcc.offers"; empty of all others.
  std::string exports;
  KernelTable kernels;
  /// What its file was compiled for, other targets' archs too, in order.
  std::vector<DeviceArch> archs;
  /// Those of -O, -g and the target's own that it was compiled with.
  std::vector<std::string> options;
  /// The module as an object holds it (packBitcode), if it goes into one or
  /// comes from one and is not unpacked yet (UnpackInputs.h).
  llvm::SmallString<0> packed;
  std::unique_ptr<llvm::LLVMContext> context;
  /// Null when bitcode holds it, or nothing is for the device.
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::MemoryBuffer> bitcode;
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICEMODULE_H
