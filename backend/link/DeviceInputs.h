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

#include "Kernel.h"
#include "targets/Target.h"
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

/// One device module: in memory, straight from a pass, or as bitcode from an
/// object file.
struct DeviceInput {
  /// Null: the kernels were compiled for the host alone.
  const Target *target = nullptr;
  std::string origin; ///< the file it came from, for messages
  /// Of an archive: the host's linker may leave it out.
  bool fromArchive = false;
  KernelTable kernels;
  /// What its file was compiled for, other targets' archs too, in order.
  std::vector<DeviceArch> archs;
  /// Those of -O, -g and the target's own that it was compiled with.
  std::vector<std::string> options;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::MemoryBuffer> bitcode;
};

struct ObjectContents {
  std::vector<DeviceInput> inputs;
  /// Objects that hold kernels' descriptors and no device code at all.
  std::vector<std::string> lacking;
};

/// Reads an object, bitcode file or archive; empty when it holds nothing of
/// ours. An error names the file and what is wrong in it.
llvm::Expected<ObjectContents> readObject(llvm::StringRef file);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICEINPUTS_H
