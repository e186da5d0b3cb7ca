// Variables of several units that differ from the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit is warned where its kernels write what its host code uses, or read what
// that writes. The link says the same where they are of different units.

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

/// Adds a warning, with notes, for each such variable of a linked module, in
/// which all is as units wrote it. `plainUserOf` is as in DeviceLinkOptions.
void compareGlobals(
    llvm::Module &module, const KernelTable &kernels,
    const std::function<std::string(llvm::StringRef)> &plainUserOf,
    std::vector<std::string> &warnings);

/// Removes the notes of units about their variables.
void dropGlobalUses(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_GLOBALUSES_H
