// What stands before every source that a program compiles, parsed once
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <xcc/xcc.h> and what it includes is most of what a short text costs. A
// precompiled header of it is made in memory, by a device pass that ends where
// the text would begin; the pass of a text takes it up there.

#ifndef XCC_FRONTEND_UNIT_PREAMBLE_H
#define XCC_FRONTEND_UNIT_PREAMBLE_H

#include "Compilation.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/IR/Module.h"
#include <string>

namespace xcc {

struct Preamble {
  /// Clang's precompiled header.
  std::string parsed;
  /// All identifiers that the headers have, each in a line: a macro that is none
  /// of them may as well be defined behind the headers.
  std::string names;
  /// Functions, as they are mangled, that Clang would have something to say of
  /// if a kernel reached them: it does not know any more. Each in a line.
  std::string faulty;
};

/// Whether a module has none of `faulty`: it is what it would be without.
bool hasNoneOf(llvm::StringRef faulty, const llvm::Module &module);

/// Parses `file`, with what is included before it: with unit.source one of its
/// files that is empty, else the unit's input, a header. False where a text that
/// is compiled with it could mean something else than without, or what was parsed
/// gave rise to messages.
bool makePreamble(const TranslationUnit &unit, const Target &target,
                  const clang::CompilerInvocation &host, llvm::StringRef file,
                  Preamble &out);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_PREAMBLE_H
