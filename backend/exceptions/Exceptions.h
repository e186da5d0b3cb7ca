// Exceptions that a handler in device code catches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No device can unwind its stack. If a handler may catch an exception, a
// function that may throw returns to its caller with a pending exception, and
// the caller tests for it: see docs/internals/exceptions.md.

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

/// Replaces the function's invokes that need no unwinding by calls, and removes
/// code that only a throw would reach.
void dropInvokes(llvm::Function &function,
                 llvm::function_ref<bool(const llvm::InvokeInst &)> isIdle);

/// Replaces all invokes by calls, in a module that catches nothing.
void dropUnwinding(llvm::Module &module);

/// Keeps the module's invokes until `lower`, and marks the module as such.
void keepUnwinding(llvm::Module &module, bool sharesCode);
bool keepsUnwinding(const llvm::Module &module);

/// Replaces all unwinding by tests and branches, once libraries are linked.
/// With \p sharesCode, host code may call functions of the device.
void lower(llvm::Module &module, const KernelTable &kernels, bool sharesCode);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_EXCEPTIONS_H
