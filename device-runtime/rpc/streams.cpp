// More of <stdio.h>: lines of any length, buffers, alternative names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host holds the buffers and locks the file during each call, so the
// _unlocked functions do the same as the others.

#include "streams.h"
#include "call.h"
#include "malloc.h"
#include "print.h"

using namespace xcc::device;

extern "C" {
int fgetc(void *file);
char *fgets(char *to, int size, void *file);
int fputc(int c, void *file);
int fputs(const char *text, void *file);
int feof(void *file);
int ferror(void *file);
void clearerr(void *file);
int fflush(void *file);
int fseeko(void *file, long offset, int whence);
long ftello(void *file);
size_t fread(void *to, size_t size, size_t count, void *file);
size_t fwrite(const void *data, size_t size, size_t count, void *file);
void *realloc(void *block, size_t size);
}

namespace {
void *opened(int64_t file) {
  return file > 0 ? fileOf(uint64_t(file)) : nullptr;
}

constexpr int Full = 0, ByLine = 1, None = 2; ///< _IOFBF, _IOLBF, _IONBF
constexpr size_t Usual = 8192;                ///< BUFSIZ

/// Enlarges a line's buffer to at least \p size bytes. Returns false if memory
/// ran out.
bool grow(char **line, size_t *room, size_t size) {
  if (*line && *room >= size)
    return true;
  size_t more = *room * 2 < size ? size : *room * 2;
  more = more < 120 ? 120 : more;
  auto *to = static_cast<char *>(realloc(*line, more));
  if (!to)
    return false;
  *line = to;
  *room = more;
  return true;
}

long readRecord(char **line, size_t *room, int end, void *file) {
  size_t size = 0;
  if (!line || !room) {
    setErrno(ErrInvalid);
    return -1;
  }
  if (!*line)
    *room = 0;
  while (true) {
    if (!grow(line, room, size + 120))
      return -1;
    if (end == '\n') {
      // Read as much of the line as fits at once.
      Buffer got{*line + size, *room - size - 1};
      const uint64_t want =
          got.room < MaxTransfer ? got.room : uint64_t(MaxTransfer);
      Message m(handle(file), want);
      if (checked(call(ServiceReadLine, m, got)) < 0)
        return -1;
      size += got.size;
      if (got.size == want && (*line)[size - 1] != '\n')
        continue;
    } else if (int c = fgetc(file); c != -1) {
      (*line)[size++] = char(c);
      if (c != (unsigned char)end)
        continue;
    }
    if (!size)
      return -1;
    (*line)[size] = 0;
    return long(size);
  }
}
} // namespace

XCC_SERVICE long __getdelim(char **line, size_t *room, int end, void *file) {
  return readRecord(line, room, end, file);
}
XCC_SERVICE long getdelim(char **line, size_t *room, int end, void *file) {
  return readRecord(line, room, end, file);
}
XCC_SERVICE long getline(char **line, size_t *room, void *file) {
  return readRecord(line, room, '\n', file);
}

XCC_SERVICE void *freopen(const char *name, const char *mode, void *file) {
  const uint64_t size = name ? strlen(name) : 0;
  return opened(
      checked(call(ServiceReopen, Message(handle(file), size, !name, name, size,
                                          mode, strlen(mode)))));
}
XCC_SERVICE void *freopen64(const char *name, const char *mode, void *file) {
  return freopen(name, mode, file);
}
XCC_SERVICE int setvbuf(void *file, char *, int mode, size_t size) {
  return int(checked(
      call(ServiceSetBuffer, Message(handle(file), uint64_t(mode), size))));
}
XCC_SERVICE void setbuffer(void *file, char *buffer, size_t size) {
  setvbuf(file, nullptr, buffer ? Full : None, size);
}
XCC_SERVICE void setbuf(void *file, char *buffer) {
  setbuffer(file, buffer, Usual);
}
XCC_SERVICE void setlinebuf(void *file) { setvbuf(file, nullptr, ByLine, 0); }
XCC_SERVICE void *tmpfile() {
  return opened(checked(call(ServiceTemporary, Message(0))));
}
XCC_SERVICE void *tmpfile64() { return tmpfile(); }
XCC_SERVICE char *tmpnam(char *to) {
  static char own[32];
  Buffer name{to ? to : own, 19}; // L_tmpnam is 20
  Message m(1);
  if (checked(call(ServiceTemporary, m, name)) <= 0)
    return nullptr;
  name.to[name.size] = 0;
  return name.to;
}

