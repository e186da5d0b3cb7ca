// Constants that hold addresses which differ from block to block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang and LLVM make constants of
//
//   float *const table[] = {a.data(), b.data()};    // block_shared a, b
//   switch (i) { case 0: return a.data(); case 1: return b.data(); ... }
//
// for which the address of a variable is one for the whole program.

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

/// Makes local variables of constants that hold the address of a variable of a
/// block: each function that reads one fills its own when it begins. A constant
/// stays whose own address is kept, and so does a variable.
void localiseBlockConstants(
    llvm::Module &module,
    llvm::function_ref<bool(const llvm::GlobalVariable &)> isBlockShared);

/// What is wrong with the variables that hold such an address, a line for each,
/// and what to write instead. Empty if there is none.
std::string describeBlockConstants(
    const llvm::Module &module,
    llvm::function_ref<bool(const llvm::GlobalVariable &)> isBlockShared);

} // namespace xcc

#endif // XCC_BACKEND_SUPPORT_BLOCKCONSTANTS_H
