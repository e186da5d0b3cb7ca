// Variables that an image imports from shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that was taken from a shared library names the library's
// variables by declarations marked attribute::Import. So does the program's own
// code after the link. Addresses of those that kernels reach are known when
// images are loaded. Code reads them from one array (XCC_SYMBOL_IMPORTS), which
// the runtime fills in. Initial values with such addresses are written by code
// that runs before all other initialisers.

#ifndef XCC_BACKEND_LINK_LIBRARYIMPORTS_H
#define XCC_BACKEND_LINK_LIBRARYIMPORTS_H

#include "DeviceModule.h"
#include "llvm/ADT/ArrayRef.h"

namespace xcc {

/// A variable that a shared library's images export.
struct SharedVariable {
  std::string library, symbol;
  uint64_t size = 0;
  std::string binding; ///< "strong", "weak", or "local" if no other unit names
                       ///< it
  std::string name;    ///< mangled

  std::string line() const; ///< its line in "xcc.offers"
};

/// The variables that a library exports.
std::vector<SharedVariable> sharedVariables(llvm::StringRef exports);

/// A name by which a function or constant is found again in another build.
/// Drops the numbers that the link adds to internal names.
std::string nameOfTaken(const llvm::GlobalObject &object);

/// The variable's mangled name, in its library if it is imported.
llvm::StringRef importedName(const llvm::GlobalVariable &variable);
/// The library from which a variable is imported; empty if it is not.
llvm::StringRef importedFrom(const llvm::GlobalVariable &variable);

/// Replaces a variable by a declaration of the library's, and erases it.
void replaceByImport(llvm::GlobalVariable &variable, const SharedVariable &by);

/// Makes a joined module use the libraries' variables that it names. An inline
/// variable, which the module also defines, becomes the library's.
void useLibraries(llvm::Module &module, llvm::ArrayRef<DeviceModule *> inputs);

/// Makes code read the addresses of imported variables of `libraries` from the
/// array. Returns the text that lists them and the code that was taken
/// ("xcc.imports"); empty if there is none. Returns an error if the program has
/// its own variable with the same name.
llvm::Expected<std::string>
lowerImports(llvm::Module &module, const Target &target,
             llvm::ArrayRef<DeviceModule *> libraries, KernelTable &kernels);

} // namespace xcc

#endif // XCC_BACKEND_LINK_LIBRARYIMPORTS_H
