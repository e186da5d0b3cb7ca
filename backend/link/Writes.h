// What code may write of the variables of a module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An initialiser that writes what kernels use has to run on the device, one that
// reads it has not. Addresses are followed from where code names a variable,
// through what is called with them, to stores. Where they cannot be followed,
// they are taken to be written through.

#ifndef XCC_BACKEND_LINK_WRITES_H
#define XCC_BACKEND_LINK_WRITES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace xcc {

/// The functions that a call of `code` may run, itself among them: what is
/// called, what code has the address of and, where calls are of addresses, what
/// tables hold that it names.
llvm::SetVector<const llvm::Function *> runBy(const llvm::Function &code);

/// A variable for which `counts` holds that the functions may write, or
/// something that it leads to; null when there is none.
const llvm::GlobalVariable *
writtenBy(const llvm::SetVector<const llvm::Function *> &functions,
          llvm::function_ref<bool(const llvm::GlobalVariable &)> counts);

} // namespace xcc

#endif // XCC_BACKEND_LINK_WRITES_H
