// The arguments of a linker, as GNU ld, gold, lld and mold read them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link reads what the host link reads, so it has to know every
// spelling of what names a file, and of what decides how files are taken. All
// that looks at a linker's arguments does so here.

#ifndef XCC_DRIVER_LINKERARGUMENTS_H
#define XCC_DRIVER_LINKERARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xcc {

/// What an argument means, as far as xcc heeds it.
enum class LinkerOption {
  Other,
  Input,       ///< a file
  Library,     ///< -l: "name", or ":file"
  LibraryPath, ///< -L
  Script,      ///< -T
  JustSymbols, ///< a file whose symbols count, not its contents
  Format,      ///< -b: of the inputs that follow
  NotFollowed, ///< names files in a way that xcc does not follow
  Sysroot,
  OnlyStatic, ///< -Bstatic
  AlsoShared, ///< -Bdynamic
  WholeArchive,
  NoWholeArchive,
  StartLib, ///< objects that follow are as members of an archive
  EndLib,
  AsNeeded,
  NoAsNeeded,
  PushState,
  PopState,
  Group,          ///< the beginning or end of one
  Shared,         ///< makes a shared library
  Relocatable,    ///< -r
  OnlyOwnFolders, ///< -nostdlib: libraries are in the folders of -L alone
  Soname,
  RunPath,   ///< -rpath
  LinkPath,  ///< -rpath-link
  Undefined, ///< -u: a symbol to be looked for
  Wrap,
  DefinesSymbol, ///< --defsym
};

/// How files are taken, where an argument stands.
struct LinkerState {
  bool onlyStatic = false; ///< -l finds archives alone
  bool whole = false;      ///< all members of archives
  bool asNeeded = false;
  bool inLib = false; ///< between --start-lib and --end-lib
};

struct LinkerArgument {
  LinkerOption option = LinkerOption::Other;
  std::string value;
  LinkerState state;
  bool isData = false; ///< an input of which the linker takes the bytes
  /// As it was written, without response files.
  std::vector<std::string> words;
};

/// The arguments in order, those of response files (@file) in their place.
std::vector<LinkerArgument>
readLinkerArguments(llvm::ArrayRef<std::string> args);

/// Whether an option is among them.
inline bool hasOption(llvm::ArrayRef<LinkerArgument> args,
                      LinkerOption option) {
  return llvm::any_of(
      args, [&](const LinkerArgument &arg) { return arg.option == option; });
}

} // namespace xcc

#endif // XCC_DRIVER_LINKERARGUMENTS_H
