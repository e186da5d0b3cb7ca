// Compares class layouts between units
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro or an option of only one unit may give a class another layout there.
// Each unit notes the program's classes that its kernels share with the host,
// and those of functions that other units may call. The link compares them by
// name. A note has one line for a class:
//
//   *Name <tab> size <tab> alignment { <tab> part <tab> offset in bits }
//
// The star marks classes of which a kernel of the unit is given host objects.
// Classes without a star in any unit are used by the host only, and not
// compared.

#ifndef XCC_BACKEND_LINK_LAYOUTNOTES_H
#define XCC_BACKEND_LINK_LAYOUTNOTES_H

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace xcc {

/// Adds a warning for each class of a linked module whose layout differs
/// between two of its units.
void compareLayouts(const llvm::Module &module,
                    std::vector<std::string> &warnings);

/// Removes the units' notes.
void dropLayouts(llvm::Module &module);

} // namespace xcc

#endif // XCC_BACKEND_LINK_LAYOUTNOTES_H
