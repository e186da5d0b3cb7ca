// Output of characters and lines to files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"
#include "streams.h"

using namespace xcc::device;

namespace {
/// Returns the number of bytes written. Up to MaxTransfer bytes are one write.
uint64_t write(uint64_t file, const char *bytes, uint64_t size,
               const char *more = nullptr, uint64_t moreSize = 0) {
  uint64_t done = 0;
  while (size - done > MaxTransfer) {
    Reply r =
        call(ServiceWrite, Message(file, 0, 0, bytes + done, MaxTransfer));
    if (checked(r) < int64_t(MaxTransfer))
      return r.result > 0 ? done + uint64_t(r.result) : done;
    done += MaxTransfer;
  }
  int64_t n = checked(call(ServiceWrite, Message(file, 0, 0, bytes + done,
                                                 size - done, more, moreSize)));
  return n > 0 ? done + uint64_t(n) : done;
}

int writeByte(int c, uint64_t file) {
  char byte = char(c);
  return write(file, &byte, 1) == 1 ? (unsigned char)c : -1;
}
} // namespace

XCC_SERVICE size_t fwrite(const void *data, size_t size, size_t count,
                          void *file) {
  const size_t bytes = bytesOf(size, count);
  return bytes ? write(handle(file), static_cast<const char *>(data), bytes) /
                     size
               : 0;
}
XCC_SERVICE int fputs(const char *text, void *file) {
  size_t size = strlen(text);
  return write(handle(file), text, size) == size ? 1 : -1;
}
XCC_SERVICE int puts(const char *text) {
  size_t size = strlen(text);
  return write(FileOut, text, size, "\n", 1) == size + 1 ? 1 : -1;
}
XCC_SERVICE int putchar(int c) { return writeByte(c, FileOut); }
XCC_SERVICE int fputc(int c, void *file) { return writeByte(c, handle(file)); }
XCC_SERVICE int putc(int c, void *file) { return writeByte(c, handle(file)); }
