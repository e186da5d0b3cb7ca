// Code for this machine's devices, before a program is run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TOOLS_PRECOMPILE_H
#define XCC_TOOLS_PRECOMPILE_H

#include "formats/bytes.h"

#include <string>

namespace xcc::rt {

/// Generates what the portable images of a .llvm.offloading section are made of
/// for each device that would have it generated, in as many threads as there
/// are cores, and keeps it on disk. Prints what was done; false: what failed is
/// printed. Once in a process; the section lives as long as that.
bool precompile(const std::string &path, Bytes section);

/// Prints what is kept, or removes it.
bool listCache();
bool clearCache();

} // namespace xcc::rt
#endif // XCC_TOOLS_PRECOMPILE_H
