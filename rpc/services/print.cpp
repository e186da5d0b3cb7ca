// printf: formatting, and output in lane order
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's snprintf formats each conversion separately. Its format is
// built here from the parsed conversion, and its argument has the matching
// type. No part of the message is passed to snprintf unchecked.

#include "format.h"
#include "services_impl.h"

#include <cerrno>
#include <unistd.h>

using namespace xcc::services;

namespace {
/// Larger widths, precisions and texts are refused, because the device
/// determines the host memory used here.
constexpr int MaxField = 1 << 20;
constexpr size_t MaxText = size_t(64) << 20;

/// Appends the output of snprintf. Returns an errno, or 0.
template <class T>
int append(std::string &to, const Conversion &c, const char *length, T value) {
  char format[32], *f = format;
  *f++ = '%';
  for (uint8_t i = 0; i != c.flagCount; ++i)
    *f++ = c.flags[i];
  *f++ = '*';
  if (c.precision >= 0) {
    *f++ = '.';
    *f++ = '*';
  }
  while (*length)
    *f++ = *length++;
  *f++ = c.letter;
  *f = 0;
  const int width = c.width > 0 ? c.width : 0;
  auto print = [&](char *at, size_t room) {
    return c.precision >= 0
               ? snprintf(at, room, format, width, c.precision, value)
               : snprintf(at, room, format, width, value);
  };
  const size_t before = to.size();
  to.resize(before + 64);
  errno = 0;
  int size = print(to.data() + before, 64);
  if (size >= 64) {
    to.resize(before + size_t(size) + 1);
    size = print(to.data() + before, size_t(size) + 1);
  }
  if (size < 0) {
    to.resize(before);
    return errno ? errno : ErrInvalid;
  }
  to.resize(before + size_t(size));
  return 0;
}

int appendInteger(std::string &to, const Conversion &c, uint64_t value) {
  if (c.letter == 'd' || c.letter == 'i') {
    const int shift = 64 - c.bits;
    return append(to, c, "ll", (long long)(int64_t(value << shift) >> shift));
  }
  if (c.bits < 64)
    value &= (uint64_t(1) << c.bits) - 1;
  return append(to, c, "ll", (unsigned long long)value);
}

bool alignsLeft(const Conversion &c) {
  bool left = false;
  for (uint8_t i = 0; i != c.flagCount; ++i)
    left |= c.flags[i] == '-';
  return left;
}

/// Appends text of known size, which may lack a zero byte.
int appendText(std::string &to, Conversion c, std::string_view text) {
  size_t size = text.size();
  if (c.precision >= 0 && size > size_t(c.precision))
    size = size_t(c.precision);
  const size_t width = c.width > 0 ? size_t(c.width) : 0;
  const size_t padding = width > size ? width - size : 0;
  const bool left = alignsLeft(c);
  if (!left)
    to.append(padding, ' ');
  to.append(text.substr(0, size));
  if (left)
    to.append(padding, ' ');
  return 0;
}

int appendLongDouble(std::string &to, const Conversion &c, Reader &arguments,
                     bool x87) {
  if (!x87) {
    double value;
    return arguments.read(value) ? append(to, c, "", value) : ErrInvalid;
  }
  unsigned char bytes[16];
  if (!arguments.read(bytes))
    return ErrInvalid;
  if constexpr (sizeof(long double) == 16) {
    long double value = 0;
    memcpy(&value, bytes, 10);
    return append(to, c, "L", value);
  }
  return ErrInvalid;
}

/// Reads the arguments for a width and a precision given as '*'.
int resolveStars(Conversion &c, Reader &arguments) {
  int64_t word = 0;
  auto star = [&] {
    return arguments.read(word) && word >= INT32_MIN && word <= INT32_MAX;
  };
  if (c.starWidth) {
    if (!star())
      return ErrInvalid;
    // A negative width means the flag '-' and a positive width.
    if (word < 0) {
      word = -word;
      if (!alignsLeft(c))
        c.flags[c.flagCount++] = '-';
    }
    c.width = word > MaxField ? MaxField + 1 : int32_t(word);
  }
  if (c.starPrecision) {
    if (!star())
      return ErrInvalid;
    c.precision = word < 0 ? -1 : int32_t(word);
  }
  const bool bounded = c.kind == Argument::Text || c.kind == Argument::WideText;
  if (c.width > MaxField || (c.precision > MaxField && !bounded))
    return ErrOverflow;
  return 0;
}

/// Prints a null text like the C library: "(null)" completely, or nothing.
int appendNullText(std::string &to, const Conversion &c) {
  return appendText(to, c, c.precision < 0 || c.precision >= 6 ? "(null)" : "");
}

/// Formats one conversion with its arguments.
int convert(std::string &to, Conversion c, Reader &arguments, bool x87) {
  if (int bad = resolveStars(c, arguments))
    return bad;
  int64_t word = 0;
  switch (c.kind) {
  case Argument::None:
    if (c.letter == '%')
      to += '%';
    else
      to.append(c.begin, c.end);
    return 0;
  case Argument::Int:
  case Argument::Long:
    return arguments.read(word) ? appendInteger(to, c, uint64_t(word))
                                : ErrInvalid;
  case Argument::Double: {
    double value;
    return arguments.read(value) ? append(to, c, "", value) : ErrInvalid;
  }
  case Argument::LongDouble:
    return appendLongDouble(to, c, arguments, x87);
  case Argument::Pointer:
    return arguments.read(word)
               ? append(to, c, "", reinterpret_cast<void *>(word))
               : ErrInvalid;
  case Argument::Character:
    c.precision = -1;
    return arguments.read(word) ? append(to, c, "", int(word)) : ErrInvalid;
  case Argument::WideCharacter:
    c.precision = -1;
    c.letter = 'c';
    return arguments.read(word) ? append(to, c, "l", wint_t(word)) : ErrInvalid;
  case Argument::ErrorText:
    // strerror_r, because %m must print the device's errno.
    c.letter = 'm';
    if (!arguments.read(word))
      return ErrInvalid;
    {
      char buffer[128];
      return appendText(to, c, strerror_r(int(word), buffer, sizeof buffer));
    }
  case Argument::Text: {
    uint64_t size;
    std::string_view text;
    if (!arguments.read(size))
      return ErrInvalid;
    if (size == NullText)
      return appendNullText(to, c);
    return arguments.bytes(size, text) ? appendText(to, c, text) : ErrInvalid;
  }
  case Argument::WideText: {
    uint64_t count;
    std::string_view bytes;
    c.letter = 's';
    if (!arguments.read(count))
      return ErrInvalid;
    if (count == NullText)
      return appendNullText(to, c);
    if (count > MaxText || !arguments.bytes(count * sizeof(wchar_t), bytes))
      return ErrInvalid;
    std::wstring text(count, 0);
    memcpy(text.data(), bytes.data(), bytes.size());
    return append(to, c, "l", text.c_str());
  }
  case Argument::Count:
    return 0;
  case Argument::Refused:
    break;
  }
  return ErrInvalid;
}
} // namespace

