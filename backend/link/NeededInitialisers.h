// Selects the initialisers that kernels need
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An initialiser is needed if it initialises or writes a variable that kernels,
// or other needed initialisers, use. Its unit does not matter: a table may be
// filled by objects that no other code names. If one of these cannot run on the
// device, there is a warning.

#ifndef XCC_BACKEND_LINK_NEEDEDINITIALISERS_H
#define XCC_BACKEND_LINK_NEEDEDINITIALISERS_H

#include "Initialisers.h"

namespace xcc {

/// Adds the functions and variables that a value reaches.
void addUsed(const llvm::Value &from, GlobalObjects &used);

/// Returns those of `calls` that write variables in `used`, in order. Adds what
/// they use to `used`.
FunctionList addNeeded(const FunctionList &calls, GlobalObjects &used);

/// Returns the initialisers that kernels, or exports of a library, need.
FunctionList neededBy(const llvm::Module &module, const KernelTable &kernels,
                      const FunctionList &calls,
                      const InitialiserContext &context);

/// Returns the destructors that use variables which kernels use.
FunctionList concerning(const llvm::Module &module, const KernelTable &kernels,
                        const FunctionList &calls);

/// The variable or function that an initialiser stands for, in messages:
/// "ns::table".
std::string titleOf(const llvm::Function &initialiser);
/// Its place, "a.cpp:3:5"; empty if it is not known.
std::string placeOf(const llvm::Function &initialiser);

} // namespace xcc

#endif // XCC_BACKEND_LINK_NEEDEDINITIALISERS_H
