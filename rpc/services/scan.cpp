// scanf: reading values from a file or a text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's fscanf reads each conversion separately. Its format is built
// here from the parsed conversion, and it stores into local variables. A text
// is read as a file in memory. The reply lists what the device has to store,
// and through which of the caller's pointers.

#include "format.h"
#include "services_impl.h"

#include <cerrno>
#include <cstdlib>
#include <cwchar>

using namespace xcc::services;

namespace {
/// Larger widths are refused, because the device determines the host memory
/// used here.
constexpr int MaxWidth = 1 << 20;

/// A conversion of a scanf format.
struct Directive {
  bool suppress = false, allocate = false, valid = true;
  int width = 0;     ///< 0: none
  int argument = -1; ///< the number before '$', less one; -1: the next argument
  bool isWide = false, isLongDouble = false;
  uint8_t bits = 32;
  char letter = 0;
  std::string_view set; ///< the set of %[, with the brackets
};

/// Parses a conversion after its '%'.
Directive readDirective(const char *&at, const char *end) {
  Directive d;
  auto next = [&](char c) {
    const bool is = at != end && *at == c;
    at += is;
    return is;
  };
  if (at != end && detail::digit(*at)) {
    const int number = detail::number(at, end);
    if (next('$'))
      d.argument = number - 1;
    else
      d.width = number;
  }
  while (at != end && (*at == '*' || *at == '\'' || *at == 'I'))
    d.suppress |= *at++ == '*';
  if (at != end && detail::digit(*at))
    d.width = detail::number(at, end);
  d.allocate = next('m');
  const detail::Length l = detail::length(at, end);
  d.valid = l.valid && at != end && d.width <= MaxWidth && d.width >= 0;
  d.bits = l.bits;
  d.isWide = l.isLong;
  d.isLongDouble = l.isLongDouble;
  if (at == end)
    return d;
  d.letter = *at++;
  if (d.letter == 'C' || d.letter == 'S') {
    d.isWide = true;
    d.letter = char(d.letter | 32);
  }
  if (d.letter != '[')
    return d;
  const char *first = at - 1;
  next('^');
  next(']');
  while (at != end && *at != ']')
    ++at;
  d.valid &= next(']');
  d.set = std::string_view(first, size_t(at - first));
  return d;
}

/// The scan of one lane's input.
class Scan {
public:
  Scan(FILE *from, std::string &stores, bool x87)
      : from(from), stores(stores), x87(x87) {}

  /// Returns the result of scanf.
  int run(const char *at, const char *end) {
    while (at != end) {
      const char c = *at++;
      if (isSpace(c)) {
        skipSpace();
      } else if (c != '%') {
        if (!literal(c))
          return result();
      } else if (at != end && *at == '%') {
        ++at;
        skipSpace();
        if (!literal('%'))
          return result();
      } else {
        const Directive d = readDirective(at, end);
        if (!d.valid || !convert(d))
          return result();
      }
    }
    return assigned;
  }

private:
  static bool isSpace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  int result() const { return ended && !assigned ? EOF : assigned; }

  void skipSpace() {
    int c;
    while (isSpace(c = getc_unlocked(from)))
      ++taken;
    if (c != EOF)
      ungetc(c, from);
  }

  bool literal(char wanted) {
    const int c = getc_unlocked(from);
    if (c == (unsigned char)wanted) {
      ++taken;
      return true;
    }
    if (c == EOF)
      ended = true;
    else
      ungetc(c, from);
    return false;
  }

  /// Reads a value into \p to; the length modifier in the format is \p length.
  bool read(const Directive &d, const char *length, void *to) {
    std::string format = "%";
    if (d.suppress)
      format += '*';
    if (d.width)
      format += std::to_string(d.width);
    format += length;
    if (d.letter == '[')
      format += d.set;
    else
      format += d.letter;
    format += "%n";
    int size = -1;
    const int r = d.suppress ? fscanf(from, format.c_str(), &size)
                             : fscanf(from, format.c_str(), to, &size);
    if (size < 0) {
      ended = r == EOF;
      return false;
    }
    taken += unsigned(size);
    last = unsigned(size);
    return true;
  }

