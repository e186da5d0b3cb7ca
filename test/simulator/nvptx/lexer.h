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
  } Is = End;
  std::string_view Spelling;
  uint64_t Bits = 0; ///< of a number
  int Line = 1;
  bool is(std::string_view S) const {
    return (Is == Sign || Is == Word) && Spelling == S;
  }
};

class Lexer {
public:
  explicit Lexer(std::string_view Text) : All(Text) { next(); }

  const Token &peek() const { return Ahead; }
  /// Takes the next word.
  Token next();
  /// Goes on behind the next such character, without looking at what is
  /// between.
  void skipPast(char C);

  [[noreturn]] static void refuse(int Line, const std::string &Why);

private:
  Token read();
  void readNumber(Token &T);
  std::string_view All;
  size_t At = 0;
  int Line = 1;
  Token Ahead;
};

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_LEXER_H
