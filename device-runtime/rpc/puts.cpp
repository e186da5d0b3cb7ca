// Characters and lines to files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "call.h"

using namespace xcc::device;

namespace {
uint64_t handle(void *File) { return reinterpret_cast<uint64_t>(File); }

/// How many bytes got written, all at once if they are at most MaxTransfer.
uint64_t write(uint64_t File, const char *Bytes, uint64_t Size,
               const char *More = nullptr, uint64_t MoreSize = 0) {
  uint64_t Done = 0;
  while (Size - Done > MaxTransfer) {
    Reply R =
        call(ServiceWrite, Message(File, 0, 0, Bytes + Done, MaxTransfer));
    if (checked(R) < int64_t(MaxTransfer))
      return R.Result > 0 ? Done + uint64_t(R.Result) : Done;
    Done += MaxTransfer;
  }
  int64_t N = checked(call(ServiceWrite, Message(File, 0, 0, Bytes + Done,
                                                 Size - Done, More, MoreSize)));
  return N > 0 ? Done + uint64_t(N) : Done;
}

int writeByte(int C, uint64_t File) {
  char Byte = char(C);
  return write(File, &Byte, 1) == 1 ? (unsigned char)C : -1;
}
} // namespace

XCC_SERVICE size_t fwrite(const void *Data, size_t Size, size_t Count,
                          void *File) {
  size_t Bytes;
  if (!Size || !Count)
    return 0;
  if (__builtin_mul_overflow(Size, Count, &Bytes)) {
    setErrno(ErrInvalid);
    return 0;
  }
  return write(handle(File), static_cast<const char *>(Data), Bytes) / Size;
}
XCC_SERVICE int fputs(const char *Text, void *File) {
  size_t Size = strlen(Text);
  return write(handle(File), Text, Size) == Size ? 1 : -1;
}
XCC_SERVICE int puts(const char *Text) {
  size_t Size = strlen(Text);
  return write(FileOut, Text, Size, "\n", 1) == Size + 1 ? 1 : -1;
}
XCC_SERVICE int putchar(int C) { return writeByte(C, FileOut); }
XCC_SERVICE int fputc(int C, void *File) { return writeByte(C, handle(File)); }
XCC_SERVICE int putc(int C, void *File) { return writeByte(C, handle(File)); }
