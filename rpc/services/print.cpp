// printf: formatting, and writing in lane order
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each conversion is done by the C library's snprintf, with a format that is
// made here from what the message's was read to mean, and with one argument of
// the type that goes with it. Nothing of the message reaches snprintf as it is.

#include "format.h"
#include "services_impl.h"

#include <cerrno>
#include <unistd.h>

using namespace xcc::services;

namespace {
/// Larger widths, precisions and texts are refused: a device asks for memory of
/// the host here.
constexpr int MaxField = 1 << 20;
constexpr size_t MaxText = size_t(64) << 20;

/// Appends what snprintf says; an errno, 0 when all is well.
template <class T>
int append(std::string &To, const Conversion &C, const char *Length, T Value) {
  char Format[32], *F = Format;
  *F++ = '%';
  for (uint8_t I = 0; I != C.FlagCount; ++I)
    *F++ = C.Flags[I];
  *F++ = '*';
  if (C.Precision >= 0) {
    *F++ = '.';
    *F++ = '*';
  }
  while (*Length)
    *F++ = *Length++;
  *F++ = C.Letter;
  *F = 0;
  const int Width = C.Width > 0 ? C.Width : 0;
  auto print = [&](char *At, size_t Room) {
    return C.Precision >= 0
               ? snprintf(At, Room, Format, Width, C.Precision, Value)
               : snprintf(At, Room, Format, Width, Value);
  };
  const size_t Before = To.size();
  To.resize(Before + 64);
  errno = 0;
  int Size = print(To.data() + Before, 64);
  if (Size >= 64) {
    To.resize(Before + size_t(Size) + 1);
    Size = print(To.data() + Before, size_t(Size) + 1);
  }
  if (Size < 0) {
    To.resize(Before);
    return errno ? errno : ErrInvalid;
  }
  To.resize(Before + size_t(Size));
  return 0;
}

int appendInteger(std::string &To, const Conversion &C, uint64_t Value) {
  if (C.Letter == 'd' || C.Letter == 'i') {
    const int Shift = 64 - C.Bits;
    return append(To, C, "ll", (long long)(int64_t(Value << Shift) >> Shift));
  }
  if (C.Bits < 64)
    Value &= (uint64_t(1) << C.Bits) - 1;
  return append(To, C, "ll", (unsigned long long)Value);
}

/// Text of known size, which may have no zero byte at its end.
int appendText(std::string &To, Conversion C, std::string_view Text) {
  size_t Size = Text.size();
  if (C.Precision >= 0 && Size > size_t(C.Precision))
    Size = size_t(C.Precision);
  const size_t Width = C.Width > 0 ? size_t(C.Width) : 0;
  const size_t Padding = Width > Size ? Width - Size : 0;
  bool Left = false;
  for (uint8_t I = 0; I != C.FlagCount; ++I)
    Left |= C.Flags[I] == '-';
  if (!Left)
    To.append(Padding, ' ');
  To.append(Text.substr(0, Size));
  if (Left)
    To.append(Padding, ' ');
  return 0;
}

int appendLongDouble(std::string &To, const Conversion &C, Reader &Arguments,
                     bool X87) {
  if (!X87) {
    double Value;
    return Arguments.read(Value) ? append(To, C, "", Value) : ErrInvalid;
  }
  unsigned char Bytes[16];
  if (!Arguments.read(Bytes))
    return ErrInvalid;
  if constexpr (sizeof(long double) == 16) {
    long double Value = 0;
    memcpy(&Value, Bytes, 10);
    return append(To, C, "L", Value);
  }
  return ErrInvalid;
}

/// One conversion with its arguments.
int convert(std::string &To, Conversion C, Reader &Arguments, bool X87) {
  int64_t Word = 0;
  auto star = [&] {
    return Arguments.read(Word) && Word >= INT32_MIN && Word <= INT32_MAX;
  };
  if (C.StarWidth) {
    if (!star())
      return ErrInvalid;
    // A negative width is the flag '-' and a width.
    if (Word < 0) {
      Word = -Word;
      bool Left = false;
      for (uint8_t I = 0; I != C.FlagCount; ++I)
        Left |= C.Flags[I] == '-';
      if (!Left)
        C.Flags[C.FlagCount++] = '-';
    }
    C.Width = Word > MaxField ? MaxField + 1 : int32_t(Word);
  }
  if (C.StarPrecision) {
    if (!star())
      return ErrInvalid;
    C.Precision = Word < 0 ? -1 : int32_t(Word);
  }
  const bool Bounded = C.Kind == Argument::Text || C.Kind == Argument::WideText;
  if (C.Width > MaxField || (C.Precision > MaxField && !Bounded))
    return ErrOverflow;

  switch (C.Kind) {
  case Argument::None:
    if (C.Letter == '%')
      To += '%';
    else
      To.append(C.Begin, C.End);
    return 0;
  case Argument::Int:
  case Argument::Long:
    return Arguments.read(Word) ? appendInteger(To, C, uint64_t(Word))
                                : ErrInvalid;
  case Argument::Double: {
    double Value;
    return Arguments.read(Value) ? append(To, C, "", Value) : ErrInvalid;
  }
  case Argument::LongDouble:
    return appendLongDouble(To, C, Arguments, X87);
  case Argument::Pointer:
    return Arguments.read(Word)
               ? append(To, C, "", reinterpret_cast<void *>(Word))
               : ErrInvalid;
  case Argument::Character:
    C.Precision = -1;
    return Arguments.read(Word) ? append(To, C, "", int(Word)) : ErrInvalid;
  case Argument::WideCharacter:
    C.Precision = -1;
    C.Letter = 'c';
    return Arguments.read(Word) ? append(To, C, "l", wint_t(Word)) : ErrInvalid;
  case Argument::ErrorText:
    // strerror as the C library's %m says it.
    C.Letter = 'm';
    if (!Arguments.read(Word))
      return ErrInvalid;
    {
      char Buffer[128];
      return appendText(To, C, strerror_r(int(Word), Buffer, sizeof Buffer));
    }
  case Argument::Text: {
    uint64_t Size;
    std::string_view Text;
    if (!Arguments.read(Size))
      return ErrInvalid;
    if (Size == NullText) // as the C library, which does not print a part
      return appendText(To, C,
                        C.Precision < 0 || C.Precision >= 6 ? "(null)" : "");
    return Arguments.bytes(Size, Text) ? appendText(To, C, Text) : ErrInvalid;
  }
  case Argument::WideText: {
    uint64_t Count;
    std::string_view Bytes;
    C.Letter = 's';
    if (!Arguments.read(Count))
      return ErrInvalid;
    if (Count == NullText)
      return appendText(To, C,
                        C.Precision < 0 || C.Precision >= 6 ? "(null)" : "");
    if (Count > MaxText || !Arguments.bytes(Count * sizeof(wchar_t), Bytes))
      return ErrInvalid;
    std::wstring Text(Count, 0);
    memcpy(Text.data(), Bytes.data(), Bytes.size());
    return append(To, C, "l", Text.c_str());
  }
  case Argument::Refused:
    break;
  }
  return ErrInvalid;
}
} // namespace