bool xcc::services::formatPrint(const Request &head, std::string_view format,
                                Reader arguments, std::string &to, int &error) {
  const char *at = format.data(), *const end = at + format.size();
  while (true) {
    Conversion c;
    const char *before = at;
    if (!nextConversion(at, end, c)) {
      to.append(before, end);
      return true;
    }
    to.append(before, c.begin);
    error = convert(to, c, arguments, head.c & PrintX87);
    if (!error && to.size() > MaxText)
      error = ErrOverflow;
    if (error)
      return false;
  }
}

void xcc::services::formatLanes(Lanes all) {
  std::string_view shared;
  for (Lane &l : all) {
    std::string_view format = shared;
    if (!(l.head.c & PrintSameFormat) && !l.rest.bytes(l.head.b, format)) {
      l.fail(ErrInvalid);
      continue;
    }
    if (&l == &all.front())
      shared = format;
    int error = 0;
    if (!formatPrint(l.head, format, l.rest, *l.out, error)) {
      l.out->clear();
      l.fail(error);
      continue;
    }
    l.answer = {int64_t(l.out->size()), 0};
  }
}

namespace {
/// Writes all of \p text to a file descriptor.
bool writeTo(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    text.remove_prefix(size_t(n));
  }
  return true;
}

/// Writes the lanes' texts in lane order. Neighbouring lanes with the same file
/// are one write. Lanes that failed before are skipped.
template <class F> void writeLanes(Files &files, Lanes all, F textOf) {
  std::string together;
  for (size_t i = 0, next; i < all.size(); i = next) {
    Lane &first = all[i];
    const bool direct = first.head.c & PrintDescriptor;
    together.clear();
    for (next = i; next != all.size(); ++next) {
      Lane &l = all[next];
      if (l.head.a != first.head.a ||
          bool(l.head.c & PrintDescriptor) != direct)
        break;
      if (!l.answer.error)
        together += textOf(l);
    }
    int error = 0;
    errno = 0;
    if (direct) {
      if (first.head.a > INT32_MAX || !writeTo(int(first.head.a), together))
        error = errno ? errno : ErrBadFile;
    } else if (Files::File to = files.find(first.head.a); !to) {
      error = ErrBadFile;
    } else {
      error = writeFile(*to, together);
    }
    if (error)
      for (size_t l = i; l != next; ++l)
        if (!all[l].answer.error)
          all[l].fail(error);
  }
}
} // namespace

void xcc_services::print(Lanes all) {
  formatLanes(all);
  writeLanes(files, all, [](Lane &l) -> std::string_view { return *l.out; });
  // The text was written; the reply does not contain it.
  for (Lane &l : all)
    l.out->clear();
}

void xcc_services::format(Lanes all) {
  formatLanes(all);
  for (Lane &l : all)
    if (l.out->size() > l.head.a)
      l.out->resize(l.head.a);
}

void xcc_services::write(Lanes all) {
  for (Lane &l : all) {
    l.head.c = 0;
    l.answer = {int64_t(l.rest.rest().size()), 0};
  }
  writeLanes(files, all, [](Lane &l) { return l.rest.rest(); });
}
