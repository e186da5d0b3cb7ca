// What an image has of shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a library's functions was copied into the image by the link; its
// variables are in the library's own image. Here the library of the process is
// found that was meant, or one that has the same name: which may have been built
// anew since, and then other code or no such variables any more.

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
  std::string code; ///< lines of functions and constants
};

/// What an image says of libraries, in the order of its imports.
std::vector<ImportedLibrary> readImports(const OffloadImage &source);

/// Says on stderr, once, if the process has a library of that name with other
/// code than was copied.
void warnOfOthers(const ImportedLibrary &library, const OffloadImage &source);

/// The linked unit that the library is. An error if the process has none.
xcc_status findLibrary(const ImportedLibrary &library, const ErrorSite &site,
                       xcc_binary *&out);

/// Adds where the library's image, which says it has `exports`, has the
/// variables.
xcc_status findVariables(const ImportedLibrary &library, Device &on,
                         Image &code, std::string_view exports,
                         const ErrorSite &site, std::vector<void *> &addresses);

/// Writes the addresses into the image that wants them.
xcc_status writeImports(Device &on, Image &code,
                        const std::vector<void *> &addresses,
                        const ErrorSite &site);

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_IMPORTS_H
