// Layouts of classes that units share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro or an option that one unit alone is compiled with may give a class
// another layout there. A unit notes the program's classes that its kernels
// share with the host, and those of functions that other units may call; the
// link compares them by name. One line for a class:
//
//   *Name <tab> size <tab> alignment { <tab> part <tab> bits of its offset }
//
// with the star where a kernel of the unit is given the host's objects. What two
// units have with no star is the host's alone, and not compared.

#ifndef XCC_BACKEND_LINK_LAYOUTNOTES_H
#define XCC_BACKEND_LINK_LAYOUTNOTES_H

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace xcc {

/// Adds a warning for each class of a linked module that differs between two of
/// its units.
void compareLayouts(const llvm::Module &module,
                    std::vector<std::string> &warnings);

/// Forgets what units noted.
void dropLayouts(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_LAYOUTNOTES_H
