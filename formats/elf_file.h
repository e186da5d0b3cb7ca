// Reading ELF files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bounds-checked reader for what the runtime needs: whether an image is a
// complete shared object for this machine, and the location of a program's
// .llvm.offloading section. Supports only 64-bit little-endian files.

#ifndef XCC_FORMATS_ELF_FILE_H
#define XCC_FORMATS_ELF_FILE_H

#include "bytes.h"

namespace xcc::rt {

/// Returns null if \p file is a shared object for x86-64 whose program headers
/// and segments are inside the file, else what is wrong with it.
const char *checkSharedObject(Bytes file);

/// Finds a section by name. Returns false and sets \p why if the file is no
/// readable ELF file. Returns true with an empty \p section if there is no such
/// section.
bool findSection(Bytes file, std::string_view name, Bytes &section,
                 const char *&why);

} // namespace xcc::rt
#endif // XCC_FORMATS_ELF_FILE_H
