// Parses linker arguments as GNU ld, gold, lld and mold do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link reads what the host link reads. So it must know every
// spelling of the options that name files, and of those that decide how files
// are read. Only this code interprets a linker's arguments.

#ifndef XCC_DRIVER_LINKERARGUMENTS_H
#define XCC_DRIVER_LINKERARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xcc {

/// The meaning of an argument, as far as xcc needs it.
enum class LinkerOption {
  Other,
  Input,       ///< a file
  Library,     ///< -l: "name", or ":file"
  LibraryPath, ///< -L
  Script,      ///< -T
  JustSymbols, ///< a file of which only the symbols are used
  Format,      ///< -b: format of the inputs after it
  NotFollowed, ///< names files, but xcc does not read them
  Sysroot,
  OnlyStatic, ///< -Bstatic
  AlsoShared, ///< -Bdynamic
  WholeArchive,
  NoWholeArchive,
  StartLib, ///< objects after it are taken like archive members
  EndLib,
  AsNeeded,
  NoAsNeeded,
  PushState,
  PopState,
  Group,          ///< start or end of a group
  Shared,         ///< makes a shared library
  Relocatable,    ///< -r
  OnlyOwnFolders, ///< -nostdlib: search only the folders of -L
  Soname,
  RunPath,   ///< -rpath
  LinkPath,  ///< -rpath-link
  Undefined, ///< -u: a symbol that must be defined
  Wrap,
  DefinesSymbol, ///< --defsym
};

/// The state that determines how files are read at some argument.
struct LinkerState {
  bool onlyStatic = false; ///< -l finds only archives
  bool whole = false;      ///< all members of archives
  bool asNeeded = false;
  bool inLib = false; ///< between --start-lib and --end-lib
};

struct LinkerArgument {
  LinkerOption option = LinkerOption::Other;
  std::string value;
  LinkerState state;
  bool isData = false; ///< -b binary: an input that is included as bytes
  /// The argument as written, after response files were expanded.
  std::vector<std::string> words;
};

/// The arguments in order; response files (@file) are replaced by their
/// content.
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
