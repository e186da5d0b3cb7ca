// Mathematical functions of several threads at once, from a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_TARGETS_CPU_VECTOR_LIBRARY_H
#define XCC_BACKEND_TARGETS_CPU_VECTOR_LIBRARY_H

#include "llvm/IR/Module.h"

#include <string>

namespace xcc {
struct GivenOptions;
}

namespace xcc::cpu {

/// Notes in a unit's functions that glibc's libmvec may compute theirs:
/// -fveclib=libmvec, and -ffast-math unless -fveclib= says otherwise.
void allowVectorLibrary(llvm::Module &module, const GivenOptions &given);

/// Tells the vectoriser of libmvec's functions, at calls in functions with that
/// note, which are still those of their units.
void provideVectorLibrary(llvm::Module &module);

/// Does a function with that note call what libmvec has?
bool wantsVectorLibrary(const llvm::Module &module);

/// The file of libmvec that this process has or can load; empty without one.
std::string vectorLibraryOfProcess();

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_VECTOR_LIBRARY_H
