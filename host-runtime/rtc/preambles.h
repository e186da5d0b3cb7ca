// Precompiled headers of what stands before the texts
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One for each set of options, in memory and on disk. It is for a text only if
// the headers would be the same without it: none of them has changed, none is
// hidden by a header that the program gives as text, and no macro of the
// options is named in them, except those that it was made with.

#ifndef XCC_RTC_PREAMBLES_H
#define XCC_RTC_PREAMBLES_H

#include "files.h"
#include "formats/rtc_interface.h"
#include "unit/Compilation.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace xcc {

/// The headers that a text begins with: what stands before anything else in it
/// but comments. They are precompiled with what is included before the text.
struct LeadingHeaders {
  std::string lines;     ///< #include <...>, in their order
  std::string remainder; ///< the text, with empty lines in their place

  explicit LeadingHeaders(llvm::StringRef text);
};

/// A precompiled header, and what it was made of.
struct KnownPreamble {
  std::string headers; ///< LeadingHeaders::lines

  rt::SourceTable files;
  std::string names, faulty; ///< see Preamble.h
  std::string asked; ///< what was looked for among the texts, each in a line
  std::unique_ptr<llvm::MemoryBuffer> parsed;

  /// Whether what became of a text with it is what would have without.
  bool suits(const llvm::Module &module) const;
};

/// The preamble for a unit's options and a target, with or without these headers.
/// Null: there is none, and the pass parses everything itself. \p identity is the hash
/// of this code.
std::shared_ptr<const KnownPreamble>
preambleFor(const TranslationUnit &unit, const Target &target,
            const clang::CompilerInvocation &host,
            const xcc_rtc_request &request, llvm::StringRef headers,
            llvm::StringRef identity);

/// This thread, which was making one, has been stopped: another may make it.
void abandonPreamble();

/// The unit's files, with the precompiled header among them; \p path: it. \p
/// text: what the file of that name holds then.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withPreamble(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
             const KnownPreamble &preamble, std::string &path,
             llvm::StringRef name, llvm::StringRef text);

} // namespace xcc

#endif // XCC_RTC_PREAMBLES_H
