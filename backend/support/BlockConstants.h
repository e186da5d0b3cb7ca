// Constants that hold addresses which differ from block to block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang and LLVM make constants from
//
//   float *const table[] = {a.data(), b.data()};    // block_shared a, b
//   switch (i) { case 0: return a.data(); case 1: return b.data(); ... }
//
// because a variable has one address in the whole program for them.

#ifndef XCC_BACKEND_SUPPORT_BLOCKCONSTANTS_H
#define XCC_BACKEND_SUPPORT_BLOCKCONSTANTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace xcc {

/// Replaces constants that hold the address of a block-shared variable by local
/// variables. Each function that reads such a constant fills its own variable
/// at its start. A constant whose own address may be kept stays, and so does a
/// variable.
void localiseBlockConstants(
    llvm::Module &module,
    llvm::function_ref<bool(const llvm::GlobalVariable &)> isBlockShared);

/// An error for each variable that holds such an address, as a line, and what
/// to write instead. Empty if there is none.
std::string describeBlockConstants(
    const llvm::Module &module,
    llvm::function_ref<bool(const llvm::GlobalVariable &)> isBlockShared);

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_BLOCKCONSTANTS_H
