// lld's messages in the user's words
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link runs lld on an object the user never sees. What lld says of
// it must be told in terms of the user's functions and files.

#ifndef XCC_BACKEND_LINK_LINKERRORS_H
#define XCC_BACKEND_LINK_LINKERRORS_H

#include "targets/Target.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace xcc {

/// lld's messages about a device object, whose symbols it did not demangle.
/// Undefined symbols become one error each with one note at the end; anything
/// else stays as lld says it.
std::string explainLinkErrors(llvm::StringRef messages,
                              const DeviceCodegenOptions &options);

/// The error for a symbol that nothing defines, with what leads to it. `users`
/// is said where nothing better is known: "kernel 'f(int)'".
std::string describeLacking(llvm::StringRef symbol, llvm::StringRef users,
                            const DeviceCodegenOptions &options);

/// What to do about such errors, once behind all of them.
llvm::StringRef adviceForLacking();

} // namespace xcc

#endif // XCC_BACKEND_LINK_LINKERRORS_H
