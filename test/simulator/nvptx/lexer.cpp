// The words of PTX text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lexer.h"

#include <charconv>
#include <cstdlib>

namespace ptx {

void Lexer::refuse(int Line, const std::string &Why) {
  throw Refusal{"line " + std::to_string(Line) + ": " + Why};
}

static bool isWordChar(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_' || C == '$' || C == '%' || C == '.';
}

Token Lexer::next() {
  Token Now = Ahead;
  Ahead = read();
  return Now;
}

void Lexer::skipPast(char C) {
  // The word ahead was read already.
  At = size_t(Ahead.Spelling.data() - All.data());
  Line = Ahead.Line;
  while (At != All.size() && All[At] != C)
    Line += All[At++] == '\n';
  if (At != All.size())
    ++At;
  Ahead = read();
}

void Lexer::readNumber(Token &T) {
  size_t Begin = At;
  while (At != All.size() && isWordChar(All[At]))
    ++At;
  std::string_view S = T.Spelling = All.substr(Begin, At - Begin);
  auto Parse = [&](std::string_view Digits, int Base) {
    auto [Stop, Bad] = std::from_chars(
        Digits.data(), Digits.data() + Digits.size(), T.Bits, Base);
    if (Bad != std::errc() || Stop != Digits.data() + Digits.size())
      refuse(T.Line, "not a number: '" + std::string(S) + "'");
  };
  T.Is = Token::Number;
  if (S.size() == 10 && (S.starts_with("0f") || S.starts_with("0F"))) {
    T.Is = Token::Single;
    return Parse(S.substr(2), 16);
  }
  if (S.size() == 18 && (S.starts_with("0d") || S.starts_with("0D"))) {
    T.Is = Token::Double;
    return Parse(S.substr(2), 16);
  }
  if (S.find('.') != S.npos) {
    // .version 7.8, and numbers such as 1.5 in hand-written code.
    T.Is = Token::Double;
    char *Stop;
    std::string Copy(S);
    double Value = strtod(Copy.c_str(), &Stop);
    if (*Stop)
      refuse(T.Line, "not a number: '" + Copy + "'");
    T.Bits = __builtin_bit_cast(uint64_t, Value);
    return;
  }
  if (S.ends_with('U'))
    S.remove_suffix(1);
  if (S.starts_with("0x") || S.starts_with("0X"))
    Parse(S.substr(2), 16);
  else if (S.starts_with("0b") || S.starts_with("0B"))
    Parse(S.substr(2), 2);
  else if (S.size() > 1 && S[0] == '0')
    Parse(S, 8);
  else
    Parse(S, 10);
}

Token Lexer::read() {
  for (;;) {
    while (At != All.size() && (All[At] == ' ' || All[At] == '\t' ||
                                All[At] == '\n' || All[At] == '\r'))
      Line += All[At++] == '\n';
    if (All.substr(At, 2) == "//") {
      while (At != All.size() && All[At] != '\n')
        ++At;
    } else if (All.substr(At, 2) == "/*") {
      size_t End = All.find("*/", At);
      if (End == All.npos)
        refuse(Line, "a comment does not end");
      for (; At != End + 2; ++At)
        Line += All[At] == '\n';
    } else {
      break;
    }
  }
  Token T;
  T.Line = Line;
  T.Spelling = All.substr(At, 0);
  if (At == All.size())
    return T;
  char C = All[At];
  size_t Begin = At;
  if (C >= '0' && C <= '9') {
    readNumber(T);
  } else if (isWordChar(C)) {
    // "::" is part of modifiers such as .shared::cta.
    while (At != All.size() &&
           (isWordChar(All[At]) || (All.substr(At, 2) == "::")))
      At += All[At] == ':' ? 2 : 1;
    T.Is = Token::Word;
    T.Spelling = All.substr(Begin, At - Begin);
  } else if (C == '"') {
    size_t End = All.find('"', At + 1);
    if (End == All.npos)
      refuse(Line, "a text does not end");
    T.Is = Token::Text;
    T.Spelling = All.substr(At + 1, End - At - 1);
    At = End + 1;
  } else {
    T.Is = Token::Sign;
    T.Spelling = All.substr(At++, 1);
  }
  return T;
}

} // namespace ptx