bool xcc::services::formatPrint(const Request &Head, std::string_view Format,
                                Reader Arguments, std::string &To, int &Error) {
  const char *At = Format.data(), *const End = At + Format.size();
  while (true) {
    Conversion C;
    const char *Before = At;
    if (!nextConversion(At, End, C)) {
      To.append(Before, End);
      return true;
    }
    To.append(Before, C.Begin);
    Error = convert(To, C, Arguments, Head.C & PrintX87);
    if (!Error && To.size() > MaxText)
      Error = ErrOverflow;
    if (Error)
      return false;
  }
}

void xcc::services::formatLanes(Lanes All) {
  std::string_view Shared;
  for (Lane &L : All) {
    std::string_view Format = Shared;
    if (!(L.Head.C & PrintSameFormat) && !L.Rest.bytes(L.Head.B, Format)) {
      L.fail(ErrInvalid);
      continue;
    }
    if (&L == &All.front())
      Shared = Format;
    int Error = 0;
    if (!formatPrint(L.Head, Format, L.Rest, *L.Out, Error)) {
      L.Out->clear();
      L.fail(Error);
      continue;
    }
    L.Answer = {int64_t(L.Out->size()), 0};
  }
}

namespace {
/// Writes all of it to a file descriptor.
bool writeTo(int Descriptor, std::string_view Text) {
  while (!Text.empty()) {
    ssize_t N = ::write(Descriptor, Text.data(), Text.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0)
      return false;
    Text.remove_prefix(size_t(N));
  }
  return true;
}

/// Writes lanes' texts in lane order; neighbours with the same file in one
/// piece. Lanes that failed already are left out.
template <class F> void writeLanes(Files &Files, Lanes All, F textOf) {
  std::string Together;
  for (size_t I = 0, Next; I < All.size(); I = Next) {
    Lane &First = All[I];
    const bool Direct = First.Head.C & PrintDescriptor;
    Together.clear();
    for (Next = I; Next != All.size(); ++Next) {
      Lane &L = All[Next];
      if (L.Head.A != First.Head.A ||
          bool(L.Head.C & PrintDescriptor) != Direct)
        break;
      if (!L.Answer.Error)
        Together += textOf(L);
    }
    int Error = 0;
    errno = 0;
    if (Direct) {
      if (First.Head.A > INT32_MAX || !writeTo(int(First.Head.A), Together))
        Error = errno ? errno : ErrBadFile;
    } else if (Files::File To = Files.find(First.Head.A); !To) {
      Error = ErrBadFile;
    } else {
      Error = writeFile(*To, Together);
    }
    if (Error)
      for (size_t L = I; L != Next; ++L)
        if (!All[L].Answer.Error)
          All[L].fail(Error);
  }
}
} // namespace

void xcc_services::print(Lanes All) {
  formatLanes(All);
  writeLanes(Files, All, [](Lane &L) -> std::string_view { return *L.Out; });
  // The text stays here.
  for (Lane &L : All)
    L.Out->clear();
}

void xcc_services::format(Lanes All) {
  formatLanes(All);
  for (Lane &L : All)
    if (L.Out->size() > L.Head.A)
      L.Out->resize(L.Head.A);
}

void xcc_services::write(Lanes All) {
  for (Lane &L : All) {
    L.Head.C = 0;
    L.Answer = {int64_t(L.Rest.rest().size()), 0};
  }
  writeLanes(Files, All, [](Lane &L) { return L.Rest.rest(); });
}
