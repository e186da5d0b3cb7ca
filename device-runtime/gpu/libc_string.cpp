// <string.h> for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers are generic, so one version serves global, shared and private
// memory. The back ends expand copies of known sizes, so those never get here.
// Blocks are copied word by word if both addresses are aligned.
//
// Compiled with -fno-builtin: a loop in memcpy must not become a call of
// memcpy.

using size_t = decltype(sizeof 0);

namespace {
using Byte = unsigned char;
using Word = unsigned long __attribute__((may_alias));
constexpr size_t WordSize = sizeof(Word);

bool aligned(const void *a, const void *b) {
  return (((size_t)a | (size_t)b) & (WordSize - 1)) == 0;
}
} // namespace

extern "C" {

void *memcpy(void *__restrict to, const void *__restrict from, size_t n) {
  Byte *t = (Byte *)to;
  const Byte *f = (const Byte *)from;
  if (aligned(t, f))
    for (; n >= WordSize; n -= WordSize, t += WordSize, f += WordSize)
      *(Word *)t = *(const Word *)f;
  for (; n; --n)
    *t++ = *f++;
  return to;
}

void *mempcpy(void *__restrict to, const void *__restrict from, size_t n) {
  return (Byte *)memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n) {
  Byte *t = (Byte *)to;
  const Byte *f = (const Byte *)from;
  // Copy upwards, unless that would overwrite source bytes that are not yet
  // read.
  if ((size_t)t - (size_t)f >= n) {
    if (aligned(t, f))
      for (; n >= WordSize; n -= WordSize, t += WordSize, f += WordSize)
        *(Word *)t = *(const Word *)f;
    for (; n; --n)
      *t++ = *f++;
    return to;
  }
  if (aligned(t + n, f + n))
    for (; n >= WordSize; n -= WordSize)
      *(Word *)(t + n - WordSize) = *(const Word *)(f + n - WordSize);
  for (; n; --n)
    t[n - 1] = f[n - 1];
  return to;
}

void *memset(void *to, int value, size_t n) {
  Byte *t = (Byte *)to;
  if (aligned(t, t))
    for (Word word = Byte(value) * 0x0101010101010101ul; n >= WordSize;
         n -= WordSize, t += WordSize)
      *(Word *)t = word;
  for (; n; --n)
    *t++ = Byte(value);
  return to;
}

int memcmp(const void *a, const void *b, size_t n) {
  const Byte *x = (const Byte *)a, *y = (const Byte *)b;
  for (; n; --n, ++x, ++y)
    if (*x != *y)
      return *x - *y; // glibc's value, because programs print it
  return 0;
}
int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *in, int value, size_t n) {
  for (const Byte *p = (const Byte *)in; n; --n, ++p)
    if (*p == Byte(value))
      return (void *)p;
  return nullptr;
}
void *memrchr(const void *in, int value, size_t n) {
  for (const Byte *p = (const Byte *)in; n; --n)
    if (p[n - 1] == Byte(value))
      return (void *)(p + n - 1);
  return nullptr;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    ++n;
  return n;
}
size_t strnlen(const char *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n])
    ++n;
  return n;
}

int strncmp(const char *a, const char *b, size_t n) {
  for (; n; --n, ++a, ++b) {
    if (*a != *b)
      return Byte(*a) - Byte(*b);
    if (!*a)
      return 0;
  }
  return 0;
}
int strcmp(const char *a, const char *b) { return strncmp(a, b, ~size_t(0)); }

char *stpcpy(char *__restrict to, const char *__restrict from) {
  while ((*to = *from))
    ++to, ++from;
  return to;
}
char *strcpy(char *__restrict to, const char *__restrict from) {
  stpcpy(to, from);
  return to;
}
char *strncpy(char *__restrict to, const char *__restrict from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; ++i)
    to[i] = from[i];
  for (; i < n; ++i)
    to[i] = 0;
  return to;
}
char *strcat(char *__restrict to, const char *__restrict from) {
  stpcpy(to + strlen(to), from);
  return to;
}
char *strncat(char *__restrict to, const char *__restrict from, size_t n) {
  char *end = to + strlen(to);
  for (; n && *from; --n)
    *end++ = *from++;
  *end = 0;
  return to;
}

char *strchr(const char *s, int c) {
  for (;; ++s) {
    if (*s == char(c))
      return (char *)s;
    if (!*s)
      return nullptr;
  }
}
char *strrchr(const char *s, int c) {
  const char *last = nullptr;
  for (;; ++s) {
    if (*s == char(c))
      last = s;
    if (!*s)
      return (char *)last;
  }
}
char *strstr(const char *s, const char *part) {
  for (size_t n = strlen(part);; ++s) {
    if (strncmp(s, part, n) == 0)
      return (char *)s;
    if (!*s)
      return nullptr;
  }
}
size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && strchr(set, s[n]))
    ++n;
  return n;
}
size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !strchr(set, s[n]))
    ++n;
  return n;
}
char *strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s ? (char *)s : nullptr;
}
}
