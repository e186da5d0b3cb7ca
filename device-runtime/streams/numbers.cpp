// Floating-point numbers in streams
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// num_put and num_get leave these to the C library, in the C locale.

#include "streams.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace std {

/// Writes a conversion for printf. It takes a precision, except for
/// hexadecimal.
void __num_base::_S_format_float(const ios_base &io, char *to,
                                 char modifier) throw() {
  const ios_base::fmtflags flags = io.flags();
  *to++ = '%';
  if (flags & ios_base::showpos)
    *to++ = '+';
  if (flags & ios_base::showpoint)
    *to++ = '#';
  const ios_base::fmtflags kind = flags & ios_base::floatfield;
  const bool hexadecimal = kind == (ios_base::fixed | ios_base::scientific);
  if (!hexadecimal) {
    *to++ = '.';
    *to++ = '*';
  }
  if (modifier)
    *to++ = modifier;
  const char letter = hexadecimal                    ? 'a'
                      : kind == ios_base::fixed      ? 'f'
                      : kind == ios_base::scientific ? 'e'
                                                     : 'g';
  *to++ = flags & ios_base::uppercase ? char(letter - 'a' + 'A') : letter;
  *to = 0;
}

/// Whether digits were grouped as the locale requires. Groups are counted from
/// the right; the last size repeats, and the leftmost group may be smaller.
bool __verify_grouping(const char *grouping, size_t count,
                       const string &found) throw() {
  const size_t last = found.size() - 1;
  size_t size = 0;
  for (size_t i = last; i > 0; --i) {
    if (found[i] != grouping[size])
      return false;
    size += size + 1 < count;
  }
  const auto most = static_cast<signed char>(grouping[size]);
  return most <= 0 || grouping[size] == numeric_limits<char>::max() ||
         found[0] <= grouping[size];
}

namespace {
/// C++ [facet.num.get.virtuals]: invalid text gives 0, and a value that is too
/// large gives the largest number.
template <class T>
void convert(T (*read)(const char *, char **), const char *text, T &to,
             ios_base::iostate &bits) {
  char *end;
  to = read(text, &end);
  if (end == text || *end) {
    to = 0;
    bits = ios_base::failbit;
  } else if (to == numeric_limits<T>::infinity()) {
    to = numeric_limits<T>::max();
    bits = ios_base::failbit;
  } else if (to == -numeric_limits<T>::infinity()) {
    to = -numeric_limits<T>::max();
    bits = ios_base::failbit;
  }
}
} // namespace

template <>
void __convert_to_v(const char *text, float &to, ios_base::iostate &bits,
                    const __c_locale &) throw() {
  convert(strtof, text, to, bits);
}
template <>
void __convert_to_v(const char *text, double &to, ios_base::iostate &bits,
                    const __c_locale &) throw() {
  convert(strtod, text, to, bits);
}
template <>
void __convert_to_v(const char *text, long double &to, ios_base::iostate &bits,
                    const __c_locale &) throw() {
  convert(strtold, text, to, bits);
}

} // namespace std

/// The C library has only one locale.
extern "C" locale_t __uselocale(locale_t) noexcept { return nullptr; }
extern "C" locale_t uselocale(locale_t) noexcept { return nullptr; }
