// <unistd.h>, <fcntl.h> and <sys/stat.h>: file descriptors and paths
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors are those of the host process.

#include "call.h"
#include "malloc.h"

#include <stdarg.h>

using namespace xcc::device;

namespace {
int64_t ask(SystemFileCall what, uint64_t b, uint64_t c = 0,
            const char *text = nullptr) {
  return checked(call(ServiceSystemFile,
                      Message(what, b, c, text, text ? strlen(text) : 0)));
}
uint64_t number(int n) { return uint64_t(int64_t(n)); }

/// sizeof(struct stat) of Linux on x86-64.
constexpr uint64_t StatusSize = 144;

int status(SystemFileCall what, int descriptor, const char *name, void *to) {
  Buffer got{static_cast<char *>(to), StatusSize};
  Message m(what, number(descriptor), 0, name, name ? strlen(name) : 0);
  return int(checked(call(ServiceSystemFile, m, got)));
}
} // namespace

XCC_SERVICE int open(const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  // The mode is passed only with O_CREAT.
  unsigned mode = flags & 0100 ? va_arg(list, unsigned) : 0;
  va_end(list);
  return int(ask(CallOpen, number(flags), mode, name));
}
XCC_SERVICE int open64(const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  unsigned mode = flags & 0100 ? va_arg(list, unsigned) : 0;
  va_end(list);
  return int(ask(CallOpen, number(flags), mode, name));
}
XCC_SERVICE int creat(const char *name, unsigned mode) {
  return int(ask(CallOpen, 01101, mode, name)); // O_WRONLY | O_CREAT | O_TRUNC
}
XCC_SERVICE int close(int descriptor) {
  return int(ask(CallClose, number(descriptor)));
}
XCC_SERVICE long read(int descriptor, void *to, size_t size) {
  size_t done = 0;
  do {
    const uint64_t want =
        size - done < MaxTransfer ? size - done : uint64_t(MaxTransfer);
    Buffer got{static_cast<char *>(to) + done, want};
    Message m(CallRead, number(descriptor), want);
    Reply r = call(ServiceSystemFile, m, got);
    if (r.result < 0 && !done)
      return checked(r);
    done += got.size;
    if (got.size != want)
      break;
  } while (done != size);
  return long(done);
}
XCC_SERVICE long write(int descriptor, const void *data, size_t size) {
  size_t done = 0;
  do {
    const uint64_t want =
        size - done < MaxTransfer ? size - done : uint64_t(MaxTransfer);
    Reply r = call(ServiceSystemFile,
                   Message(CallWrite, number(descriptor), 0,
                           static_cast<const char *>(data) + done, want));
    if (r.result < 0)
      return done ? long(done) : checked(r);
    done += size_t(r.result);
    if (uint64_t(r.result) != want)
      break;
  } while (done != size);
  return long(done);
}
XCC_SERVICE long lseek(int descriptor, long offset, int whence) {
  const uint64_t where =
      uint64_t(unsigned(descriptor)) << 32 | uint64_t(unsigned(whence));
  return ask(CallSeek, where, uint64_t(offset));
}
XCC_SERVICE long lseek64(int descriptor, long offset, int whence) {
  return lseek(descriptor, offset, whence);
}
XCC_SERVICE int dup(int descriptor) {
  return int(ask(CallDuplicate, number(descriptor)));
}
XCC_SERVICE int dup2(int descriptor, int to) {
  return int(ask(CallDuplicateTo, number(descriptor), number(to)));
}
XCC_SERVICE int isatty(int descriptor) {
  return int(ask(CallIsTerminal, number(descriptor)));
}
XCC_SERVICE int ftruncate(int descriptor, long size) {
  return int(ask(CallTruncate, number(descriptor), uint64_t(size)));
}
XCC_SERVICE int fileno(void *file) {
  return int(ask(CallDescriptorOf, reinterpret_cast<uint64_t>(file)));
}
XCC_SERVICE int fileno_unlocked(void *file) { return fileno(file); }
XCC_SERVICE void *fdopen(int descriptor, const char *mode) {
  int64_t file = ask(CallFileOf, number(descriptor), 0, mode);
  return file > 0 ? reinterpret_cast<void *>(file) : nullptr;
}

XCC_SERVICE int access(const char *name, int mode) {
  return int(ask(CallAccess, number(mode), 0, name));
}
XCC_SERVICE int unlink(const char *name) {
  return int(ask(CallUnlink, 0, 0, name));
}
XCC_SERVICE int mkdir(const char *name, unsigned mode) {
  return int(ask(CallMakeDirectory, mode, 0, name));
}
XCC_SERVICE int rmdir(const char *name) {
  return int(ask(CallRemoveDirectory, 0, 0, name));
}
XCC_SERVICE int chdir(const char *name) {
  return int(ask(CallChangeDirectory, 0, 0, name));
}
XCC_SERVICE char *getcwd(char *to, size_t size) {
  constexpr size_t Longest = 4096; // PATH_MAX
  char *place = to;
  if (!to)
    place = static_cast<char *>(__xcc_allocate(size ? size : Longest, 16));
  if (!place)
    return nullptr;
  size = to || size ? size : Longest;
  Buffer got{place, size ? size - 1 : 0};
  Message m(CallCurrentDirectory);
  int64_t length = checked(call(ServiceSystemFile, m, got));
  if (length >= 0 && uint64_t(length) < size) {
    place[length] = 0;
    return place;
  }
  if (length >= 0)
    setErrno(34); // ERANGE
  if (!to)
    __xcc_free(place);
  return nullptr;
}
XCC_SERVICE int getpid() { return int(ask(CallProcess, 0)); }

XCC_SERVICE int stat(const char *name, void *to) {
  return status(CallStatus, 0, name, to);
}
XCC_SERVICE int lstat(const char *name, void *to) {
  return status(CallLinkStatus, 0, name, to);
}
XCC_SERVICE int fstat(int descriptor, void *to) {
  return status(CallDescriptorStatus, descriptor, nullptr, to);
}
XCC_SERVICE int stat64(const char *name, void *to) { return stat(name, to); }
XCC_SERVICE int lstat64(const char *name, void *to) { return lstat(name, to); }
XCC_SERVICE int fstat64(int descriptor, void *to) {
  return fstat(descriptor, to);
}
