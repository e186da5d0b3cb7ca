// Finds the files of a host link that may hold device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link reads what the host link reads. A linker gets objects and
// archives in many ways (a path, -lname, -Wl,path, a path without an extension,
// a script in place of a library). So this code reads the linker's final
// arguments and the files themselves.

#ifndef XCC_DRIVER_LINKINPUTS_H
#define XCC_DRIVER_LINKINPUTS_H

#include "Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include <string>
#include <vector>

namespace xcc {

/// Whether the path is one of the compiler's start-up files, which are in every
/// link.
bool isStartFile(llvm::StringRef path);

/// A file of a link that defines symbols for the host.
struct LinkedFile {
  std::string path;
  std::string argument; ///< the argument that names it: "-lname", or a path
  llvm::file_magic magic;
  bool whole = false; ///< --whole-archive: all members are taken
  bool inLib = false; ///< --start-lib: an object that is taken like an archive
                      ///< member
};
/// Whether such files may hold device code for a link: objects, bitcode files
/// and archives.
bool holdsDeviceCode(llvm::file_magic magic);

/// The objects, bitcode files, archives and shared libraries that the linker
/// would read, each once and in order. Files that do not exist yet are left
/// out.
std::vector<LinkedFile> findLinkedFiles(const LinkStep &link);

/// The relocatable objects, bitcode files and static archives among them. A
/// shared library has images of its own.
std::vector<std::string> findLinkInputs(const LinkStep &link);

/// The shared libraries among them.
std::vector<LinkedFile> findLinkedLibraries(const LinkStep &link);

/// Asks the linker for its default folders if a library is in none of the
/// link's, and stores them in `linkerFolders`.
void findLinkerFolders(LinkStep &link);

/// For links without a linker: finds an input that a linker would reject.
/// Returns the rest of the message "--device-link ...", or an empty text.
std::string findInvalidInput(const LinkStep &link);

/// Warnings for arguments that may make the linker read files which the device
/// link does not read.
std::vector<std::string> findUnreadInputs(const LinkStep &link);

/// Calls `found` with each readable member of an archive and its name,
/// "lib.a(a.o)". The bytes live as long as the archive.
void forEachMember(
    const llvm::object::Archive &archive, llvm::StringRef file,
    llvm::function_ref<void(std::string name, llvm::MemoryBufferRef bytes)>
        found);

} // namespace xcc

#endif // XCC_DRIVER_LINKINPUTS_H