XCC_SERVICE int fseeko64(void *file, long offset, int whence) {
  return fseeko(file, offset, whence);
}
XCC_SERVICE long ftello64(void *file) { return ftello(file); }

/// The first member of fpos_t is the position.
XCC_SERVICE int fgetpos(void *file, long *position) {
  *position = ftello(file);
  return *position < 0 ? -1 : 0;
}
XCC_SERVICE int fsetpos(void *file, const long *position) {
  return fseeko(file, *position, 0);
}

XCC_SERVICE int vasprintf(char **to, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  char few[1];
  int size = __xcc_format(few, 1, format, again);
  va_end(again);
  *to = nullptr;
  if (size < 0 ||
      !(*to = static_cast<char *>(__xcc_allocate(size_t(size) + 1, 16))))
    return -1;
  return __xcc_format(*to, size_t(size) + 1, format, list);
}
XCC_SERVICE int asprintf(char **to, const char *format, ...) {
  XCC_FORWARD(format, vasprintf(to, format, list));
}
XCC_SERVICE int __vasprintf_chk(char **to, int, const char *format,
                                va_list list) {
  return vasprintf(to, format, list);
}
XCC_SERVICE int __asprintf_chk(char **to, int, const char *format, ...) {
  XCC_FORWARD(format, vasprintf(to, format, list));
}

/// Returns the C library's text, by printing %m.
XCC_SERVICE char *strerror_r(int error, char *to, size_t size) {
  // Only a function with variable arguments can make a va_list.
  struct {
    static int format(char *to, size_t size, const char *format, ...) {
      va_list list;
      va_start(list, format);
      int result = __xcc_format(to, size, format, list);
      va_end(list);
      return result;
    }
  } text;
  int before = *__errno_location();
  setErrno(error);
  text.format(to, size, "%m");
  setErrno(before);
  return to;
}
XCC_SERVICE int __xpg_strerror_r(int error, char *to, size_t size) {
  strerror_r(error, to, size);
  return 0;
}
XCC_SERVICE char *strerror(int error) {
  static char text[128];
  return strerror_r(error, text, sizeof text);
}

// Alternative names of POSIX and the GNU C library
XCC_SERVICE int getc_unlocked(void *file) { return fgetc(file); }
XCC_SERVICE int fgetc_unlocked(void *file) { return fgetc(file); }
XCC_SERVICE int getchar_unlocked() { return fgetc(fileOf(FileIn)); }
XCC_SERVICE int putc_unlocked(int c, void *file) { return fputc(c, file); }
XCC_SERVICE int fputc_unlocked(int c, void *file) { return fputc(c, file); }
XCC_SERVICE int putchar_unlocked(int c) { return fputc(c, fileOf(FileOut)); }
XCC_SERVICE int _IO_getc(void *file) { return fgetc(file); }
XCC_SERVICE int _IO_putc(int c, void *file) { return fputc(c, file); }
XCC_SERVICE char *fgets_unlocked(char *to, int size, void *file) {
  return fgets(to, size, file);
}
XCC_SERVICE int fputs_unlocked(const char *text, void *file) {
  return fputs(text, file);
}
XCC_SERVICE size_t fread_unlocked(void *to, size_t size, size_t count,
                                  void *file) {
  return fread(to, size, count, file);
}
XCC_SERVICE size_t fwrite_unlocked(const void *data, size_t size, size_t count,
                                   void *file) {
  return fwrite(data, size, count, file);
}
XCC_SERVICE int feof_unlocked(void *file) { return feof(file); }
XCC_SERVICE int ferror_unlocked(void *file) { return ferror(file); }
XCC_SERVICE void clearerr_unlocked(void *file) { clearerr(file); }
XCC_SERVICE int fflush_unlocked(void *file) { return fflush(file); }
