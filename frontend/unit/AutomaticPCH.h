// <xcc/xcc.h>, precompiled by earlier compiles
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing <xcc/xcc.h> takes most of the time for a short source. A pass over a
// source that begins with it loads what an earlier compile of the same options
// left in the cache. Each pass, the host's and each device's, has an entry of
// its own:
//
//     first compile     leaves a mark
//     second compile    precompiles the header, keeps and uses it
//     later ones        use it, if the files that it was made of are the same
//
// The result is the same as without, byte for byte. So a pass with a message is
// done again from the text: the places of messages could differ. What is not
// known to give the same does not use it (see forUnit).

#ifndef XCC_FRONTEND_UNIT_AUTOMATICPCH_H
#define XCC_FRONTEND_UNIT_AUTOMATICPCH_H

#include "Compilation.h"
#include "formats/source_table.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <string>

namespace xcc {

/// The header as a pass uses it.
class ReadyHeader {
public:
  /// Reads an entry; null if it is no header.
  static std::unique_ptr<ReadyHeader>
  read(std::unique_ptr<llvm::MemoryBuffer> entry);

  /// Whether the header's files are what they were.
  bool isUpToDate() const { return rt::isUpToDate(files); }
  /// Whether a file was written so lately that a later change might leave its
  /// time as it is. True as well if one changed while it was read.
  bool isFresh() const;
  /// Makes a pass begin with it. fileSystem() must be the pass's.
  static void use(clang::CompilerInvocation &pass);
  /// The real files, and the header.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem() const;
  /// See DevicePCH::suits.
  bool suits(const llvm::Module &module) const;
  /// Whether it was made of this file.
  bool has(llvm::StringRef path) const { return paths.contains(path); }
  /// The files that a depfile names.
  std::vector<std::string> dependencies(bool system) const;
  /// The sum of its files' texts (unitText).
  uint64_t texts() const { return sum; }

private:
  std::unique_ptr<llvm::MemoryBuffer> entry;
  llvm::StringRef parsed, faulty, depends; ///< in the entry
  rt::SourceTable files;
  llvm::StringSet<> paths;
  uint64_t sum = 0;
};

/// The headers for the passes of a unit. Thread-safe.
class AutomaticPCH {
public:
  /// Null if the unit must be parsed as text.
  static std::unique_ptr<AutomaticPCH>
  forUnit(const TranslationUnit &unit, const clang::CompilerInvocation &host);

  /// The header for a pass, for the host if `target` is null; or null. Sets
  /// `what` to a word for the user.
  std::unique_ptr<ReadyHeader> find(const clang::CompilerInvocation &pass,
                                    const Target *target,
                                    std::string &what) const;

  /// Whether the file exists only for the passes, so that depfiles must not
  /// name it.
  static bool isOurs(llvm::StringRef file);

private:
  explicit AutomaticPCH(const TranslationUnit &unit) : unit(unit) {}
  const TranslationUnit &unit;

  std::string make(const clang::CompilerInvocation &pass,
                   const Target *target) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_AUTOMATICPCH_H
