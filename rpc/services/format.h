// The conversions of a printf format
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both sides use this one parser, so that they cannot disagree. The device
// learns which arguments there are, and the host also how to format them. The
// end of a format is given by its size, not by a zero byte.
//
// Supports the conversions of C23, and of the GNU C library %m, %C, %S and the
// flag '. The device itself handles %n, because the host cannot see the memory
// to write to. The arguments in a message are in the order of the conversions,
// so argument numbers (%1$d) concern only the device.

#ifndef XCC_SERVICES_FORMAT_H
#define XCC_SERVICES_FORMAT_H

#include <stdint.h>

namespace xcc::services {

/// The argument that a conversion takes from the list.
enum class Argument : uint8_t {
  None, ///< %%, or an invalid conversion, which is printed unchanged
  Int,  ///< an integer that fits an int
  Long, ///< an integer of 64 bits
  Double,
  LongDouble,
  Pointer,
  Character, ///< an int
  WideCharacter,
  Text,
  WideText,
  ErrorText, ///< %m; the device sends its errno
  Count,     ///< %n; an address, which is not sent
  Refused,
};

struct Conversion {
  const char *begin = nullptr, *end = nullptr; ///< from % to after the letter
  char letter = 0;
  Argument kind = Argument::None;
  uint8_t bits = 32; ///< width of an integer
  uint8_t flagCount = 0;
  char flags[6] = {}; ///< without repetitions
  bool starWidth = false, starPrecision = false;
  int32_t width = -1;     ///< -1: none
  int32_t precision = -1; ///< -1: none
  /// Argument numbers, from 1; 0 is the next argument.
  int32_t argument = 0, widthArgument = 0, precisionArgument = 0;
};

namespace detail {
inline bool digit(char c) { return c >= '0' && c <= '9'; }

/// Reads a number; larger ones become INT_MAX.
inline int32_t number(const char *&at, const char *end) {
  int64_t n = 0;
  for (; at != end && digit(*at); ++at)
    n = n < 0x7fffffff ? n * 10 + (*at - '0') : n;
  return n < 0x7fffffff ? int32_t(n) : 0x7fffffff;
}

/// Reads an argument number and its '$'. Returns 0 and reads nothing if there
/// is none; -1 for number 0.
inline int32_t argumentNumber(const char *&at, const char *end) {
  const char *p = at;
  if (p == end || !digit(*p))
    return 0;
  const int32_t n = number(p, end);
  if (p == end || *p != '$')
    return 0;
  at = p + 1;
  return n ? n : -1;
}

inline bool flag(char c) {
  return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0' || c == '\'';
}

/// A length modifier: the width of an integer, and other meanings.
struct Length {
  uint8_t bits = 32;
  bool isLong = false;       ///< l: wide characters and strings
  bool isLongDouble = false; ///< L: long double
  bool valid = true;
};
inline Length length(const char *&at, const char *end) {
  Length l;
  auto next = [&](char c) {
    bool is = at != end && *at == c;
    at += is;
    return is;
  };
  if (next('h')) {
    l.bits = next('h') ? 8 : 16;
  } else if (next('l')) {
    l.bits = 64;
    l.isLong = !next('l');
  } else if (next('j') || next('z') || next('t')) {
    l.bits = 64;
  } else if (next('L')) {
    l.bits = 64;
    l.isLongDouble = true;
  } else if (next('w')) {
    bool fast = next('f');
    int32_t n = number(at, end);
    l.valid = n == 8 || n == 16 || n == 32 || n == 64;
    // The C library's int_fast16_t and int_fast32_t have 64 bits.
    l.bits = fast && n > 8 ? 64 : uint8_t(n);
  }
  return l;
}
} // namespace detail

/// Finds the next conversion from \p at on and moves \p at to its end. Returns
/// false if there is none. The text before the conversion is [old at, c.begin).
inline bool nextConversion(const char *&at, const char *end, Conversion &c) {
  using namespace detail;
  while (at != end && *at != '%')
    ++at;
  if (at == end)
    return false;
  c = Conversion();
  c.begin = at++;
  auto finish = [&](Argument kind) {
    c.kind = kind;
    c.end = at;
    return true;
  };
  c.argument = argumentNumber(at, end);
  for (; at != end && flag(*at); ++at) {
    bool known = false;
    for (uint8_t i = 0; i != c.flagCount; ++i)
      known |= c.flags[i] == *at;
    if (!known)
      c.flags[c.flagCount++] = *at;
  }
  if (at != end && *at == '*') {
    ++at;
    c.starWidth = true;
    c.widthArgument = argumentNumber(at, end);
  } else if (at != end && digit(*at)) {
    c.width = number(at, end);
  }
  if (at != end && (*at == '$' || (c.starWidth && digit(*at))))
    return finish(Argument::Refused);
  if (at != end && *at == '.') {
    ++at;
    c.starPrecision = at != end && *at == '*';
    if (c.starPrecision) {
      ++at;
      c.precisionArgument = argumentNumber(at, end);
    } else {
      c.precision = number(at, end);
    }
  }
  if (c.argument < 0 || c.widthArgument < 0 || c.precisionArgument < 0)
    return finish(Argument::Refused);
  Length l = length(at, end);
  if (at == end)
    return finish(Argument::Refused);
  c.letter = *at++;
  c.bits = l.bits;
  if (!l.valid)
    return finish(Argument::Refused);
  switch (c.letter) {
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
    return finish(l.bits == 64 ? Argument::Long : Argument::Int);
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return finish(l.isLongDouble ? Argument::LongDouble : Argument::Double);
  case 'c':
    return finish(l.isLong ? Argument::WideCharacter : Argument::Character);
  case 'C':
    return finish(Argument::WideCharacter);
  case 's':
    return finish(l.isLong ? Argument::WideText : Argument::Text);
  case 'S':
    return finish(Argument::WideText);
  case 'p':
    return finish(Argument::Pointer);
  case 'm':
    return finish(Argument::ErrorText);
  case 'n':
    return finish(Argument::Count);
  default:
    return finish(Argument::None);
  }
}

} // namespace xcc::services
#endif // XCC_SERVICES_FORMAT_H
