// Device libraries: what a module lacks and a file of xcc's has
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

/// Whether exceptions are caught by tests and branches: a whole program on the
/// CPU device unwinds as on the host.
bool catches(const llvm::Module &module, const Target &target,
             const DeviceCodegenOptions &how);

/// Says whether a library that is yet to be linked, or the host's process, has a
/// symbol that the module lacks. Null where the libraries are not to be found,
/// which addLibraries tells of. The module and `how` outlive it.
std::function<bool(llvm::StringRef symbol)>
askLibraries(const llvm::Module &module, const Target &target,
             llvm::StringRef arch, const DeviceCodegenOptions &how);

/// Links what the module lacks and the target's libraries have, and lowers
/// exceptions that a handler may catch.
llvm::Error addLibraries(llvm::Module &module, const KernelTable &entries,
                         const Target &target, llvm::StringRef arch,
                         const DeviceCodegenOptions &how);

} // namespace xcc

#endif // XCC_BACKEND_LINK_DEVICELIBRARIES_H
