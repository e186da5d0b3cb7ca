// Elements of vectors of bool
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_BITELEMENTS_H
#define XCC_FRONTEND_UNIT_BITELEMENTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace xcc {

/// Fixes what Clang 22 makes of `bits[i] = b`, where bits is a vector of bool: it
/// puts the byte that memory has of a bool into a vector of bits. That is no
/// valid code.
void fixBitElements(llvm::Module &module);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_BITELEMENTS_H
