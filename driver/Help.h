// Help for xcc's own options
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_HELP_H
#define XCC_DRIVER_HELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace xcc {

/// --help: prints xcc's own options, one on a line, and how to list Clang's.
void printHelp(llvm::raw_ostream &os);

/// --print-offload-archs: prints each name that --offload-arch= takes on a
/// line.
void printArchs(llvm::raw_ostream &os);

/// --autocomplete=: prints the completions of the last of \p words, which are
/// separated by commas. Each line has one candidate, a tab, and its meaning, as
/// in Clang's output. Clang prints its own candidates after them.
void printCompletions(llvm::StringRef words, llvm::raw_ostream &os);

} // namespace xcc

#endif // XCC_DRIVER_HELP_H
