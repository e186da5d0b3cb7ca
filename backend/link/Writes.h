// Which variables code may write
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An initialiser that writes variables which kernels use must run on the
// device; one that only reads them need not. This analysis follows addresses
// from the names of variables, through calls that take them, to stores. An
// address that it cannot follow counts as written through.

#ifndef XCC_BACKEND_LINK_WRITES_H
#define XCC_BACKEND_LINK_WRITES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace xcc {

/// The functions that a call of `code` may run, including itself: those that
/// are called, those whose address is taken and, if code calls through
/// pointers, those in tables that it names.
llvm::SetVector<const llvm::Function *> runBy(const llvm::Function &code);

/// A variable for which `counts` holds, and which the functions may write, or
/// write through; null if there is none.
const llvm::GlobalVariable *
writtenBy(const llvm::SetVector<const llvm::Function *> &functions,
          llvm::function_ref<bool(const llvm::GlobalVariable &)> counts);

} // namespace xcc

#endif // XCC_BACKEND_LINK_WRITES_H
