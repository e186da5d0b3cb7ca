//===-- DeviceLink.h - From device modules to images
//-----------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the device modules of all translation units and archives of a linked
// unit with the device runtime, keeps what kernels reach, and has the target
// generate one image per arch. Archs run in parallel.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_FRONTEND_DEVICELINK_H
#define XCC_FRONTEND_DEVICELINK_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace xcc {

/// One device module: in memory, straight from a pass, or as bitcode from an
/// object file.
struct DeviceInput {
  const Target *target = nullptr;
  std::string origin; ///< the file it came from, for messages
  KernelTable kernels;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::MemoryBuffer> bitcode;
};

struct DeviceArch {
  const Target *target = nullptr;
  std::string arch;
};

struct DeviceLinkOptions {
  std::vector<DeviceArch> archs;
  DeviceCodegenOptions codegen;
};

/// The device modules embedded in an object file, archive or shared object;
/// empty when there are none. An error names the file and what is wrong in it.
llvm::Expected<std::vector<DeviceInput>> readDeviceInputs(llvm::StringRef file);

/// The inputs are used up. No images when no input holds a kernel.
llvm::Expected<std::vector<DeviceImage>>
linkDevice(std::vector<DeviceInput> inputs, const DeviceLinkOptions &options);

} // namespace xcc

#endif // XCC_FRONTEND_DEVICELINK_H
