// Vector versions of mathematical functions, from a library
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

/// Marks a unit's functions if glibc's libmvec may compute their mathematical
/// functions: with -fveclib=libmvec, and with -ffast-math unless -fveclib=
/// names another library.
void allowVectorLibrary(llvm::Module &module, const GivenOptions &given);

/// Tells the vectoriser about libmvec's functions, at the calls in marked
/// functions. Call it before functions of different units are inlined into each
/// other.
void provideVectorLibrary(llvm::Module &module);

/// Whether a marked function calls one that libmvec has.
bool wantsVectorLibrary(const llvm::Module &module);

/// The path of the libmvec that this process has loaded or can load, or an
/// empty string.
std::string vectorLibraryOfProcess();

} // namespace xcc::cpu

#endif // XCC_BACKEND_TARGETS_CPU_VECTOR_LIBRARY_H
