// scanf and its family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host parses the format and the input (services/scan.cpp); this file
// stores the results. All arguments are pointers, so the argument that the host
// names is found by counting.

#include "call.h"
#include "malloc.h"
#include "streams.h"

#include <stdarg.h>

using namespace xcc::device;

namespace {
/// Stores the reply through the caller's pointers.
class Stores {
public:
  explicit Stores(va_list list) { va_copy(arguments, list); }
  ~Stores() { va_end(arguments); }

  void write(const unsigned char *from, uint64_t n) {
    while (n) {
      if (left) {
        uint64_t piece = n < left ? n : left;
        if (to)
          memcpy(to, from, piece);
        to += to ? piece : 0;
        left -= piece;
        from += piece;
        n -= piece;
        continue;
      }
      bytes[got++] = *from++;
      --n;
      if (got == sizeof(ScanStore))
        begin();
    }
  }

private:
  void begin() {
    ScanStore head;
    memcpy(&head, bytes, sizeof head);
    got = 0;
    left = head.size;
    to = static_cast<char *>(pointer(head.argument));
    if (head.allocate) {
      auto **place = reinterpret_cast<char **>(to);
      *place = to = static_cast<char *>(__xcc_allocate(left, 16));
    }
  }
  void *pointer(uint32_t number) {
    va_list list;
    va_copy(list, arguments);
    void *found = va_arg(list, void *);
    while (number--)
      found = va_arg(list, void *);
    va_end(list);
    return found;
  }

  va_list arguments;
  unsigned char bytes[sizeof(ScanStore)];
  uint64_t got = 0, left = 0;
  char *to = nullptr;
};

[[gnu::noinline]] int scan(uint64_t file, const char *text, const char *format,
                           va_list arguments) {
  uint64_t flags =
      (text ? ScanText : 0) | (sizeof(long double) > 8 ? ScanX87 : 0);
  uint64_t size = strlen(format);
  Message m(file, size, flags, format, size, text, text ? strlen(text) : 0);
  Stores stores(arguments);
  return int(checked(call(ServiceScan, m, stores)));
}
} // namespace

// Defined under C's names and under the names that the GNU C library's headers
// use for C99's and C23's functions.
#define XCC_SCANS(prefix)                                                      \
  XCC_SERVICE int prefix##vfscanf(void *file, const char *format,              \
                                  va_list list) {                              \
    return scan(handle(file), nullptr, format, list);                          \
  }                                                                            \
  XCC_SERVICE int prefix##vscanf(const char *format, va_list list) {           \
    return scan(FileIn, nullptr, format, list);                                \
  }                                                                            \
  XCC_SERVICE int prefix##vsscanf(const char *text, const char *format,        \
                                  va_list list) {                              \
    return scan(0, text, format, list);                                        \
  }                                                                            \
  XCC_SERVICE int prefix##fscanf(void *file, const char *format, ...) {        \
    XCC_FORWARD(format, scan(handle(file), nullptr, format, list));            \
  }                                                                            \
  XCC_SERVICE int prefix##scanf(const char *format, ...) {                     \
    XCC_FORWARD(format, scan(FileIn, nullptr, format, list));                  \
  }                                                                            \
  XCC_SERVICE int prefix##sscanf(const char *text, const char *format, ...) {  \
    XCC_FORWARD(format, scan(0, text, format, list));                          \
  }
XCC_SCANS()
XCC_SCANS(__isoc99_)
XCC_SCANS(__isoc23_)
