// Bitcode with its records in whole bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitcode is a stream of bits, in which the same records are never the same bytes.
// Compressors of bytes find more in this form of it:
//
//     module = block... 0
//     block  = 1 id item... 0
//     item   = block
//            | 2 code count operand... size byte...    a record with a blob
//            | code + 3 count operand...
//
// All numbers are LEB128. Two kinds of operands count from the record before
// (Differences in RecordBytes.cpp). What comes back is the same module and need not
// be the same bits: it has no abbreviations, and none of the indices by which a
// reader finds parts of a file.

#ifndef XCC_BACKEND_LINK_RECORDBYTES_H
#define XCC_BACKEND_LINK_RECORDBYTES_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// A module's records in bytes; an error if `bitcode` is not as LLVM writes it.
llvm::Expected<llvm::SmallString<0>> bytesOfRecords(llvm::StringRef bitcode);

/// Bitcode of those records. Any bytes may be given: those that bytesOfRecords
/// does not make are an error, or bitcode that LLVM's reader checks.
llvm::Expected<llvm::SmallVector<char, 0>>
recordsOfBytes(llvm::StringRef bytes);

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDBYTES_H
