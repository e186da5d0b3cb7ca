// What a shared library exports to device code that links it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program takes the code of functions that its kernels reach, and constants,
// from the library as from an archive. A variable exists once, in the library's
// own image. The image has a symbol for it, initialises it and keeps it as long
// as the library is loaded. A program whose code uses the variable gets its
// address when images are loaded (LibraryImports.h). The same applies to
// internal variables, and to guards of static variables.
//
// Some variables cannot be exported, because no device can run their
// initialisers. Perhaps no kernel needs them. So the library is linked without
// them, and a kernel that reaches one gets an error with the reason.

#ifndef XCC_BACKEND_LINK_LIBRARYEXPORTS_H
#define XCC_BACKEND_LINK_LIBRARYEXPORTS_H

#include "DeviceModule.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace xcc {

/// Gives the variables of a unit that others may use a name in the library
/// (attribute::Shared). Call it before units are joined, because the names of
/// internal variables contain their units' names.
void nameShared(llvm::Module &unit);

/// A library's exported variables, for one target and all its archs.
/// Thread-safe.
class SharedVariables {
public:
  /// Makes the variables of a joined module that can be exported visible from
  /// outside. Removes the attribute from others.
  void expose(llvm::Module &module);
  /// After a link that failed because of missing symbols or the given reason:
  /// gives up the variables that need these symbols. Returns false if there are
  /// none.
  bool giveUp(llvm::ArrayRef<std::string> lacking, llvm::StringRef reason);
  /// Why a variable cannot be exported; empty if it can.
  std::string whyNot(llvm::StringRef name) const;

private:
  mutable std::mutex mutex;
  llvm::StringMap<std::string> reasons;
  llvm::StringMap<std::vector<std::string>> lacks; ///< missing symbols of each
                                                   ///< exposed variable
};

/// Makes all variables of a joined module private to the image.
void shareNothing(llvm::Module &module);
/// Whether other images may use this variable of a joined module.
bool isShared(const llvm::GlobalValue &value);
std::vector<llvm::GlobalVariable *> sharedIn(llvm::Module &module);
/// Renames shared variables to their symbols in an image.
void nameExports(llvm::Module &module);

/// Turns a library's joined module into the code that others take. Returns the
/// text that describes it ("xcc.offers").
std::string makeExports(llvm::Module &module, llvm::StringRef library,
                        const KernelTable &kernels,
                        const SharedVariables &variables);

} // namespace xcc

#endif // XCC_BACKEND_LINK_LIBRARYEXPORTS_H
