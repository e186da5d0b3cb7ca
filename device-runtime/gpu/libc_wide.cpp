// Wide characters in memory on a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What std::wstring and std::wstring_view call. wchar_t is the host's.

using size_t = decltype(sizeof 0);

extern "C" {
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);

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
}
