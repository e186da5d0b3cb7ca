// Shared libraries of a host link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_SHAREDLIBRARIES_H
#define XCC_DRIVER_SHAREDLIBRARIES_H

#include "Plan.h"
#include <string>
#include <vector>

namespace xcc {

struct SharedLibrary {
  std::string path;
  /// How the link names it, "-lname" or a path; empty where only another
  /// library needs it.
  std::string argument;
};

/// Those that the linker would read, in order, and then those that they
/// need themselves, as far as they are where the linker would look: beside
/// them, in their own search paths, and in the link's.
std::vector<SharedLibrary> findSharedLibraries(const LinkStep &link);

/// What a linked shared library is called: its soname, or its file.
std::string nameOfLibrary(llvm::ArrayRef<std::string> args,
                          llvm::StringRef output);

} // namespace xcc

#endif // XCC_DRIVER_SHAREDLIBRARIES_H
