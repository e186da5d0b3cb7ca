// Wide strings on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <wchar.h> without streams. std::wstring and std::wstring_view call some of
// these functions. wchar_t has the host's type.

using size_t = decltype(sizeof 0);

extern "C" {
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *malloc(size_t size);
void free(void *block);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned towlower(unsigned c);
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;

size_t wcslen(const wchar_t *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  return length;
}
wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  return static_cast<wchar_t *>(memcpy(to, from, count * sizeof *to));
}
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
  return static_cast<wchar_t *>(memmove(to, from, count * sizeof *to));
}
wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count) {
  for (size_t i = 0; i != count; ++i)
    to[i] = value;
  return to;
}
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  for (size_t i = 0; i != count; ++i)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}
wchar_t *wmemchr(const wchar_t *text, wchar_t value, size_t count) {
  for (size_t i = 0; i != count; ++i)
    if (text[i] == value)
      return const_cast<wchar_t *>(text + i);
  return nullptr;
}

size_t wcsnlen(const wchar_t *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length])
    ++length;
  return length;
}
wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  return wmemcpy(to, from, wcslen(from) + 1);
}
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
  size_t length = wcsnlen(from, n);
  wmemcpy(to, from, length);
  wmemset(to + length, 0, n - length);
  return to;
}
wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  wcscpy(to + wcslen(to), from);
  return to;
}
wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
  wchar_t *end = to + wcslen(to);
  size_t length = wcsnlen(from, n);
  wmemcpy(end, from, length);
  end[length] = 0;
  return to;
}
wchar_t *wcsdup(const wchar_t *text) {
  size_t length = wcslen(text) + 1;
  auto *to = static_cast<wchar_t *>(malloc(length * sizeof(wchar_t)));
  return to ? wmemcpy(to, text, length) : nullptr;
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (; n; --n, ++a, ++b)
    if (*a != *b || !*a)
      return *a == *b ? 0 : *a < *b ? -1 : 1;
  return 0;
}
int wcscmp(const wchar_t *a, const wchar_t *b) {
  return wcsncmp(a, b, ~size_t(0));
}
int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }
size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t n) {
  size_t length = wcslen(from);
  if (n)
    wmemcpy(to, from, length < n ? length + 1 : n);
  return length;
}
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (; n; --n, ++a, ++b) {
    wchar_t left = wchar_t(towlower(unsigned(*a)));
    wchar_t right = wchar_t(towlower(unsigned(*b)));
    if (left != right || !left)
      return left == right ? 0 : left < right ? -1 : 1;
  }
  return 0;
}
int wcscasecmp(const wchar_t *a, const wchar_t *b) {
  return wcsncasecmp(a, b, ~size_t(0));
}

wchar_t *wcschr(const wchar_t *text, wchar_t c) {
  return wmemchr(text, c, wcslen(text) + 1);
}
wchar_t *wcsrchr(const wchar_t *text, wchar_t c) {
  for (size_t i = wcslen(text) + 1; i--;)
    if (text[i] == c)
      return const_cast<wchar_t *>(text + i);
  return nullptr;
}
size_t wcsspn(const wchar_t *text, const wchar_t *set) {
  size_t n = 0;
  while (text[n] && wcschr(set, text[n]))
    ++n;
  return n;
}
size_t wcscspn(const wchar_t *text, const wchar_t *set) {
  size_t n = 0;
  while (text[n] && !wcschr(set, text[n]))
    ++n;
  return n;
}
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set) {
  text += wcscspn(text, set);
  return *text ? const_cast<wchar_t *>(text) : nullptr;
}
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part) {
  for (size_t n = wcslen(part);; ++text) {
    if (wcsncmp(text, part, n) == 0)
      return const_cast<wchar_t *>(text);
    if (!*text)
      return nullptr;
  }
}
wchar_t *wcstok(wchar_t *text, const wchar_t *set, wchar_t **rest) {
  wchar_t *word = text ? text : *rest;
  word += wcsspn(word, set);
  wchar_t *end = word + wcscspn(word, set);
  *rest = *end ? end + 1 : end;
  if (!*word)
    return nullptr;
  *end = 0;
  return word;
}
}

namespace {
/// Converts the start of a wide string to ASCII and calls \p parse on it. Sets
/// \p end to the first wide character after the number.
template <class T, class F>
T ofNarrow(const wchar_t *text, wchar_t **end, F parse) {
  size_t length = 0;
  while (text[length] > 0 && text[length] < 128)
    ++length;
  constexpr size_t Usual = 64;
  char own[Usual];
  char *narrow = length < Usual ? own : static_cast<char *>(malloc(length + 1));
  if (!narrow)
    __xcc_trap(0, "no memory to read a number of a wide text", nullptr, 0);
  for (size_t i = 0; i != length; ++i)
    narrow[i] = char(text[i]);
  narrow[length] = 0;
  char *stop;
  T result = parse(narrow, &stop);
  if (end)
    *end = const_cast<wchar_t *>(text + (stop - narrow));
  if (narrow != own)
    free(narrow);
  return result;
}
} // namespace

extern "C" {
#define XCC_WIDE_INTEGER(T, name, narrow)                                      \
  T name(const wchar_t *text, wchar_t **end, int base) {                       \
    return ofNarrow<T>(text, end, [base](const char *from, char **to) {        \
      return narrow(from, to, base);                                           \
    });                                                                        \
  }
#define XCC_WIDE_FLOAT(T, name, narrow)                                        \
  T name(const wchar_t *text, wchar_t **end) {                                 \
    return ofNarrow<T>(text, end, narrow);                                     \
  }
XCC_WIDE_INTEGER(long, wcstol, strtol)
XCC_WIDE_INTEGER(long long, wcstoll, strtol)
XCC_WIDE_INTEGER(unsigned long, wcstoul, strtoul)
XCC_WIDE_INTEGER(unsigned long long, wcstoull, strtoul)
XCC_WIDE_FLOAT(float, wcstof, strtof)
XCC_WIDE_FLOAT(double, wcstod, strtod)
XCC_WIDE_FLOAT(long double, wcstold, strtod)
}
