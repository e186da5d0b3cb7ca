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

#include "Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include <string>
#include <vector>

namespace xcc {

/// The compiler's own start-up files, which every link names.
bool isStartFile(llvm::StringRef path);

/// A file of a link that defines something for the host.
struct LinkedFile {
  std::string path;
  std::string argument; ///< what names it: "-lname", or a path
  llvm::file_magic magic;
  bool whole = false; ///< an archive of which all members are taken
  bool inLib = false; ///< an object that is as a member of an archive
};
/// Whether such files may hold device code for a link: objects, bitcode files and
/// archives.
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

/// Sets the link's `linkerFolders` where libraries are not in its own.
void askLinkerForFolders(LinkStep &link);

/// For steps without a linker: what a linker would reject among the link's files
/// and libraries, as the rest of "... cannot use 'f': ...", or nothing.
std::string findWrongInput(const LinkStep &link);

/// Arguments that may have the linker read files that the device link does not,
/// as warnings.
std::vector<std::string> findUnreadInputs(const LinkStep &link);

/// Calls `found` with each member of an archive that can be read, and how it is
/// named: "lib.a(a.o)". The bytes live as long as the archive.
void forEachMember(
    const llvm::object::Archive &archive, llvm::StringRef file,
    llvm::function_ref<void(std::string name, llvm::MemoryBufferRef bytes)>
        found);

} // namespace xcc

#endif // XCC_DRIVER_LINKINPUTS_H
