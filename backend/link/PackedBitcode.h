// Compressed bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is one zstd frame that contains a module's records as bytes
// (RecordBytes.h).

#ifndef XCC_BACKEND_LINK_PACKEDBITCODE_H
#define XCC_BACKEND_LINK_PACKEDBITCODE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// What the packer may refer to: nothing, or a dictionary with parts of typical
/// modules, which makes small modules much smaller. Only an xcc with the same
/// dictionary can unpack the latter (PackDictionary.h).
enum class PackWith { Nothing, Dictionary };

/// Packs a module's bitcode as LLVM writes it. Other forms of bitcode are an
/// error.
llvm::Expected<llvm::SmallString<0>>
packRecords(llvm::StringRef bitcode, PackWith with = PackWith::Dictionary);

/// Unpacks to bitcode of an equal module. The input may be any bytes.
llvm::Expected<llvm::SmallVector<char, 0>>
unpackRecords(llvm::StringRef packed);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PACKEDBITCODE_H
