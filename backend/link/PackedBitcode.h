// Bitcode in few bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One frame of zstd, of a module's records in bytes (RecordBytes.h).

#ifndef XCC_BACKEND_LINK_PACKEDBITCODE_H
#define XCC_BACKEND_LINK_PACKEDBITCODE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// What packing may refer to: nothing, or parts of typical modules, which makes
/// small ones much smaller. Only an xcc with the same dictionary can unpack the
/// latter (PackDictionary.h).
enum class PackWith { Nothing, Dictionary };

/// Packs a module's bitcode as LLVM writes it; bitcode of another form is an
/// error.
llvm::Expected<llvm::SmallString<0>>
packRecords(llvm::StringRef bitcode, PackWith with = PackWith::Dictionary);

/// Bitcode that reads as the same module. Any bytes may be given.
llvm::Expected<llvm::SmallVector<char, 0>>
unpackRecords(llvm::StringRef packed);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PACKEDBITCODE_H
