// Functions and variables that an image imports from shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The link copied the code of the library's functions into the image. The
// library's variables are in its own image. The functions here find the library
// in the process: the same build, or one of the same name. The latter may have
// been rebuilt, so its code may differ and its variables may be missing.

#ifndef XCC_SRC_IMAGES_IMPORTS_H
#define XCC_SRC_IMAGES_IMPORTS_H

#include "devices/device.h"

#include <string>
#include <vector>

namespace xcc::rt {

struct ImportedLibrary {
  std::string name, fingerprint;
  struct Variable {
    std::string symbol, name;
    unsigned long long size;
  };
  std::vector<Variable> variables;
  std::string code; ///< rows of functions and constants
};

/// Reads which libraries an image needs, in the order of its imports.
std::vector<ImportedLibrary> readImports(const OffloadImage &source);

/// Prints a warning if the loaded library of that name has other code than was
/// copied.
void warnOfOthers(const ImportedLibrary &library, const OffloadImage &source);

/// Finds the library's linked unit. Fails if the process has none.
xcc_status findLibrary(const ImportedLibrary &library, const ErrorSite &site,
                       xcc_binary *&out);

/// Appends the addresses of the variables in the library's image. \p exports is
/// that image's list of exports.
xcc_status findVariables(const ImportedLibrary &library, Device &on,
                         Image &code, std::string_view exports,
                         const ErrorSite &site, std::vector<void *> &addresses);

/// Writes the addresses into the image that imports the variables.
xcc_status writeImports(Device &on, Image &code,
                        const std::vector<void *> &addresses,
                        const ErrorSite &site);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_IMPORTS_H
