// The words of PTX text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SIMULATOR_NVPTX_LEXER_H
#define XCC_SIMULATOR_NVPTX_LEXER_H

#include "ptx.h"

namespace ptx {

/// A word: an identifier with what its dots hold together ("ld.global.b32",
/// "%tid.x", ".visible"), a number, a text in quotes, or one sign.
struct Token {
  enum Kind : uint8_t {
    End,
    Word,
    Number,
    Single,
    Double,
    Text,
    Sign
  } kind = End;
  std::string_view spelling;
  uint64_t bits = 0; ///< of a number
  int line = 1;
  bool is(std::string_view s) const {
    return (kind == Sign || kind == Word) && spelling == s;
  }
};

class Lexer {
public:
  explicit Lexer(std::string_view text) : all(text) { next(); }

  const Token &peek() const { return ahead; }
  /// Takes the next word.
  Token next();
  /// Goes on behind the next such character, without looking at what is
  /// between.
  void skipPast(char c);

  [[noreturn]] static void refuse(int line, const std::string &why);

private:
  Token read();
  void readNumber(Token &t);
  std::string_view all;
  size_t at = 0;
  int line = 1;
  Token ahead;
};

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_LEXER_H
