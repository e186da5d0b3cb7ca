// Short texts for error reports on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the texts of reports without a C library.

#ifndef XCC_DEVICE_RUNTIME_TEXT_H
#define XCC_DEVICE_RUNTIME_TEXT_H

namespace {
/// Text of limited length; a report has no room for more.
struct Text {
  char at[192];
  unsigned used = 0;
  void put(char c) {
    if (used + 1 < sizeof at)
      at[used++] = c;
  }
  void put(const char *text) {
    for (; text && *text; ++text)
      put(*text);
  }
  void put(unsigned long number) {
    char digits[20];
    unsigned count = 0;
    do
      digits[count++] = char('0' + number % 10);
    while (number /= 10);
    while (count)
      put(digits[--count]);
  }
  /// Supports the conversions of libstdc++'s messages: %s, %zu and %%.
  void format(const char *format, __builtin_va_list args) {
    for (; *format; ++format) {
      if (format[0] != '%') {
        put(*format);
      } else if (format[1] == 's') {
        put(__builtin_va_arg(args, const char *));
        ++format;
      } else if (format[1] == 'z' && format[2] == 'u') {
        put(__builtin_va_arg(args, unsigned long));
        format += 2;
      } else {
        format += format[1] == '%';
        put('%');
      }
    }
  }
  const char *end() {
    at[used] = 0;
    return at;
  }
};
} // namespace

#endif // XCC_DEVICE_RUNTIME_TEXT_H
