// The includes at the beginning of a source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LeadingIncludes.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Inclusions/StandardLibrary.h"

using namespace clang;

namespace xcc {
namespace {

/// The name of the next `#include <name>` with nothing behind it; empty if the
/// next tokens are something else.
llvm::StringRef nextInclude(Lexer &lexer) {
  Token token;
  lexer.LexFromRawLexer(token);
  if (token.isNot(tok::hash) || !token.isAtStartOfLine())
    return "";
  lexer.setParsingPreprocessorDirective(true);
  lexer.LexFromRawLexer(token);
  if (token.isNot(tok::raw_identifier) || token.needsCleaning() ||
      token.getRawIdentifier() != "include")
    return "";
  lexer.LexIncludeFilename(token);
  if (token.isNot(tok::header_name) || token.needsCleaning())
    return "";
  llvm::StringRef name(token.getLiteralData(), token.getLength());
  lexer.LexFromRawLexer(token);
  if (token.isNot(tok::eod) || !name.consume_front("<") ||
      !name.consume_back(">"))
    return "";
  return name;
}

bool isStandard(llvm::StringRef name) {
  using namespace tooling::stdlib;
  const std::string written = ("<" + name + ">").str();
  return Header::named(written, Lang::CXX) || Header::named(written, Lang::C);
}

} // namespace

bool beginsWithHeader(llvm::StringRef text, const LangOptions &lang,
                      std::vector<std::string> &before) {
  // The lexer reads the character behind the end.
  const std::string ended = text.str();
  Lexer lexer(SourceLocation(), lang, ended.data(), ended.data(),
              ended.data() + ended.size());
  for (;;) {
    llvm::StringRef name = nextInclude(lexer);
    if (name == "xcc/xcc.h")
      return true;
    if (name.empty() || !isStandard(name))
      return false;
    before.push_back(name.str());
  }
}

} // namespace xcc
