// Files of a host link that may hold device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link reads what the host link reads. Objects and archives reach a
// linker in many ways (a path, -lname, -Wl,path, a path without an extension, a
// script that stands for a library), so this looks at the linker's final
// arguments and at the files themselves.

#ifndef XCC_DRIVER_LINKINPUTS_H
#define XCC_DRIVER_LINKINPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/Archive.h"
#include <string>
#include <vector>

namespace xcc {

/// Options of a linker whose value is the next argument and is never an input.
bool takesValue(llvm::StringRef arg);

/// The compiler's own start-up files, which every link names.
bool isStartFile(llvm::StringRef path);

/// The relocatable objects, bitcode files and static archives that a linker
/// would read for `args`, each once and in order. A -lname that finds a shared
/// library is not among them: such a library has images of its own. Files that
/// do not exist yet are left out.
std::vector<std::string> findLinkInputs(llvm::ArrayRef<std::string> args);

struct LinkedLibrary {
  std::string path, argument; ///< found by "-lname", or a path
};
/// The shared libraries that it would read, in order.
std::vector<LinkedLibrary>
findLinkedLibraries(llvm::ArrayRef<std::string> args);

/// Those and shared libraries: all that defines something for the host.
std::vector<std::string> findLinkedFiles(llvm::ArrayRef<std::string> args);

/// Where no linker follows that would say so: what it would refuse among the
/// files and libraries of `args`, as the rest of "... cannot use 'f': ...", or
/// nothing.
std::string findWrongInput(llvm::ArrayRef<std::string> args);

/// Calls `found` with each member of an archive that can be read, and how it is
/// named: "lib.a(a.o)". The bytes live as long as the archive.
void forEachMember(
    const llvm::object::Archive &archive, llvm::StringRef file,
    llvm::function_ref<void(std::string name, llvm::MemoryBufferRef bytes)>
        found);

} // namespace xcc

#endif // XCC_DRIVER_LINKINPUTS_H
