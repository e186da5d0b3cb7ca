// Preprocessed input that has a text for each pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of `xcc -E` contains the host's text and one for each device
// triple, each after a marker. A distributed build sends it to another machine,
// where each pass compiles its own text.

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
  /// Reads the texts from the unit's input. Other input gives none. Returns
  /// false after a message.
  bool read(const TranslationUnit &unit,
            const clang::CompilerInvocation &invocation, DiagnosticLog &log);

  bool empty() const { return texts.empty(); }
  /// A hash of the text, which distinguishes the unit from others of its name.
  const std::string &unique() const { return hash; }
  /// Makes an invocation compile the text of a pass.
  void use(clang::CompilerInvocation &of, llvm::StringRef pass) const;

private:
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> texts;
  std::string hash;

  void split(llvm::StringRef text, const std::string &name);
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_PASSTEXTS_H
