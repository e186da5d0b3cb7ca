// A printf call as a message
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device code only finds the arguments of a format; the host formats. The
// message (services/messages.h) is yielded piece by piece, so the argument list
// is walked twice: once for the size, once for the bytes.

#ifndef XCC_DEVICE_RPC_PRINT_H
#define XCC_DEVICE_RPC_PRINT_H

#include "call.h"
#include "rpc/services/format.h"

#include <stdarg.h>

namespace xcc::device {

class PrintMessage : public Source<PrintMessage> {
public:
  PrintMessage(uint64_t a, uint64_t flags, const char *format, va_list list)
      : PrintMessage(a, flags, format, strlen(format), list) {}
  PrintMessage(uint64_t a, uint64_t flags, const char *format, uint64_t length,
               va_list list)
      : head{a, length, flags}, format(format) {
    if constexpr (sizeof(long double) > 8)
      head.c |= PrintX87;
    va_copy(all, list);
    restart(list);
    while (next() && !refused_)
      total += left;
    walked = true;
    va_end(arguments);
    restart(list);
  }
  ~PrintMessage() {
    va_end(arguments);
    va_end(all);
  }

  /// Whether the format has an unsupported conversion.
  bool refused() const { return refused_; }
  uint64_t size() const { return total; }

  /// Whether the format has a %n; writeCount stores to the last one.
  bool counts() const { return countTo; }
  void writeCount(int64_t characters) const {
    switch (countBits) {
    case 8:
      *static_cast<int8_t *>(countTo) = int8_t(characters);
      return;
    case 16:
      *static_cast<int16_t *>(countTo) = int16_t(characters);
      return;
    case 64:
      *static_cast<int64_t *>(countTo) = characters;
      return;
    default:
      *static_cast<int32_t *>(countTo) = int32_t(characters);
    }
  }

  void meet(uint64_t mask) {
    uint64_t p = reinterpret_cast<uint64_t>(format);
    uint32_t low = Lanes::broadcast(mask, uint32_t(p));
    uint32_t high = Lanes::broadcast(mask, uint32_t(p >> 32));
    bool other = uint32_t(p) != low || uint32_t(p >> 32) != high;
    if (Lanes::any(mask, other) || Lanes::first(mask))
      return;
    total -= head.b;
    head.b = 0;
    head.c |= PrintSameFormat;
  }

  /// Not inlined, because it contains the format parser.
  [[gnu::noinline]] bool next() {
    switch (stage) {
    case AtHead:
      stage = AtFormat;
      return give(&head, sizeof head);
    case AtFormat:
      stage = AtArguments;
      return give(format, head.b);
    case AtText:
      stage = AtArguments;
      return give(text_, textSize);
    case AtArguments:
      break;
    }
    Conversion c;
    while (nextConversion(at, end, c)) {
      count = 0;
      if (c.starWidth) {
        seek(c.widthArgument);
        word(uint64_t(int64_t(va_arg(arguments, int))));
      }
      if (c.starPrecision) {
        seek(c.precisionArgument);
        c.precision = va_arg(arguments, int);
        word(uint64_t(int64_t(c.precision)));
      }
      seek(c.argument);
      take(c);
      if (count)
        return give(words, count * sizeof(uint64_t));
    }
    return false;
  }

private:
  enum : uint8_t { AtHead, AtFormat, AtArguments, AtText } stage;

  void restart(va_list list) {
    stage = AtHead;
    left = 0;
    at = format;
    end = format + head.b;
    va_copy(arguments, list);
  }
  bool give(const void *from, uint64_t size) {
    piece = static_cast<const char *>(from);
    left = size;
    return true;
  }
  void word(uint64_t w) { words[count++] = w; }

  /// Moves to argument \p number, unless it is 0.
  void seek(int32_t number) {
    if (!number)
      return;
    va_end(arguments);
    va_copy(arguments, all);
    for (int32_t before = 1; before != number && !refused_; ++before)
      skip(kindOf(before));
  }
  /// The type that the format uses for an argument. Each argument must be used,
  /// because nothing else tells its size.
  Argument kindOf(int32_t number) const {
    Conversion c;
    for (const char *from = format; nextConversion(from, end, c);) {
      if (c.argument == number)
        return c.kind;
      if (c.widthArgument == number || c.precisionArgument == number)
        return Argument::Int;
    }
    return Argument::Refused;
  }
  void skip(Argument kind) {
    switch (kind) {
    case Argument::None:
    case Argument::ErrorText:
      return;
    case Argument::Int:
    case Argument::Character:
    case Argument::WideCharacter:
      va_arg(arguments, int);
      return;
    case Argument::Long:
      va_arg(arguments, long);
      return;
    case Argument::Double:
      va_arg(arguments, double);
      return;
    case Argument::LongDouble:
      va_arg(arguments, long double);
      return;
    case Argument::Pointer:
    case Argument::Text:
    case Argument::WideText:
    case Argument::Count:
      va_arg(arguments, void *);
      return;
    case Argument::Refused:
      refused_ = true;
    }
  }

  void take(const Conversion &c) {
    switch (c.kind) {
    case Argument::None:
      return;
    case Argument::Int:
    case Argument::Character:
      return word(uint64_t(int64_t(va_arg(arguments, int))));
    case Argument::WideCharacter:
      return word(va_arg(arguments, unsigned));
    case Argument::Long:
      return word(va_arg(arguments, unsigned long));
    case Argument::Pointer:
      return word(reinterpret_cast<uint64_t>(va_arg(arguments, void *)));
    case Argument::Double: {
      double d = va_arg(arguments, double);
      memcpy(words + count++, &d, sizeof d);
      return;
    }
    case Argument::LongDouble: {
      long double d = va_arg(arguments, long double);
      words[count + (sizeof d > 8)] = 0;
      memcpy(words + count, &d, sizeof d > 8 ? 10 : 8);
      count += sizeof d > 8 ? 2 : 1;
      return;
    }
    case Argument::ErrorText:
      return word(uint64_t(int64_t(*__errno_location())));
    case Argument::Count:
      if (void *to = va_arg(arguments, void *); !walked) {
        countTo = to;
        countBits = c.bits;
      }
      return;
    case Argument::Text:
      return text(va_arg(arguments, const char *), c.precision);
    case Argument::WideText:
      return text(va_arg(arguments, const wchar_t *), c.precision);
    case Argument::Refused:
      refused_ = true;
      return;
    }
  }

  /// Sends a string up to its end, reading at most \p precision characters.
  template <class T> void text(const T *from, int32_t precision) {
    if (!from)
      return word(NullText);
    uint64_t limit = precision < 0 ? Most : uint64_t(precision), n = 0;
    while (n != limit && from[n])
      ++n;
    word(n);
    if (!n)
      return;
    text_ = from;
    textSize = n * sizeof(T);
    stage = AtText;
  }

  Request head;
  const char *format, *at, *end;
  const void *text_ = nullptr;
  uint64_t textSize = 0, total = 0;
  uint64_t words[4];
  uint32_t count = 0;
  bool refused_ = false;
  bool walked = false; ///< the whole format was walked once
  uint8_t countBits = 0;
  void *countTo = nullptr;
  va_list arguments, all;
};

} // namespace xcc::device

/// Implements vfprintf and vdprintf. Returns the number of characters, or -1.
/// Not inlined, so that there is one format parser for all calls.
extern "C" int __xcc_print(uint64_t file, uint64_t flags, const char *format,
                           va_list arguments);
/// Implements vsnprintf.
extern "C" int __xcc_format(char *to, uint64_t size, const char *format,
                            va_list arguments);

#endif // XCC_DEVICE_RPC_PRINT_H
