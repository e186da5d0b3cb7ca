// What this process has loaded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_JIT_LOADED_H
#define XCC_JIT_LOADED_H

#include <string>
#include <vector>

namespace xcc {

/// The libraries that device code of this process's machine may use, as the
/// process has them.
std::vector<std::string> processLibraries();

/// A library of this process.
struct LoadedLibrary {
  std::string path;
  std::string buildId; ///< hexadecimal digits
};

/// The one that an address lies in.
LoadedLibrary libraryOf(const void *address);

} // namespace xcc

#endif // XCC_JIT_LOADED_H
