// Floating-point numbers in <charconv> on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses the host's printf and strtod. The shortest text that reads back as the
// same number: try as many digits as every number of the type preserves
// (numeric_limits::digits10), without trailing zeros. If that reads back
// differently, try one or two digits more.

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace {
using std::chars_format;
using std::errc;
using std::from_chars_result;
using std::to_chars_result;

to_chars_result put(char *first, char *last, const char *text, size_t size) {
  if (size_t(last - first) < size)
    return {last, errc::value_too_large};
  memcpy(first, text, size);
  return {first + size, errc()};
}

/// Prints with printf's format; hexadecimal without "0x".
to_chars_result print(char *first, char *last, const char *format,
                      int precision, double value) {
  char few[128];
  const int size = snprintf(few, sizeof few, format, precision, value);
  char *text = few;
  if (size >= int(sizeof few)) {
    if (size > last - first + 3 ||
        !(text = static_cast<char *>(malloc(size + 1))))
      return {last, errc::value_too_large};
    snprintf(text, size + 1, format, precision, value);
  }
  size_t length = size;
  char *number = text + (*text == '-');
  if (number[0] == '0' && number[1] == 'x') {
    length -= 2;
    memmove(number, number + 2, text + length - number);
  }
  to_chars_result done = put(first, last, text, length);
  if (text != few)
    free(text);
  return done;
}

template <class T> T read(const char *text) {
  if constexpr (sizeof(T) == sizeof(float))
    return strtof(text, nullptr);
  else
    return strtod(text, nullptr);
}

struct Decimal {
  char text[32];  ///< printed with %e: sign, d.dd...e+dd
  int digits;     ///< number of digits without trailing zeros
  int exponent;   ///< of the first digit
  const char *at; ///< the first digit; a point follows it
};

template <class T> Decimal shortest(T value) {
  using limits = std::numeric_limits<T>;
  Decimal d;
  // Denormal numbers preserve fewer digits.
  int digits = std::abs(value) < limits::min() ? 1 : limits::digits10;
  for (;; ++digits) {
    snprintf(d.text, sizeof d.text, "%.*e", digits - 1, double(value));
    if (digits == limits::max_digits10 || read<T>(d.text) == value)
      break;
  }
  d.at = d.text + (d.text[0] == '-');
  d.exponent = atoi(strchr(d.at, 'e') + 1);
  d.digits = digits;
  while (d.digits > 1 && d.at[d.digits] == '0')
    --d.digits;
  return d;
}

template <class T>
to_chars_result toChars(char *first, char *last, T value, chars_format format,
                        bool any) {
  if (!std::isfinite(value))
    return print(first, last, "%.*f", 0, double(value));
  if (format == chars_format::hex)
    return print(first, last, "%.*a", -1, double(value));
  if (value == 0) {
    const bool scientific = format == chars_format::scientific;
    const char *text = scientific ? "-0e+00" : "-0";
    text += !std::signbit(value);
    return put(first, last, text, strlen(text));
  }
  const Decimal d = shortest(value);
  const int high = std::abs(d.exponent) > 99 ? 3 : 2;
  const int scientific = d.digits + (d.digits > 1) + 2 + high;
  const int fixed = d.exponent < 0              ? d.digits - d.exponent + 1
                    : d.digits > d.exponent + 1 ? d.digits + 1
                                                : d.exponent + 1;
  const bool asFixed = any ? fixed <= scientific
                       : format == chars_format::general
                           ? d.exponent >= -4 && d.exponent < 6
                           : format == chars_format::fixed;
  // Integers are printed with all digits, even if fewer identify them.
  if (asFixed)
    return print(first, last, "%.*f", std::max(0, d.digits - 1 - d.exponent),
                 double(value));
  return print(first, last, "%.*e", d.digits - 1, double(value));
}

template <class T>
to_chars_result toChars(char *first, char *last, T value, chars_format format,
                        int precision) {
  const char *how = format == chars_format::fixed        ? "%.*f"
                    : format == chars_format::scientific ? "%.*e"
                    : format == chars_format::hex        ? "%.*a"
                                                         : "%.*g";
  // The default precision is 6; for hexadecimal, as many digits as needed.
  if (precision < 0)
    precision = format == chars_format::hex ? -1 : 6;
  return print(first, last, how, precision, double(value));
}

bool isDigit(char c, bool hexadecimal) {
  return (c >= '0' && c <= '9') ||
         (hexadecimal && ((c | 32) >= 'a' && (c | 32) <= 'f'));
}
bool begins(const char *at, const char *last, const char *word) {
  for (; *word; ++word, ++at)
    if (at == last || (*at | 32) != *word)
      return false;
  return true;
}

/// The end of the number at the start of a text; \p first if there is none.
const char *endOfNumber(const char *first, const char *last,
                        chars_format format) {
  const bool hexadecimal = format == chars_format::hex;
  const char *at = first + (first != last && *first == '-');
  if (begins(at, last, "infinity"))
    return at + 8;
  if (begins(at, last, "inf"))
    return at + 3;
  if (begins(at, last, "nan")) {
    const char *end = at += 3;
    if (at != last && *at == '(') {
      do
        ++at;
      while (at != last && (isDigit(*at, false) || *at == '_' ||
                            ((*at | 32) >= 'a' && (*at | 32) <= 'z')));
      if (at != last && *at == ')')
        return at + 1;
    }
    return end;
  }
  int digits = 0;
  for (bool point = false; at != last; ++at)
    if (isDigit(*at, hexadecimal))
      ++digits;
    else if (*at == '.' && !point)
      point = true;
    else
      break;
  if (!digits)
    return first;
  const bool may = hexadecimal || (format & chars_format::scientific) ==
                                      chars_format::scientific;
  bool has = false;
  if (may && at != last && (*at | 32) == (hexadecimal ? 'p' : 'e')) {
    const char *exponent = at + 1;
    exponent += exponent != last && (*exponent == '+' || *exponent == '-');
    if (exponent != last && isDigit(*exponent, false)) {
      for (at = exponent; at != last && isDigit(*at, false);)
        ++at;
      has = true;
    }
  }
  return format == chars_format::scientific && !has ? first : at;
}

template <class T>
from_chars_result fromChars(const char *first, const char *last, T &value,
                            chars_format format) {
  const char *end = endOfNumber(first, last, format);
  if (end == first)
    return {first, errc::invalid_argument};
  const size_t size = end - first;
  char few[128];
  char *text =
      size + 3 <= sizeof few ? few : static_cast<char *>(malloc(size + 3));
  if (!text)
    return {first, errc::not_enough_memory};
  char *to = text;
  if (*first == '-')
    *to++ = *first++;
  if (format == chars_format::hex) {
    *to++ = '0';
    *to++ = 'x';
  }
  memcpy(to, first, end - first);
  to[end - first] = 0;
  const T got = read<T>(text);
  bool named = false, zero = true;
  for (const char *at = first; at != end; ++at) {
    named |= (*at | 32) == 'n';
    if ((*at | 32) == (format == chars_format::hex ? 'p' : 'e'))
      break;
    zero &= *at == '0' || *at == '.';
  }
  if (text != few)
    free(text);
  if (!named && (std::isinf(got) || (got == 0 && !zero)))
    return {end, errc::result_out_of_range};
  value = got;
  return {end, errc()};
}
} // namespace

