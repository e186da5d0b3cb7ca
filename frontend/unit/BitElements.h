// Workaround: elements of vectors of bool
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_BITELEMENTS_H
#define XCC_FRONTEND_UNIT_BITELEMENTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace xcc {

/// Fixes what Clang 22 generates for `bits[i] = b`, where bits is a vector of
/// bool. It inserts the i8 that a bool has in memory into a vector of i1, which
/// is invalid IR.
void fixBitElements(llvm::Module &module);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_BITELEMENTS_H
