// The conversions of a printf format
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reader of formats for both sides, so that they cannot disagree: the
// device takes from it which arguments there are, the host also what to do with
// them. Formats are bounded by their size, not by a zero byte.
//
// C23's conversions, and of the GNU C library %m, %C, %S and the flag '.
// %n (it would write to memory the host does not see) and %1$d are refused.

#ifndef XCC_SERVICES_FORMAT_H
#define XCC_SERVICES_FORMAT_H

#include <stdint.h>

namespace xcc::services {

/// What a conversion takes from the argument list.
enum class Argument : uint8_t {
  None, ///< %%, or what is no conversion and printed as it stands
  Int,  ///< what fits an int
  Long, ///< 64 bits
  Double,
  LongDouble,
  Pointer,
  Character, ///< an int
  WideCharacter,
  Text,
  WideText,
  ErrorText, ///< %m; the device adds its errno
  Refused,
};

struct Conversion {
  const char *Begin = nullptr, *End = nullptr; ///< from % past the letter
  char Letter = 0;
  Argument Kind = Argument::None;
  uint8_t Bits = 32; ///< of a whole number
  uint8_t FlagCount = 0;
  char Flags[6] = {}; ///< each once
  bool StarWidth = false, StarPrecision = false;
  int32_t Width = -1;     ///< -1: none
  int32_t Precision = -1; ///< -1: none
};

namespace detail {
inline bool digit(char C) { return C >= '0' && C <= '9'; }

/// Digits, as large as an int can be.
inline int32_t number(const char *&At, const char *End) {
  int64_t N = 0;
  for (; At != End && digit(*At); ++At)
    N = N < 0x7fffffff ? N * 10 + (*At - '0') : N;
  return N < 0x7fffffff ? int32_t(N) : 0x7fffffff;
}

inline bool flag(char C) {
  return C == '-' || C == '+' || C == ' ' || C == '#' || C == '0' || C == '\'';
}

/// The length modifier: Bits of a whole number, and what else it means.
struct Length {
  uint8_t Bits = 32;
  bool Long = false;   ///< l: wide characters and text
  bool Double = false; ///< L: long double
  bool Valid = true;
};
inline Length length(const char *&At, const char *End) {
  Length L;
  auto next = [&](char C) {
    bool Is = At != End && *At == C;
    At += Is;
    return Is;
  };
  if (next('h')) {
    L.Bits = next('h') ? 8 : 16;
  } else if (next('l')) {
    L.Bits = 64;
    L.Long = !next('l');
  } else if (next('j') || next('z') || next('t')) {
    L.Bits = 64;
  } else if (next('L')) {
    L.Bits = 64;
    L.Double = true;
  } else if (next('w')) {
    bool Fast = next('f');
    int32_t N = number(At, End);
    L.Valid = N == 8 || N == 16 || N == 32 || N == 64;
    // The C library's int_fast16_t and int_fast32_t are registers wide.
    L.Bits = Fast && N > 8 ? 64 : uint8_t(N);
  }
  return L;
}
} // namespace detail

/// Finds the next conversion at or after At and moves At behind it; false when
/// there is none. The text before it is [old At, C.Begin).
inline bool nextConversion(const char *&At, const char *End, Conversion &C) {
  using namespace detail;
  while (At != End && *At != '%')
    ++At;
  if (At == End)
    return false;
  C = Conversion();
  C.Begin = At++;
  auto finish = [&](Argument Kind) {
    C.Kind = Kind;
    C.End = At;
    return true;
  };
  for (; At != End && flag(*At); ++At) {
    bool Known = false;
    for (uint8_t I = 0; I != C.FlagCount; ++I)
      Known |= C.Flags[I] == *At;
    if (!Known)
      C.Flags[C.FlagCount++] = *At;
  }
  if (At != End && *At == '*') {
    ++At;
    C.StarWidth = true;
  } else if (At != End && digit(*At)) {
    C.Width = number(At, End);
  }
  if (At != End && (*At == '$' || (C.StarWidth && digit(*At))))
    return finish(Argument::Refused);
  if (At != End && *At == '.') {
    ++At;
    C.StarPrecision = At != End && *At == '*';
    if (C.StarPrecision)
      ++At;
    else
      C.Precision = number(At, End);
  }
  Length L = length(At, End);
  if (At == End)
    return finish(Argument::Refused);
  C.Letter = *At++;
  C.Bits = L.Bits;
  if (!L.Valid)
    return finish(Argument::Refused);
  switch (C.Letter) {
  case 'd':
  case 'i':
  case 'o':
  case 'u':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
    return finish(L.Bits == 64 ? Argument::Long : Argument::Int);
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return finish(L.Double ? Argument::LongDouble : Argument::Double);
  case 'c':
    return finish(L.Long ? Argument::WideCharacter : Argument::Character);
  case 'C':
    return finish(Argument::WideCharacter);
  case 's':
    return finish(L.Long ? Argument::WideText : Argument::Text);
  case 'S':
    return finish(Argument::WideText);
  case 'p':
    return finish(Argument::Pointer);
  case 'm':
    return finish(Argument::ErrorText);
  case 'n':
    return finish(Argument::Refused);
  default:
    return finish(Argument::None);
  }
}

} // namespace xcc::services
#endif // XCC_SERVICES_FORMAT_H
