// The tokens of a source's text, without preprocessing
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_CUDA_SOURCETOKENS_H
#define XCC_FRONTEND_CUDA_SOURCETOKENS_H

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringRef.h"

namespace xcc {

/// Calls `visit` with each token of `source`, a CUDA source in C++20, and with
/// the position of its first character.
template <class Visit> void visitTokens(llvm::StringRef source, Visit visit) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 =
      options.CPlusPlus17 = options.CPlusPlus20 = true;
  options.RawStringLiterals = options.LineComment = true;
  options.DollarIdents = options.Digraphs = options.CUDA = true;
  const std::string text = source.str(); // the lexer needs the zero at its end
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), options,
                     text.data(), text.data(), text.data() + text.size());
  clang::Token token;
  for (bool last = false; !last;) {
    last = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      return;
    visit(token, size_t(token.getLocation().getRawEncoding() - 1));
  }
}

} // namespace xcc

#endif // XCC_FRONTEND_CUDA_SOURCETOKENS_H
