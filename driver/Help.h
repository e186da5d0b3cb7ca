// What xcc says of its own options
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_HELP_H
#define XCC_DRIVER_HELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace xcc {

/// --help: xcc's own options, a line each, and where the others are listed.
void printHelp(llvm::raw_ostream &os);

/// --print-offload-archs: each name that --offload-arch= takes, on a line.
void printArchs(llvm::raw_ostream &os);

/// --autocomplete=: what a shell may put in place of the last of \p words,
/// which are separated by commas; one candidate on a line, with a tab and its
/// meaning behind it. The form is clang's, whose own candidates follow.
void printCompletions(llvm::StringRef words, llvm::raw_ostream &os);

} // namespace xcc

#endif // XCC_DRIVER_HELP_H
