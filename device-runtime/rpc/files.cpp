// Files of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A FILE * of the device is a number that the host gave out, never an address.
// Buffers and positions are the host's.

#include "call.h"

using namespace xcc::device;

namespace {
uint64_t handle(void *File) { return reinterpret_cast<uint64_t>(File); }
void *fileOf(uint64_t Handle) { return reinterpret_cast<void *>(Handle); }

int status(Service Op, uint64_t A, uint64_t B = 0, uint64_t C = 0) {
  return int(checked(call(Op, Message(A, B, C))));
}

uint64_t read(void *File, char *To, uint64_t Size) {
  uint64_t Done = 0;
  while (Done != Size) {
    uint64_t Want = Size - Done < MaxTransfer ? Size - Done : MaxTransfer;
    Buffer Got{To + Done, Want};
    Message M(handle(File), Want);
    int64_t N = checked(call(ServiceRead, M, Got));
    Done += Got.Size;
    if (N < int64_t(Want))
      break;
  }
  return Done;
}

int readByte(void *File) {
  char Byte;
  return read(File, &Byte, 1) ? (unsigned char)Byte : -1;
}
} // namespace

extern "C" {
[[gnu::weak]] void *stdin = (void *)FileIn;
[[gnu::weak]] void *stdout = (void *)FileOut;
[[gnu::weak]] void *stderr = (void *)FileError;
}

XCC_SERVICE void *fopen(const char *Name, const char *Mode) {
  uint64_t Size = strlen(Name);
  int64_t File = checked(
      call(ServiceOpen, Message(Size, 0, 0, Name, Size, Mode, strlen(Mode))));
  return File > 0 ? fileOf(uint64_t(File)) : nullptr;
}
XCC_SERVICE void *fopen64(const char *Name, const char *Mode) {
  uint64_t Size = strlen(Name);
  int64_t File = checked(
      call(ServiceOpen, Message(Size, 0, 0, Name, Size, Mode, strlen(Mode))));
  return File > 0 ? fileOf(uint64_t(File)) : nullptr;
}
XCC_SERVICE int fclose(void *File) {
  return status(ServiceClose, handle(File));
}

XCC_SERVICE size_t fread(void *To, size_t Size, size_t Count, void *File) {
  size_t Bytes;
  if (!Size || !Count)
    return 0;
  if (__builtin_mul_overflow(Size, Count, &Bytes)) {
    setErrno(ErrInvalid);
    return 0;
  }
  return read(File, static_cast<char *>(To), Bytes) / Size;
}
XCC_SERVICE char *fgets(char *To, int Size, void *File) {
  if (Size <= 0)
    return nullptr;
  uint64_t Room = uint64_t(Size) - 1, Done = 0;
  while (Done != Room) {
    uint64_t Want = Room - Done < MaxTransfer ? Room - Done : MaxTransfer;
    Buffer Got{To + Done, Want};
    Message M(handle(File), Want);
    if (checked(call(ServiceReadLine, M, Got)) < 0)
      return nullptr;
    Done += Got.Size;
    if (Got.Size != Want || To[Done - 1] == '\n')
      break;
  }
  To[Done] = 0;
  return Done || !Room ? To : nullptr;
}
XCC_SERVICE int fgetc(void *File) { return readByte(File); }
XCC_SERVICE int getc(void *File) { return readByte(File); }
XCC_SERVICE int getchar() { return readByte(fileOf(FileIn)); }
XCC_SERVICE int ungetc(int C, void *File) {
  if (C == -1)
    return -1;
  return status(ServiceUnread, handle(File), (unsigned char)C);
}

XCC_SERVICE int fseek(void *File, long Offset, int Whence) {
  return status(ServiceSeek, handle(File), uint64_t(Offset), uint64_t(Whence));
}
XCC_SERVICE int fseeko(void *File, long Offset, int Whence) {
  return status(ServiceSeek, handle(File), uint64_t(Offset), uint64_t(Whence));
}
XCC_SERVICE long ftell(void *File) {
  return checked(call(ServiceTell, Message(handle(File))));
}
XCC_SERVICE long ftello(void *File) {
  return checked(call(ServiceTell, Message(handle(File))));
}
XCC_SERVICE void rewind(void *File) {
  status(ServiceSeek, handle(File), 0, 0);
  status(ServiceFileState, handle(File), QueryClear);
}
XCC_SERVICE int fflush(void *File) {
  return status(ServiceFlush, handle(File));
}
XCC_SERVICE int feof(void *File) {
  return status(ServiceFileState, handle(File), QueryEnd);
}
XCC_SERVICE int ferror(void *File) {
  return status(ServiceFileState, handle(File), QueryError);
}
XCC_SERVICE void clearerr(void *File) {
  status(ServiceFileState, handle(File), QueryClear);
}

XCC_SERVICE int remove(const char *Name) {
  return int(
      checked(call(ServiceRemove, Message(0, 0, 0, Name, strlen(Name)))));
}
XCC_SERVICE int rename(const char *From, const char *To) {
  uint64_t Size = strlen(From);
  return int(checked(
      call(ServiceRename, Message(Size, 0, 0, From, Size, To, strlen(To)))));
}
