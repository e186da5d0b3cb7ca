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
  /// The argument that names it, "-lname" or a path; empty if only another
  /// library needs it.
  std::string argument;
};

/// The shared libraries that the linker would read, in order, then those that
/// they need. The latter are searched where the linker would: in their own
/// folders, in their search paths, and in the link's.
std::vector<SharedLibrary> findSharedLibraries(const LinkStep &link);

/// The name of a shared library that is linked: its soname, or its file name.
std::string nameOfLibrary(llvm::ArrayRef<std::string> args,
                          llvm::StringRef output);

} // namespace xcc

#endif // XCC_DRIVER_SHAREDLIBRARIES_H
