// Explains lld's errors to the user
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link runs lld on an object that the user never sees. These
// functions describe its errors with the user's functions and files.

#ifndef XCC_BACKEND_LINK_LINKERRORS_H
#define XCC_BACKEND_LINK_LINKERRORS_H

#include "targets/Target.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace xcc {

/// Translates lld's messages about a device object, whose symbols lld did not
/// demangle. Each undefined symbol becomes one error, with one note at the end.
/// Other messages stay as they are.
std::string explainLinkErrors(llvm::StringRef messages,
                              const DeviceCodegenOptions &options);

/// The error for a symbol that no file defines, with the path to it. `users`
/// ("kernel 'f(int)'") is printed if no path is known.
std::string describeUndefined(llvm::StringRef symbol, llvm::StringRef users,
                              const DeviceCodegenOptions &options);

/// The note that follows all such errors.
llvm::StringRef adviceForUndefined();

} // namespace xcc

#endif // XCC_BACKEND_LINK_LINKERRORS_H
