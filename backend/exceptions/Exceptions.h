// Exceptions that a handler in device code catches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No device can unwind its stack. Where a handler may catch what is thrown, a
// function that may throw returns to its caller with a pending exception, and
// the caller tests for one: see docs/internals/exceptions.md.

#ifndef XCC_BACKEND_EXCEPTIONS_EXCEPTIONS_H
#define XCC_BACKEND_EXCEPTIONS_EXCEPTIONS_H

#include "Kernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class InvokeInst;
class Module;
} // namespace llvm

namespace xcc::exceptions {

/// Whether a handler in the module may end other than by throwing again.
bool hasHandlers(const llvm::Module &module);

/// Makes calls of a function's invokes that need no unwinding, and removes what
/// only a throw would reach.
void dropInvokes(llvm::Function &function,
                 llvm::function_ref<bool(const llvm::InvokeInst &)> isIdle);

/// Removes what would follow a throw, where none is caught.
void dropUnwinding(llvm::Module &module);

/// Keeps the module's invokes until `lower`, and tells others so.
void keepUnwinding(llvm::Module &module, bool sharesCode);
bool keepsUnwinding(const llvm::Module &module);

/// Makes tests and branches of all unwinding, once libraries are linked. The
/// host's code may call functions of a device that shares its memory.
void lower(llvm::Module &module, const KernelTable &kernels, bool sharesCode);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_EXCEPTIONS_H
