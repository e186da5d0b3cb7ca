// lld's messages in the user's words
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link runs lld on an object the user never sees. What lld says of
// it must be told in terms of the user's functions and files.

#ifndef XCC_BACKEND_LINK_LINKERRORS_H
#define XCC_BACKEND_LINK_LINKERRORS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace xcc {

/// lld's messages about a device object. Undefined symbols become one line
/// each with one note at the end; anything else stays as lld says it.
std::string explainLinkErrors(llvm::StringRef messages);

} // namespace xcc

#endif // XCC_BACKEND_LINK_LINKERRORS_H
