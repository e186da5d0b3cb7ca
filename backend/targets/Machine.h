// From a module that is through its passes to bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_MACHINE_H
#define XCC_BACKEND_TARGETS_MACHINE_H

#include "Target.h"
#include "llvm/Target/TargetMachine.h"

namespace xcc {

/// LLVM's machine for one arch, whose data layout the module gets. `devices`
/// names the kind for an error: "NVIDIA GPUs".
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(llvm::Module &module, llvm::StringRef triple,
              llvm::StringRef processor, llvm::StringRef features,
              std::optional<llvm::Reloc::Model> relocation, unsigned optLevel,
              llvm::StringRef devices);

/// Whether an output is the module itself, as text or bitcode.
inline bool isIR(DeviceOutput output) {
  return output == DeviceOutput::LLVMAssembly ||
         output == DeviceOutput::Bitcode;
}

/// Writes the module itself, its assembly, or, for an image, its object.
llvm::Error emit(llvm::Module &module, llvm::TargetMachine &machine,
                 DeviceOutput output, llvm::SmallVectorImpl<char> &out);

} // namespace xcc

#endif // XCC_BACKEND_TARGETS_MACHINE_H
