// A precompiled header in memory for sources that a program compiles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing <xcc/xcc.h> and its includes takes most of the time for a short
// source. A device pass that ends where the text would begin makes a
// precompiled header of them, in memory. Passes over texts start from it.

#ifndef XCC_FRONTEND_UNIT_PREAMBLE_H
#define XCC_FRONTEND_UNIT_PREAMBLE_H

#include "Compilation.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <string>

namespace xcc {

struct Preamble {
  /// Clang's precompiled header.
  std::string parsed;
  /// All identifiers of the headers, one in each line. A macro that is none of
  /// them can be defined after the headers.
  std::string names;
  /// Mangled names of functions about which Clang deferred a message, until a
  /// kernel reaches them; one in each line. The precompiled header does not
  /// keep these messages.
  std::string faulty;
  /// textsOf() the headers' files.
  uint64_t texts = 0;
  /// The files that a depfile names, each in a line, after "S" if it is a
  /// system header and "U" if not.
  std::string dependencies;
};

/// Whether the module contains no function of `faulty`, so that no message is
/// lost.
bool hasNoneOf(llvm::StringRef faulty, const llvm::Module &module);

/// Parses `file` and everything included before it. With unit.source, `file` is
/// an empty file of it; otherwise the unit's input, a header. Returns false if
/// a text could mean something else with the preamble than without, or if the
/// headers caused messages.
bool makePreamble(const TranslationUnit &unit, const Target &target,
                  const clang::CompilerInvocation &host, llvm::StringRef file,
                  Preamble &out);

/// The same with the invocation of a pass, for the host if `target` is null.
/// `file` is one of `files`.
bool makePreamble(const TranslationUnit &unit, const Target *target,
                  std::shared_ptr<clang::CompilerInvocation> invocation,
                  llvm::StringRef file,
                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                  Preamble &out);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_PREAMBLE_H
