// What a shared library has for device code of what links it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program takes the code of functions that its kernels reach, and constants,
// out of the library as out of an archive. A variable exists once, in the library's
// own image, which has a symbol for it, initialises it and keeps it as long as the
// library is loaded. A program that takes code which uses the variable gets its
// address when images are loaded (LibraryImports.h). The same holds for variables
// of internal linkage, and for guards of static variables.
//
// Some variables cannot be had: their value takes what no device can run. No
// kernel may ever want them, so the library is linked without, and whoever
// reaches one is told why.

#ifndef XCC_BACKEND_LINK_LIBRARYEXPORTS_H
#define XCC_BACKEND_LINK_LIBRARYEXPORTS_H

#include "DeviceModule.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace xcc {

/// Gives the variables of a unit that others may use a name among those of the
/// library (attribute::Shared). Before units are joined, whose local variables
/// are told apart by where they come from.
void nameShared(llvm::Module &unit);

/// A library's variables for others, of one target and all its archs.
/// Thread-safe.
class SharedVariables {
public:
  /// Makes variables of a joined module visible from outside, as far as they
  /// can be had; of others the attribute goes.
  void expose(llvm::Module &module);
  /// A link failed for want of these symbols, or for the reason given: does
  /// without the variables that led there. False when there are none.
  bool giveUp(llvm::ArrayRef<std::string> lacking, llvm::StringRef reason);
  /// Why a variable cannot be had; empty when it can.
  std::string whyNot(llvm::StringRef name) const;

private:
  mutable std::mutex mutex;
  llvm::StringMap<std::string> reasons;
  llvm::StringMap<std::vector<std::string>> lacks; ///< of all that were exposed
};

/// Makes all variables of a joined module the image's own.
void shareNothing(llvm::Module &module);
/// Whether others may use this variable, of a joined module.
bool isShared(const llvm::GlobalValue &value);
std::vector<llvm::GlobalVariable *> sharedIn(llvm::Module &module);
/// Gives those the symbols that they have in an image.
void nameExports(llvm::Module &module);

/// Makes of a library's joined module what others take, and the text that says
/// what it is ("xcc.offers").
std::string makeExports(llvm::Module &module, llvm::StringRef library,
                        const KernelTable &kernels,
                        const SharedVariables &variables);

} // namespace xcc

#endif // XCC_BACKEND_LINK_LIBRARYEXPORTS_H
