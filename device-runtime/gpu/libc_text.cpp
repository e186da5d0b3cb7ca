// The rest of <string.h> and <strings.h> for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, comparison without case, and extensions of BSD and GNU. Strings are
// compared as in the locale "C".

using size_t = decltype(sizeof 0);

extern "C" {
void *memchr(const void *in, int value, size_t n);
void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
char *strchr(const char *s, int c);
int strcmp(const char *a, const char *b);
size_t strcspn(const char *s, const char *set);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t limit);
char *strrchr(const char *s, int c);
size_t strspn(const char *s, const char *set);
}

namespace {
int lower(char c) {
  int byte = (unsigned char)c;
  return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte;
}
} // namespace

extern "C" {
char *strtok_r(char *text, const char *set, char **rest) {
  char *word = text ? text : *rest;
  word += strspn(word, set);
  char *end = word + strcspn(word, set);
  *rest = *end ? end + 1 : end;
  if (!*word)
    return nullptr;
  *end = 0;
  return word;
}
char *__strtok_r(char *text, const char *set, char **rest) {
  return strtok_r(text, set, rest);
}
char *strtok(char *text, const char *set) {
  static char *rest;
  return strtok_r(text, set, &rest);
}
char *strsep(char **text, const char *set) {
  char *word = *text;
  if (!word)
    return nullptr;
  char *end = word + strcspn(word, set);
  *text = *end ? end + 1 : nullptr;
  *end = 0;
  return word;
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (; n; --n, ++a, ++b)
    if (lower(*a) != lower(*b) || !*a)
      return lower(*a) - lower(*b);
  return 0;
}
int strcasecmp(const char *a, const char *b) {
  return strncasecmp(a, b, ~size_t(0));
}
char *strcasestr(const char *s, const char *part) {
  for (size_t n = strlen(part);; ++s) {
    if (strncasecmp(s, part, n) == 0)
      return (char *)s;
    if (!*s)
      return nullptr;
  }
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }
size_t strxfrm(char *to, const char *from, size_t n) {
  size_t length = strlen(from);
  if (n)
    memcpy(to, from, length < n ? length + 1 : n);
  return length;
}
char *strchrnul(const char *s, int c) {
  while (*s && *s != char(c))
    ++s;
  return (char *)s;
}
void *rawmemchr(const void *in, int value) {
  return memchr(in, value, ~size_t(0));
}
void *memmem(const void *in, size_t size, const void *part, size_t partSize) {
  const char *s = (const char *)in;
  for (; size >= partSize; ++s, --size)
    if (memcmp(s, part, partSize) == 0)
      return (void *)s;
  return nullptr;
}
void *memccpy(void *__restrict to, const void *__restrict from, int value,
              size_t n) {
  const void *at = memchr(from, value, n);
  if (at)
    n = size_t((const char *)at - (const char *)from) + 1;
  memcpy(to, from, n);
  return at ? (char *)to + n : nullptr;
}
char *stpncpy(char *__restrict to, const char *__restrict from, size_t n) {
  size_t length = strnlen(from, n);
  memcpy(to, from, length);
  memset(to + length, 0, n - length);
  return to + length;
}
// BSD's names
void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
void bzero(void *to, size_t n) { memset(to, 0, n); }
void explicit_bzero(void *to, size_t n) {
  memset(to, 0, n);
  asm volatile("" : : "r"(to) : "memory");
}
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }
int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }

// Parts of paths
char *basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return (char *)(slash ? slash + 1 : path);
}
char *__xpg_basename(char *path) {
  static char dot[] = ".";
  if (!path || !*path)
    return dot;
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/')
    path[--n] = 0;
  return n == 1 ? path : basename(path);
}
char *dirname(char *path) {
  static char dot[] = ".";
  size_t n = path ? strlen(path) : 0;
  while (n > 1 && path[n - 1] == '/')
    --n;
  while (n && path[n - 1] != '/')
    --n;
  if (!n)
    return path && *path == '/' ? path : dot;
  while (n > 1 && path[n - 1] == '/')
    --n;
  path[n] = 0;
  return path;
}
}