namespace std {

#define XCC_NUMBER(type, as)                                                   \
  to_chars_result to_chars(char *first, char *last, type value) noexcept(      \
      noexcept(to_chars(first, last, value))) {                                \
    return toChars<as>(first, last, as(value), chars_format(), true);          \
  }                                                                            \
  to_chars_result to_chars(                                                    \
      char *first, char *last, type value,                                     \
      chars_format format) noexcept(noexcept(to_chars(first, last, value))) {  \
    return toChars<as>(first, last, as(value), format, false);                 \
  }                                                                            \
  to_chars_result to_chars(                                                    \
      char *first, char *last, type value, chars_format format,                \
      int precision) noexcept(noexcept(to_chars(first, last, value))) {        \
    return toChars<as>(first, last, as(value), format, precision);             \
  }                                                                            \
  from_chars_result from_chars(const char *first, const char *last,            \
                               type &value, chars_format format) noexcept {    \
    as got;                                                                    \
    from_chars_result done = fromChars<as>(first, last, got, format);          \
    if (done.ec == errc())                                                     \
      value = got;                                                             \
    return done;                                                               \
  }
XCC_NUMBER(float, float)
XCC_NUMBER(double, double)
XCC_NUMBER(long double, double)
#undef XCC_NUMBER

} // namespace std
