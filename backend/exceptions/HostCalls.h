// Exceptions that the host's code throws into device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If host code is called (std::string::at of its C++ library, a virtual
// function of an object that the host made), it throws by unwinding. Each such
// call is moved to a function of its own, which the runtime calls in a try
// block: only that function needs unwind tables. An exception that the runtime
// catches there becomes a pending exception.

#ifndef XCC_BACKEND_EXCEPTIONS_HOSTCALLS_H
#define XCC_BACKEND_EXCEPTIONS_HOSTCALLS_H

#include "llvm/IR/Function.h"

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace xcc::exceptions {

/// Marks the program's calls that may reach host code. Runs before libraries
/// are linked, because their calls of host code throw nothing.
void markHostCalls(llvm::Module &module);
/// Replaces the marked calls of functions that the module does not define, and
/// those through pointers, by calls of functions that throw what the host's
/// code throws.
void catchHostCalls(llvm::Module &module);

/// Whether a call reaches a function of device code through a pointer that
/// `catchHostCalls` passed on.
bool reachesPointer(const llvm::CallBase &call);
/// The attribute of functions through which exceptions unwind.
inline constexpr llvm::StringLiteral UnwoundMark = "xcc-unwound";
inline bool isUnwound(const llvm::Function &function) {
  return function.hasFnAttribute(UnwoundMark);
}
/// Throws a pending exception through frames of host code that called device
/// code. Returns if none of these would catch it.
inline constexpr llvm::StringLiteral ThrowThroughName =
    "__xcc_throw_through_host";
/// Lets exceptions unwind through a function, so that `lower` does not make it
/// nounwind.
void letUnwind(llvm::Function &function);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_HOSTCALLS_H
