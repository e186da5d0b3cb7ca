// Sentences about launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_SENTENCE_H
#define XCC_SRC_SENTENCE_H

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace xcc::rt {

/// A sentence put together without allocations; what does not fit is cut.
class Sentence {
public:
  [[gnu::format(printf, 2, 3)]] void add(const char *Format, ...) {
    va_list Args;
    va_start(Args, Format);
    int More = vsnprintf(Buffer + Used, Size - Used, Format, Args);
    va_end(Args);
    if (More > 0)
      Used = size_t(More) < Size - Used ? Used + size_t(More) : Size - 1;
  }
  /// "kernel 'k' launched at a.cpp:3".
  void addLaunch(const char *Kernel, const char *File, uint32_t Line) {
    add("kernel '%s'", Kernel);
    if (File && *File)
      add(" launched at %s:%u", File, Line);
  }
  void addShape(const uint32_t Grid[3], const uint32_t Block[3]) {
    add("a grid of (%u, %u, %u) with blocks of (%u, %u, %u)", Grid[0], Grid[1],
        Grid[2], Block[0], Block[1], Block[2]);
  }
  const char *text() const { return Buffer; }

protected:
  Sentence(char *Buffer, size_t Size) : Buffer(Buffer), Size(Size) {}

private:
  char *Buffer;
  size_t Size, Used = 0;
};

template <size_t Room> class SentenceOf : public Sentence {
public:
  SentenceOf() : Sentence(Text, Room) {}
  SentenceOf(const SentenceOf &) = delete;
  SentenceOf &operator=(const SentenceOf &) = delete;

private:
  char Text[Room] = "";
};

} // namespace xcc::rt
#endif // XCC_SRC_SENTENCE_H
