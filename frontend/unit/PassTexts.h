// Preprocessed input that has a text for each pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `xcc -E` prints has the host's text and one for each device triple, each
// after a marker. A distributed build sends that to another machine, where each
// pass compiles its own text.

#ifndef XCC_FRONTEND_UNIT_PASSTEXTS_H
#define XCC_FRONTEND_UNIT_PASSTEXTS_H

#include "Compilation.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace xcc {

class PassTexts {
public:
  /// Reads the texts from the unit's input; there are none of other input.
  /// Returns false after a message.
  bool read(const TranslationUnit &unit,
            const clang::CompilerInvocation &invocation, DiagnosticLog &log);

  bool empty() const { return texts.empty(); }
  /// What tells the unit from others of its name: nothing but its text.
  const std::string &unique() const { return hash; }
  /// Has an invocation compile the text of a pass.
  void use(clang::CompilerInvocation &of, llvm::StringRef pass) const;

private:
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> texts;
  std::string hash;

  void split(llvm::StringRef text, const std::string &name);
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_PASSTEXTS_H
