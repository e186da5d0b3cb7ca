// Options of the block passes, for tests
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_BLOCK_OPTIONS_H
#define XCC_BACKEND_BLOCK_OPTIONS_H

#include "llvm/Support/CommandLine.h"

#include <utility>

namespace xcc::block {

/// Creates an option, or returns null. A process may contain this code twice,
/// in libxcc-jit and in libxcc-rtc, but LLVM registers a name once: the first
/// copy gets the option, the second gets null.
template <class Option, class... Modifier>
Option *makeOption(llvm::StringRef name, llvm::StringRef description,
                   Modifier &&...modifiers) {
  if (llvm::cl::getRegisteredOptions().contains(name))
    return nullptr;
  return new Option(name, llvm::cl::Hidden, llvm::cl::desc(description),
                    std::forward<Modifier>(modifiers)...);
}

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_OPTIONS_H
