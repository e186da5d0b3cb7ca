// Preprocessed input that has a text for each pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassTexts.h"
#include "Invocations.h"
#include "targets/Target.h"
#include "clang/Frontend/FrontendOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using llvm::StringRef;

namespace xcc {

bool PassTexts::read(const TranslationUnit &unit,
                     const clang::CompilerInvocation &invocation,
                     DiagnosticLog &log) {
  llvm::ArrayRef<clang::FrontendInputFile> inputs =
      invocation.getFrontendOpts().Inputs;
  if (inputs.size() != 1 || !inputs.front().getKind().isPreprocessed())
    return true;
  std::string name = inputs.front().getFile().str();
  StringRef text;
  std::unique_ptr<llvm::MemoryBuffer> file;
  if (unit.standardInput && name == unit.standardInput->getBufferIdentifier()) {
    text = unit.standardInput->getBuffer();
  } else {
    auto read = llvm::MemoryBuffer::getFile(name);
    if (!read)
      return true; // Clang reports why
    file = std::move(*read);
    text = file->getBuffer();
  }
  if (!text.starts_with(PassMarker))
    return true;
  split(text, name);
  std::vector<StringRef> wanted;
  if (unit.hostPass)
    wanted.push_back("host");
  if (unit.devicePass)
    for (const Target *target : unit.targets)
      wanted.push_back(target->triple());
  for (StringRef pass : wanted)
    if (!texts.contains(pass)) {
      log.error("'" + name + "' has no preprocessed text for " + pass +
                ": preprocess and compile it with the same --offload-arch=");
      return false;
    }
  return true;
}

void PassTexts::split(StringRef text, const std::string &name) {
  hash = llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
  const std::string next = "\n" + PassMarker.str();
  while (!text.empty()) {
    auto [part, rest] = text.split(next);
    part.consume_front(PassMarker);
    auto [pass, content] = part.split(">\"\n");
    texts[pass] = llvm::MemoryBuffer::getMemBufferCopy(content, name);
    text = rest;
  }
}

void PassTexts::use(clang::CompilerInvocation &of, StringRef pass) const {
  readFrom(of, of.getFrontendOpts().Inputs.front(), *texts.find(pass)->second);
}

} // namespace xcc
