// The functions of fortified headers for <string.h>, on GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -D_FORTIFY_SOURCE, headers call these where the size of the destination
// is known. If it is too small, the launch or the program ends, as on the host.

using size_t = decltype(sizeof 0);

extern "C" {
void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
void *mempcpy(void *__restrict to, const void *__restrict from, size_t n);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t n);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t n);
char *strncat(char *__restrict to, const char *__restrict from, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t limit);
char *fgets(char *to, int size, void *file);
size_t fread(void *to, size_t size, size_t count, void *file);
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;

[[noreturn]] void __chk_fail() {
  __xcc_trap(0, "buffer overflow detected", nullptr, 0);
}
[[noreturn]] void __stack_chk_fail() {
  __xcc_trap(0, "stack smashing detected", nullptr, 0);
}
}

namespace {
void fit(size_t n, size_t room) {
  if (n > room)
    __chk_fail();
}
} // namespace

extern "C" {
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
  fit(n, room);
  return memcpy(to, from, n);
}
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room) {
  fit(n, room);
  return mempcpy(to, from, n);
}
void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
  fit(n, room);
  return memmove(to, from, n);
}
void *__memset_chk(void *to, int value, size_t n, size_t room) {
  fit(n, room);
  return memset(to, value, n);
}
void __explicit_bzero_chk(void *to, size_t n, size_t room) {
  fit(n, room);
  memset(to, 0, n);
}
char *__strcpy_chk(char *to, const char *from, size_t room) {
  fit(strlen(from) + 1, room);
  return strcpy(to, from);
}
char *__stpcpy_chk(char *to, const char *from, size_t room) {
  fit(strlen(from) + 1, room);
  return stpcpy(to, from);
}
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
  fit(n, room);
  return strncpy(to, from, n);
}
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room) {
  fit(n, room);
  return stpncpy(to, from, n);
}
char *__strncat_chk(char *to, const char *from, size_t n, size_t room) {
  fit(strlen(to) + strnlen(from, n) + 1, room);
  return strncat(to, from, n);
}
char *__strcat_chk(char *to, const char *from, size_t room) {
  return __strncat_chk(to, from, ~size_t(0), room);
}
char *__fgets_chk(char *to, size_t room, int size, void *file) {
  fit(size > 0 ? size_t(size) : 0, room);
  return fgets(to, size, file);
}
size_t __fread_chk(void *to, size_t room, size_t size, size_t count,
                   void *file) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes))
    bytes = ~size_t(0);
  fit(bytes, room);
  return fread(to, size, count, file);
}
}
