// What must be known of an ELF file
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bounds-checked reader of the few ELF facts the runtime needs: whether an
// image is a complete shared object for this machine, and where a program's
// .llvm.offloading section lies. 64-bit little-endian files only.

#ifndef XCC_FORMATS_ELF_FILE_H
#define XCC_FORMATS_ELF_FILE_H

#include "bytes.h"

namespace xcc::rt {

/// Null when \p file is a shared object for x86-64 whose program headers and
/// segments all lie inside the file, else what is wrong with it.
const char *checkSharedObject(Bytes file);

/// Finds a section by name. False, with \p why set, when the file is no
/// readable ELF file; true with an empty \p section when it has none so named.
bool findSection(Bytes file, std::string_view name, Bytes &section,
                 const char *&why);

} // namespace xcc::rt
#endif // XCC_FORMATS_ELF_FILE_H
