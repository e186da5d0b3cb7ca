// Warnings for global variables that differ between units on host and device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end warns a unit whose kernels write variables that its host code
// uses, or read variables that it writes. The link gives the same warning if
// kernels and host code are in different units.

#ifndef XCC_BACKEND_LINK_GLOBALUSES_H
#define XCC_BACKEND_LINK_GLOBALUSES_H

#include "Kernel.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace xcc {

/// Adds a warning, with notes, for each such variable of a linked module that
/// is not optimised yet. `plainUserOf` is as in DeviceLinkOptions.
void compareGlobals(
    llvm::Module &module, const KernelTable &kernels,
    const std::function<std::string(llvm::StringRef)> &plainUserOf,
    std::vector<std::string> &warnings);

/// Removes the units' notes about their variables.
void dropGlobalUses(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_GLOBALUSES_H
