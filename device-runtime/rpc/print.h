// A printf call as a message
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device knows of a format only which arguments there are. The message
// (services/messages.h) is yielded piece by piece, so the list is walked twice:
// once for the size, once for the bytes.

#ifndef XCC_DEVICE_RPC_PRINT_H
#define XCC_DEVICE_RPC_PRINT_H

#include "call.h"
#include "rpc/services/format.h"

#include <stdarg.h>

namespace xcc::device {

class PrintMessage : public Source<PrintMessage> {
public:
  PrintMessage(uint64_t A, uint64_t Flags, const char *Format, va_list List)
      : Head{A, strlen(Format), Flags}, Format(Format) {
    if constexpr (sizeof(long double) > 8)
      Head.C |= PrintX87;
    restart(List);
    while (next() && !Refused)
      Total += Left;
    va_end(Arguments);
    restart(List);
  }
  ~PrintMessage() { va_end(Arguments); }

  /// The format has a conversion that is not done.
  bool refused() const { return Refused; }
  uint64_t size() const { return Total; }

  void meet(uint64_t Mask) {
    uint64_t P = reinterpret_cast<uint64_t>(Format);
    uint32_t Low = Lanes::broadcast(Mask, uint32_t(P));
    uint32_t High = Lanes::broadcast(Mask, uint32_t(P >> 32));
    bool Other = uint32_t(P) != Low || uint32_t(P >> 32) != High;
    if (Lanes::any(Mask, Other) || Lanes::first(Mask))
      return;
    Total -= Head.B;
    Head.B = 0;
    Head.C |= PrintSameFormat;
  }

  /// Not inlined: it has the reader of formats in it.
  [[gnu::noinline]] bool next() {
    switch (Stage) {
    case AtHead:
      Stage = AtFormat;
      return piece(&Head, sizeof Head);
    case AtFormat:
      Stage = AtArguments;
      return piece(Format, Head.B);
    case AtText:
      Stage = AtArguments;
      return piece(Text, TextSize);
    case AtArguments:
      break;
    }
    Conversion C;
    while (nextConversion(At, End, C)) {
      Count = 0;
      if (C.StarWidth)
        word(uint64_t(int64_t(va_arg(Arguments, int))));
      if (C.StarPrecision) {
        C.Precision = va_arg(Arguments, int);
        word(uint64_t(int64_t(C.Precision)));
      }
      take(C);
      if (Count)
        return piece(Words, Count * sizeof(uint64_t));
    }
    return false;
  }

private:
  enum : uint8_t { AtHead, AtFormat, AtArguments, AtText } Stage;

  void restart(va_list List) {
    Stage = AtHead;
    Left = 0;
    At = Format;
    End = Format + Head.B;
    va_copy(Arguments, List);
  }
  bool piece(const void *From, uint64_t Size) {
    Piece = static_cast<const char *>(From);
    Left = Size;
    return true;
  }
  void word(uint64_t W) { Words[Count++] = W; }

  void take(const Conversion &C) {
    switch (C.Kind) {
    case Argument::None:
      return;
    case Argument::Int:
    case Argument::Character:
      return word(uint64_t(int64_t(va_arg(Arguments, int))));
    case Argument::WideCharacter:
      return word(va_arg(Arguments, unsigned));
    case Argument::Long:
      return word(va_arg(Arguments, unsigned long));
    case Argument::Pointer:
      return word(reinterpret_cast<uint64_t>(va_arg(Arguments, void *)));
    case Argument::Double: {
      double D = va_arg(Arguments, double);
      memcpy(Words + Count++, &D, sizeof D);
      return;
    }
    case Argument::LongDouble: {
      long double D = va_arg(Arguments, long double);
      Words[Count + (sizeof D > 8)] = 0;
      memcpy(Words + Count, &D, sizeof D > 8 ? 10 : 8);
      Count += sizeof D > 8 ? 2 : 1;
      return;
    }
    case Argument::ErrorText:
      return word(uint64_t(int64_t(*__errno_location())));
    case Argument::Text:
      return text(va_arg(Arguments, const char *), C.Precision);
    case Argument::WideText:
      return text(va_arg(Arguments, const wchar_t *), C.Precision);
    case Argument::Refused:
      Refused = true;
      return;
    }
  }

  /// Text up to its end, and no further than a precision lets it be read.
  template <class T> void text(const T *From, int32_t Precision) {
    if (!From)
      return word(NullText);
    uint64_t Limit = Precision < 0 ? Most : uint64_t(Precision), N = 0;
    while (N != Limit && From[N])
      ++N;
    word(N);
    if (!N)
      return;
    Text = From;
    TextSize = N * sizeof(T);
    Stage = AtText;
  }

  Request Head;
  const char *Format, *At, *End;
  const void *Text = nullptr;
  uint64_t TextSize = 0, Total = 0;
  uint64_t Words[4];
  uint32_t Count = 0;
  bool Refused = false;
  va_list Arguments;
};

} // namespace xcc::device

/// vfprintf, vdprintf: the number of characters, or -1. noinline: one scanner
/// for all of them.
extern "C" int __xcc_print(uint64_t File, uint64_t Flags, const char *Format,
                           va_list Arguments);
/// vsnprintf.
extern "C" int __xcc_format(char *To, uint64_t Size, const char *Format,
                            va_list Arguments);

#endif // XCC_DEVICE_RPC_PRINT_H
