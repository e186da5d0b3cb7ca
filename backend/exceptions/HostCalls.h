// Exceptions that the host's code throws into device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host's code may be called (std::string::at of its C++ library, a
// virtual function of an object that the host made), it throws by unwinding.
// Each such call is made by a function of its own, which the runtime calls in a
// try block: only that function needs a table for the unwinder. What the runtime
// caught becomes a pending exception.

#ifndef XCC_BACKEND_EXCEPTIONS_HOSTCALLS_H
#define XCC_BACKEND_EXCEPTIONS_HOSTCALLS_H

#include "llvm/IR/Function.h"

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace xcc::exceptions {

/// Marks the program's calls that may reach the host's code. For a module
/// without libraries, as what these call throws nothing.
void markHostCalls(llvm::Module &module);
/// Has the marked calls of what the module does not define, and those through
/// pointers, made by functions that throw what the host's code throws.
void catchHostCalls(llvm::Module &module);

/// Whether a call reaches a function of device code by a pointer that
/// `catchHostCalls` handed on.
bool reachesPointer(const llvm::CallBase &call);
/// What a function has that exceptions unwind through.
inline constexpr llvm::StringLiteral UnwoundMark = "xcc-unwound";
inline bool isUnwound(const llvm::Function &function) {
  return function.hasFnAttribute(UnwoundMark);
}
/// Throws a pending exception through frames of the host's code that has called
/// device code. It returns if there is nobody who would catch it.
inline constexpr llvm::StringLiteral ThrowThroughName =
    "__xcc_throw_through_host";
/// Has exceptions unwind through a function, once all others are lowered.
void letUnwind(llvm::Function &function);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_HOSTCALLS_H
