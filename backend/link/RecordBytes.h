// A byte format for bitcode records
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitcode is a stream of bits, so equal records seldom have equal bytes. Byte
// compressors work better on this format:
//
//     module = block... 0
//     block  = 1 id item... 0
//     item   = block
//            | 2 code count operand... size byte...    a record with a blob
//            | code + 3 count operand...
//
// All numbers are LEB128. Two kinds of operands are stored as differences to
// the record before (Differences in RecordBytes.cpp). Converting back gives an
// equal module, but not equal bits: it has no abbreviations, and none of the
// indices by which a reader finds parts of a file.

#ifndef XCC_BACKEND_LINK_RECORDBYTES_H
#define XCC_BACKEND_LINK_RECORDBYTES_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace xcc {

/// Converts a module's records to bytes. Returns an error if `bitcode` does not
/// have the form that LLVM writes.
llvm::Expected<llvm::SmallString<0>> bytesOfRecords(llvm::StringRef bitcode);

/// Converts records back to bitcode. The input may be any bytes: those that
/// bytesOfRecords cannot make give an error, or bitcode that LLVM's reader
/// checks.
llvm::Expected<llvm::SmallVector<char, 0>>
recordsOfBytes(llvm::StringRef bytes);

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDBYTES_H
