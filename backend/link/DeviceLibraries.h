// Links device libraries into a module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_DEVICELIBRARIES_H
#define XCC_BACKEND_LINK_DEVICELIBRARIES_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/IR/Module.h"
#include <functional>

namespace xcc {

/// Whether exceptions are lowered to tests and branches. A whole program on the
/// CPU device unwinds as on the host.
bool catches(const llvm::Module &module, const Target &target,
             const DeviceCodegenOptions &how);

/// Returns a function that says whether a library that is not linked yet, or
/// the host's process, defines a symbol which the module lacks. Returns null if
/// a library cannot be found; addLibraries reports that. The module and `how`
/// must outlive the function.
std::function<bool(llvm::StringRef symbol)>
definedByLibraries(const llvm::Module &module, const Target &target,
                   llvm::StringRef arch, const DeviceCodegenOptions &how);

/// Links the functions that the module needs from the target's libraries, and
/// lowers exceptions that a handler may catch.
llvm::Error addLibraries(llvm::Module &module, const KernelTable &entries,
                         const Target &target, llvm::StringRef arch,
                         const DeviceCodegenOptions &how);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICELIBRARIES_H
