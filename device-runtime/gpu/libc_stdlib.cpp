// <stdlib.h> for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers, sorting and searching. Functions that need the host (printf, files,
// environment) are elsewhere.

using size_t = decltype(sizeof 0);

extern "C" {
int *__errno_location() noexcept;
void *malloc(size_t size);
void free(void *block);
void *memcpy(void *__restrict to, const void *__restrict from, size_t n);
}

struct div_t {
  int quot, rem;
};
struct ldiv_t {
  long quot, rem;
};

namespace {
/// EINVAL and ERANGE of the host
constexpr int InvalidError = 22, RangeError = 34;

using Byte = unsigned char;
using Compare = int (*)(const void *, const void *, void *);
using PlainCompare = int (*)(const void *, const void *);

void swap(Byte *a, Byte *b, size_t size) {
  for (; size; --size, ++a, ++b) {
    Byte kept = *a;
    *a = *b;
    *b = kept;
  }
}

/// Insertion sort sorts pieces of this length, which are then merged.
constexpr size_t Run = 8;

/// Sorts in place. Stable.
void insertionSort(Byte *base, size_t n, size_t size, Compare compare,
                   void *context) {
  for (size_t i = 1; i < n; ++i)
    for (Byte *at = base + i * size;
         at != base && compare(at - size, at, context) > 0; at -= size)
      swap(at - size, at, size);
}

/// Sorts stably. \p room is a buffer as large as the array.
void mergeSort(Byte *base, size_t n, size_t size, Compare compare,
               void *context, Byte *room) {
  for (size_t i = 0; i < n; i += Run)
    insertionSort(base + i * size, n - i < Run ? n - i : Run, size, compare,
                  context);
  Byte *from = base, *to = room;
  for (size_t width = Run; width < n; width *= 2) {
    Byte *out = to;
    for (size_t i = 0; i < n; i += 2 * width) {
      Byte *a = from + i * size;
      Byte *b = from + (n - i < width ? n : i + width) * size;
      Byte *const endA = b;
      Byte *const endB = from + (n - i < 2 * width ? n : i + 2 * width) * size;
      while (a != endA || b != endB) {
        Byte *&least =
            b == endB || (a != endA && compare(a, b, context) <= 0) ? a : b;
        memcpy(out, least, size);
        least += size;
        out += size;
      }
    }
    Byte *sorted = to;
    to = from;
    from = sorted;
  }
  if (from != base)
    memcpy(base, from, n * size);
}

/// Moves element \p at of a heap of \p n elements down to its place.
void siftDown(Byte *base, size_t at, size_t n, size_t size, Compare compare,
              void *context) {
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n &&
        compare(base + child * size, base + (child + 1) * size, context) < 0)
      ++child;
    if (compare(base + at * size, base + child * size, context) >= 0)
      return;
    swap(base + at * size, base + child * size, size);
  }
}

int callPlain(const void *a, const void *b, void *compare) {
  return ((PlainCompare)compare)(a, b);
}

bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'z' ? c - 'a' + 10
         : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                : 99;
}

/// The result of reading a number: its sign and its absolute value, at most
/// 2^64 - 1. A \p base of 0 means that the prefix decides. `end` is set to the
/// first character after the number, or to the text if there is no number.
struct Parsed {
  unsigned long size = 0;
  bool negative = false, tooLarge = false;
};
Parsed parse(const char *text, char **end, int base) {
  Parsed result;
  const char *p = text;
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = InvalidError;
    return result;
  }
  while (isSpace(*p))
    ++p;
  if (*p == '+' || *p == '-')
    result.negative = *p++ == '-';
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] | 32) == 'x' &&
      digit(p[2]) < 16) {
    base = 16;
    p += 2;
  }
  if (base == 0)
    base = *p == '0' ? 8 : 10;
  const char *first = p;
  for (int d; (d = digit(*p)) < base; ++p) {
    unsigned long next;
    if (__builtin_mul_overflow(result.size, (unsigned long)base, &next) ||
        __builtin_add_overflow(next, (unsigned long)d, &next))
      result.tooLarge = true;
    result.size = result.tooLarge ? ~0ul : next;
  }
  if (end)
    *end = (char *)(p == first ? text : p);
  return result;
}
} // namespace

extern "C" {
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

div_t div(int x, int y) { return {x / y, x % y}; }
ldiv_t ldiv(long x, long y) { return {x / y, x % y}; }
// long long has the size of long.
ldiv_t lldiv(long x, long y) { return {x / y, x % y}; }

// Stable, like the GNU C library's qsort, and as there only if there is memory
// for the merge; otherwise a heap sort in place.
void qsort_r(void *base, size_t n, size_t size, Compare compare,
             void *context) {
  Byte *b = (Byte *)base;
  if (n <= Run || !size)
    return insertionSort(b, size ? n : 0, size, compare, context);
  if (Byte *room = (Byte *)malloc(n * size)) {
    mergeSort(b, n, size, compare, context, room);
    return free(room);
  }
  for (size_t i = n / 2; i > 0; --i)
    siftDown(b, i - 1, n, size, compare, context);
  for (size_t last = n; last > 1; --last) {
    swap(b, b + (last - 1) * size, size);
    siftDown(b, 0, last - 1, size, compare, context);
  }
}
void qsort(void *base, size_t n, size_t size, PlainCompare compare) {
  qsort_r(base, n, size, callPlain, (void *)compare);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size,
              PlainCompare compare) {
  const Byte *first = (const Byte *)base;
  while (n) {
    const Byte *middle = first + n / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      first = middle + size;
      n -= n / 2 + 1;
    } else {
      n /= 2;
    }
  }
  return nullptr;
}
void *lfind(const void *key, const void *base, size_t *n, size_t size,
            PlainCompare compare) {
  const Byte *at = (const Byte *)base;
  for (size_t i = 0; i != *n; ++i, at += size)
    if (compare(key, at) == 0)
      return (void *)at;
  return nullptr;
}
void *lsearch(const void *key, void *base, size_t *n, size_t size,
              PlainCompare compare) {
  void *found = lfind(key, base, n, size, compare);
  return found ? found : memcpy((Byte *)base + (*n)++ * size, key, size);
}

// A number that is too large gives the nearest value of the type, and ERANGE.
unsigned long strtoul(const char *text, char **end, int base) {
  Parsed p = parse(text, end, base);
  if (p.tooLarge)
    *__errno_location() = RangeError;
  return p.tooLarge ? ~0ul : p.negative ? 0 - p.size : p.size;
}
long strtol(const char *text, char **end, int base) {
  Parsed p = parse(text, end, base);
  unsigned long limit = (unsigned long)__LONG_MAX__ + p.negative;
  if (p.size > limit)
    *__errno_location() = RangeError;
  unsigned long size = p.size < limit ? p.size : limit;
  return long(p.negative ? 0 - size : size);
}
unsigned long long strtoull(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}
long long strtoll(const char *text, char **end, int base) {
  return strtol(text, end, base);
}
long strtoimax(const char *text, char **end, int base) {
  return strtol(text, end, base);
}
unsigned long strtoumax(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}
long imaxabs(long x) { return labs(x); }
ldiv_t imaxdiv(long x, long y) { return ldiv(x, y); }
int atoi(const char *text) { return int(strtol(text, nullptr, 10)); }
long atol(const char *text) { return strtol(text, nullptr, 10); }
long long atoll(const char *text) { return strtol(text, nullptr, 10); }
}
