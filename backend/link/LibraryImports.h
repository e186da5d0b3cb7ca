// What an image has of shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that was taken from a shared library names the library's variables
// by declarations marked attribute::Import; so does the program's own code once
// it has been linked. Addresses of those that kernels reach are known when
// images are loaded: code reads them from one array (XCC_SYMBOL_IMPORTS), which
// the runtime fills in, and initial values with such addresses are written by
// what runs before all other initialisers.

#ifndef XCC_BACKEND_LINK_LIBRARYIMPORTS_H
#define XCC_BACKEND_LINK_LIBRARYIMPORTS_H

#include "DeviceModule.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// A variable that a shared library's images have for others.
struct SharedVariable {
  std::string library, symbol;
  uint64_t size = 0;
  std::string binding; ///< "strong", "weak", or "local": no other unit names it
  std::string name;    ///< the mangled one

  std::string line() const; ///< of "xcc.offers"
};

/// The variables that a library exports.
std::vector<SharedVariable> sharedVariables(llvm::StringRef exports);

/// A name that differs if the function or constant was another one in an earlier
/// build. The link numbers objects of internal linkage.
std::string nameOfTaken(const llvm::GlobalObject &object);

/// The mangled name of a variable, in its library where it is one's.
llvm::StringRef importedName(const llvm::GlobalVariable &variable);
/// The library that has a variable; empty for others.
llvm::StringRef importedFrom(const llvm::GlobalVariable &variable);

/// Puts a declaration of the library's in a variable's place, which is gone
/// then.
void replaceByImport(llvm::GlobalVariable &variable, const SharedVariable &by);

/// Has a joined module use the variables of libraries that it names. What it
/// defines as every unit would, an inline variable, is the library's then.
void useLibraries(llvm::Module &module, llvm::ArrayRef<DeviceModule *> inputs);

/// Has code read where the variables are, of `libraries` in the link. The text says which they are and what
/// else was taken ("xcc.imports"); empty where nothing was. An error if the
/// program has a variable of its own of the same name.
llvm::Expected<std::string>
lowerImports(llvm::Module &module, const Target &target,
             llvm::ArrayRef<DeviceModule *> libraries, KernelTable &kernels);

} // namespace xcc

#endif // XCC_BACKEND_LINK_LIBRARYIMPORTS_H
