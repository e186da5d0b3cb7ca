// Files of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A FILE * of device code is a number assigned by the host, never an address.
// The host holds the buffers and positions.

#include "call.h"
#include "streams.h"

using namespace xcc::device;

namespace {
int status(Service op, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
  return int(checked(call(op, Message(a, b, c))));
}

uint64_t read(void *file, char *to, uint64_t size) {
  uint64_t done = 0;
  while (done != size) {
    uint64_t want = size - done < MaxTransfer ? size - done : MaxTransfer;
    Buffer got{to + done, want};
    Message m(handle(file), want);
    int64_t n = checked(call(ServiceRead, m, got));
    done += got.size;
    if (n < int64_t(want))
      break;
  }
  return done;
}

void *open(const char *name, const char *mode) {
  uint64_t size = strlen(name);
  int64_t file = checked(
      call(ServiceOpen, Message(size, 0, 0, name, size, mode, strlen(mode))));
  return file > 0 ? fileOf(uint64_t(file)) : nullptr;
}

int readByte(void *file) {
  char byte;
  return read(file, &byte, 1) ? (unsigned char)byte : -1;
}
} // namespace

extern "C" {
[[gnu::weak]] void *stdin = (void *)FileIn;
[[gnu::weak]] void *stdout = (void *)FileOut;
[[gnu::weak]] void *stderr = (void *)FileError;
}

XCC_SERVICE void *fopen(const char *name, const char *mode) {
  return open(name, mode);
}
XCC_SERVICE void *fopen64(const char *name, const char *mode) {
  return open(name, mode);
}
XCC_SERVICE int fclose(void *file) {
  return status(ServiceClose, handle(file));
}

XCC_SERVICE size_t fread(void *to, size_t size, size_t count, void *file) {
  const size_t bytes = bytesOf(size, count);
  return bytes ? read(file, static_cast<char *>(to), bytes) / size : 0;
}
XCC_SERVICE char *fgets(char *to, int size, void *file) {
  if (size <= 0)
    return nullptr;
  uint64_t room = uint64_t(size) - 1, done = 0;
  while (done != room) {
    uint64_t want = room - done < MaxTransfer ? room - done : MaxTransfer;
    Buffer got{to + done, want};
    Message m(handle(file), want);
    if (checked(call(ServiceReadLine, m, got)) < 0)
      return nullptr;
    done += got.size;
    if (got.size != want || to[done - 1] == '\n')
      break;
  }
  to[done] = 0;
  return done || !room ? to : nullptr;
}
XCC_SERVICE int fgetc(void *file) { return readByte(file); }
XCC_SERVICE int getc(void *file) { return readByte(file); }
XCC_SERVICE int getchar() { return readByte(fileOf(FileIn)); }
XCC_SERVICE int ungetc(int c, void *file) {
  if (c == -1)
    return -1;
  return status(ServiceUnread, handle(file), (unsigned char)c);
}

XCC_SERVICE int fseek(void *file, long offset, int whence) {
  return status(ServiceSeek, handle(file), uint64_t(offset), uint64_t(whence));
}
XCC_SERVICE int fseeko(void *file, long offset, int whence) {
  return status(ServiceSeek, handle(file), uint64_t(offset), uint64_t(whence));
}
XCC_SERVICE long ftell(void *file) {
  return checked(call(ServiceTell, Message(handle(file))));
}
XCC_SERVICE long ftello(void *file) {
  return checked(call(ServiceTell, Message(handle(file))));
}
XCC_SERVICE void rewind(void *file) {
  status(ServiceSeek, handle(file), 0, 0);
  status(ServiceFileState, handle(file), QueryClear);
}
XCC_SERVICE int fflush(void *file) {
  return status(ServiceFlush, handle(file));
}
XCC_SERVICE int feof(void *file) {
  return status(ServiceFileState, handle(file), QueryEnd);
}
XCC_SERVICE int ferror(void *file) {
  return status(ServiceFileState, handle(file), QueryError);
}
XCC_SERVICE void clearerr(void *file) {
  status(ServiceFileState, handle(file), QueryClear);
}

XCC_SERVICE int remove(const char *name) {
  return int(
      checked(call(ServiceRemove, Message(0, 0, 0, name, strlen(name)))));
}
XCC_SERVICE int rename(const char *from, const char *to) {
  uint64_t size = strlen(from);
  return int(checked(
      call(ServiceRename, Message(size, 0, 0, from, size, to, strlen(to)))));
}
