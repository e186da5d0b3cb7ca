// Which initialisers kernels need
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those that make, or otherwise write, a variable that kernels use, or that such
// an initialiser uses, whatever unit they are of: a table may be filled by
// objects of which nothing else is known. What runs before main and writes such
// a variable, and cannot run on the device, is warned of.

#ifndef XCC_BACKEND_LINK_NEEDEDINITIALISERS_H
#define XCC_BACKEND_LINK_NEEDEDINITIALISERS_H

#include "Initialisers.h"

namespace xcc {

/// Adds what a value leads to.
void addUsed(const llvm::Value &from, GlobalObjects &used);

/// Those of `calls` that write variables among `used`, in order; adds what they
/// use.
FunctionList addNeeded(const FunctionList &calls, GlobalObjects &used);

/// Those that kernels need, or what a library has for others.
FunctionList neededBy(const llvm::Module &module, const KernelTable &kernels,
                      const FunctionList &calls,
                      const InitialiserContext &context);

/// Those of what runs last that have to do with variables that kernels use.
FunctionList concerning(const llvm::Module &module, const KernelTable &kernels,
                        const FunctionList &calls);

/// What an initialiser makes or is, for a message: "ns::table".
std::string titleOf(const llvm::Function &initialiser);
/// Its place, "a.cpp:3:5"; empty if it is not known.
std::string placeOf(const llvm::Function &initialiser);

} // namespace xcc

#endif // XCC_BACKEND_LINK_NEEDEDINITIALISERS_H
