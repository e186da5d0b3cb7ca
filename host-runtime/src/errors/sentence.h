// Messages about launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_ERRORS_SENTENCE_H
#define XCC_SRC_ERRORS_SENTENCE_H

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace xcc::rt {

/// Builds a message without allocations; cuts off what does not fit.
class Sentence {
public:
  [[gnu::format(printf, 2, 3)]] void add(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int more = vsnprintf(buffer + used, size - used, format, args);
    va_end(args);
    if (more > 0)
      used = size_t(more) < size - used ? used + size_t(more) : size - 1;
  }
  /// "kernel 'k' launched at a.cpp:3".
  void addLaunch(const char *kernel, const char *file, uint32_t line) {
    add("kernel '%s'", kernel);
    if (file && *file)
      add(" launched at %s:%u", file, line);
  }
  void addShape(const uint32_t grid[3], const uint32_t block[3]) {
    add("a grid of (%u, %u, %u) with blocks of (%u, %u, %u)", grid[0], grid[1],
        grid[2], block[0], block[1], block[2]);
  }
  const char *text() const { return buffer; }
  /// The position of the next text.
  const char *end() const { return buffer + used; }

protected:
  Sentence(char *buffer, size_t size) : buffer(buffer), size(size) {}

private:
  char *buffer;
  size_t size, used = 0;
};

template <size_t Room> class SentenceOf : public Sentence {
public:
  SentenceOf() : Sentence(text_, Room) { *text_ = 0; }
  SentenceOf(const SentenceOf &) = delete;
  SentenceOf &operator=(const SentenceOf &) = delete;

private:
  // Not initialised by "": Clang 22 then uses the size of another instance.
  char text_[Room];
};

} // namespace xcc::rt
#endif // XCC_SRC_ERRORS_SENTENCE_H
