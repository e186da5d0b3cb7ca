// The words of PTX text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lexer.h"

#include <charconv>
#include <cstdlib>

namespace ptx {

void Lexer::refuse(int line, const std::string &why) {
  throw Refusal{"line " + std::to_string(line) + ": " + why};
}

static bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' || c == '.';
}

Token Lexer::next() {
  Token now = ahead;
  ahead = read();
  return now;
}

void Lexer::skipPast(char c) {
  // The word ahead was read already.
  at = size_t(ahead.spelling.data() - all.data());
  line = ahead.line;
  while (at != all.size() && all[at] != c)
    line += all[at++] == '\n';
  if (at != all.size())
    ++at;
  ahead = read();
}

void Lexer::readNumber(Token &t) {
  size_t begin = at;
  while (at != all.size() && isWordChar(all[at]))
    ++at;
  std::string_view s = t.spelling = all.substr(begin, at - begin);
  auto parse = [&](std::string_view digits, int base) {
    auto [stop, bad] = std::from_chars(
        digits.data(), digits.data() + digits.size(), t.bits, base);
    if (bad != std::errc() || stop != digits.data() + digits.size())
      refuse(t.line, "not a number: '" + std::string(s) + "'");
  };
  t.kind = Token::Number;
  if (s.size() == 10 && (s.starts_with("0f") || s.starts_with("0F"))) {
    t.kind = Token::Single;
    return parse(s.substr(2), 16);
  }
  if (s.size() == 18 && (s.starts_with("0d") || s.starts_with("0D"))) {
    t.kind = Token::Double;
    return parse(s.substr(2), 16);
  }
  if (s.find('.') != s.npos) {
    // .version 7.8, and numbers such as 1.5 in hand-written code.
    t.kind = Token::Double;
    char *stop;
    std::string copy(s);
    double value = strtod(copy.c_str(), &stop);
    if (*stop)
      refuse(t.line, "not a number: '" + copy + "'");
    t.bits = __builtin_bit_cast(uint64_t, value);
    return;
  }
  if (s.ends_with('U'))
    s.remove_suffix(1);
  if (s.starts_with("0x") || s.starts_with("0X"))
    parse(s.substr(2), 16);
  else if (s.starts_with("0b") || s.starts_with("0B"))
    parse(s.substr(2), 2);
  else if (s.size() > 1 && s[0] == '0')
    parse(s, 8);
  else
    parse(s, 10);
}

Token Lexer::read() {
  for (;;) {
    while (at != all.size() && (all[at] == ' ' || all[at] == '\t' ||
                                all[at] == '\n' || all[at] == '\r'))
      line += all[at++] == '\n';
    if (all.substr(at, 2) == "//") {
      while (at != all.size() && all[at] != '\n')
        ++at;
    } else if (all.substr(at, 2) == "/*") {
      size_t end = all.find("*/", at);
      if (end == all.npos)
        refuse(line, "a comment does not end");
      for (; at != end + 2; ++at)
        line += all[at] == '\n';
    } else {
      break;
    }
  }
  Token t;
  t.line = line;
  t.spelling = all.substr(at, 0);
  if (at == all.size())
    return t;
  char c = all[at];
  size_t begin = at;
  if (c >= '0' && c <= '9') {
    readNumber(t);
  } else if (isWordChar(c)) {
    // "::" is part of modifiers such as .shared::cta.
    while (at != all.size() &&
           (isWordChar(all[at]) || (all.substr(at, 2) == "::")))
      at += all[at] == ':' ? 2 : 1;
    t.kind = Token::Word;
    t.spelling = all.substr(begin, at - begin);
  } else if (c == '"') {
    size_t end = all.find('"', at + 1);
    if (end == all.npos)
      refuse(line, "a text does not end");
    t.kind = Token::Text;
    t.spelling = all.substr(at + 1, end - at - 1);
    at = end + 1;
  } else {
    t.kind = Token::Sign;
    t.spelling = all.substr(at++, 1);
  }
  return t;
}

} // namespace ptx