  void store(const Directive &d, const void *bytes, uint64_t size) {
    const ScanStore head = {uint32_t(d.argument >= 0 ? d.argument : argument++),
                            d.allocate, size};
    stores.append(reinterpret_cast<const char *>(&head), sizeof head);
    stores.append(static_cast<const char *>(bytes), size);
  }

  bool convert(const Directive &d) {
    switch (d.letter) {
    case 'n':
      if (!d.suppress)
        store(d, &taken, d.bits / 8);
      return true;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'b': {
      unsigned long long value = 0;
      return read(d, d.suppress ? "" : "ll", &value) &&
             keep(d, &value, d.bits / 8);
    }
    case 'p': {
      void *value = nullptr;
      return read(d, "", &value) && keep(d, &value, sizeof value);
    }
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return number(d);
    case 'c':
    case 's':
    case '[':
      return text(d);
    default:
      return false;
    }
  }

  bool number(const Directive &d) {
    if (d.isLongDouble && x87) {
      long double value = 0;
      return read(d, d.suppress ? "" : "L", &value) &&
             keep(d, &value, sizeof value);
    }
    if (d.isLongDouble || d.isWide) {
      double value = 0;
      return read(d, d.suppress ? "" : "l", &value) &&
             keep(d, &value, sizeof value);
    }
    float value = 0;
    return read(d, "", &value) && keep(d, &value, sizeof value);
  }

  bool text(const Directive &d) {
    void *found = nullptr;
    const bool good = read(d,
                           d.suppress ? (d.isWide ? "l" : "")
                           : d.isWide ? "ml"
                                      : "m",
                           &found);
    if (good && !d.suppress) {
      const size_t unit = d.isWide ? sizeof(wchar_t) : 1;
      const size_t size =
          d.letter != 'c' ? d.isWide ? wcslen(static_cast<wchar_t *>(found)) + 1
                                     : strlen(static_cast<char *>(found)) + 1
          : d.isWide      ? size_t(d.width ? d.width : 1)
                          : last;
      keep(d, found, size * unit);
    }
    free(found);
    return good;
  }

  bool keep(const Directive &d, const void *bytes, uint64_t size) {
    if (!d.suppress) {
      store(d, bytes, size);
      ++assigned;
    }
    return true;
  }

  FILE *from;
  std::string &stores;
  const bool x87;
  uint64_t taken = 0; ///< characters read so far, for %n
  uint64_t last = 0;  ///< characters of the last conversion
  int argument = 0, assigned = 0;
  bool ended = false; ///< the input has ended
};

void scanFrom(Lane &l, FILE *from, std::string_view format) {
  errno = 0;
  Scan scan(from, *l.out, l.head.c & ScanX87);
  const int r = scan.run(format.data(), format.data() + format.size());
  l.result(r, r == EOF && ferror(from));
}
} // namespace

void xcc_services::scan(Lanes all) {
  for (Lane &l : all) {
    std::string_view format;
    if (!l.rest.bytes(l.head.b, format)) {
      l.fail(ErrInvalid);
      continue;
    }
    if (l.head.c & ScanText) {
      std::string text(l.rest.rest());
      FILE *file = fmemopen(text.data(), text.size(), "r");
      if (!file) {
        l.fail(errno ? errno : ErrNoMemory);
        continue;
      }
      scanFrom(l, file, format);
      fclose(file);
      continue;
    }
    withFile(files, l, [&](Lane &, OpenFile &file) {
      if (!readyToRead(file))
        return l.result(-1, true);
      if (file.pushed >= 0) {
        ungetc(file.pushed, file.stream);
        file.pushed = -1;
      }
      scanFrom(l, file.stream, format);
    });
  }
}
