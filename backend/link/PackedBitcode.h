// Bitcode in as few bytes as it takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module's records one after the other, as numbers that RecordModel knows
// something of. What comes back is the same module and need not be the same
// bits: it has other abbreviations, and none of the indices by which a reader
// finds parts of a file.
//
//     module = size prior (1 block)... 0   the bitcode's size, and which modules
//                             were seen before, in four bytes each as they are
//     block  = id item...
//     item   = 0                      the block's end
//            | 1 block
//            | 2 + 2 * code           number of operands, operands
//            | 3 + 2 * code           the same, size of the blob, its bytes

#ifndef XCC_BACKEND_LINK_PACKEDBITCODE_H
#define XCC_BACKEND_LINK_PACKEDBITCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// What packing begins with having seen: nothing, or other modules, which makes
/// small ones much smaller and takes a millisecond.
enum class Seen { Nothing, Prior };

/// Packs a module's bitcode as LLVM writes it; bitcode of another form is an
/// error.
llvm::Expected<llvm::SmallString<0>> packRecords(llvm::StringRef bitcode,
                                                 Seen seen = Seen::Prior);

/// What all others are packed with having seen, of typical modules.
llvm::Expected<llvm::SmallString<0>>
packPrior(llvm::ArrayRef<llvm::StringRef> modules);

/// What is learnt from that, nothing from nothing: learntPrior (PackedPrior.h).
llvm::Expected<llvm::SmallString<0>> learnPrior(llvm::StringRef packed);

/// Bitcode that reads as the same module. Any bytes may be given.
llvm::Expected<llvm::SmallVector<char, 0>>
unpackRecords(llvm::StringRef packed);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PACKEDBITCODE_H
