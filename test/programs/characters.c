// Characters, words and texts, narrow and wide
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#undef basename
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int x) { return (x > 0) - (x < 0); }

static void classes(void) {
  int (*const is[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph,
                            islower, isprint, ispunct, isspace, isupper, isxdigit};
  unsigned long sums[12] = {0};
  for (int c = -1; c < 256; ++c)
    for (int i = 0; i != 12; ++i)
      sums[i] = sums[i] * 3 + (is[i](c) != 0);
  for (int i = 0; i != 12; ++i)
    printf("%lx ", sums[i]);
  unsigned long sum = 0;
  for (int c = -1; c < 256; ++c)
    sum = sum * 31 + (unsigned long)toupper(c) + 7 * (unsigned long)tolower(c) + (isalpha(c) ? 1 : 0);
  printf("%lx\n", sum);
  sum = 0;
  for (wint_t c = 0; c < 400; ++c)
    sum = sum * 31 + towupper(c) + 3 * towlower(c) + (iswalpha(c) != 0) + 2 * (iswpunct(c) != 0) +
          4 * (iswctype(c, wctype("xdigit")) != 0) + towctrans(c, wctrans("toupper"));
  printf("%lx %d\n", sum, wctype("none") == 0);
}

static void words(void) {
  char text[] = "  the quick;brown,,fox  ", again[] = "a:b::c", *rest = again, *save, *word;
  for (word = strtok(text, " ;,"); word; word = strtok(NULL, " ;,"))
    printf("[%s]", word);
  while ((word = strsep(&rest, ":")))
    printf("<%s>", word);
  char third[] = "x=1&y=2";
  for (word = strtok_r(third, "&", &save); word; word = strtok_r(NULL, "&", &save))
    printf("(%s)", word);
  puts("");
  printf("%d %d %d %d\n", sign(strcasecmp("Hello", "hELLO")), sign(strcasecmp("a", "B")),
         sign(strncasecmp("abcX", "ABCY", 3)), sign(strcoll("b", "a")));
  printf("%s %s %s\n", strcasestr("Find The Needle", "the n"), strchrnul("abc", 'z'), strchrnul("abc", 'b'));
  char buffer[16] = "0123456789abcde";
  printf("%td ", stpncpy(buffer, "xy", 5) - buffer);
  printf("%d%d%d %s\n", buffer[2], buffer[3], buffer[4], buffer + 5);
  printf("%s\n", (char *)memmem("haystack needle", 15, "need", 4));
  printf("%td %p\n", (char *)memccpy(buffer, "copy:this", ':', 9) - buffer, memccpy(buffer, "abc", 'z', 3));
  printf("%zu %s\n", strxfrm(buffer, "order", sizeof buffer), buffer);
  printf("%d %d %d\n", ffs(0), ffs(40), ffsl(1L << 40));
  char path[] = "/usr/lib//x.c", path2[] = "file", path3[] = "/a/b/";
  printf("%s %s %s %s\n", dirname(path), dirname(path2), __xpg_basename(path3), basename("/x/y.z"));
  bzero(buffer, 4);
  printf("%d%s\n", buffer[0], index("key=value", '='));
}

static void errors(void) {
  for (int i = 0; i < 134; i += 7)
    printf("%s;", strerror(i));
  printf("%s\n", strerror(4321));
  errno = 0;
  long l = strtol("999999999999999999999", NULL, 10);
  printf("%ld %d ", l, errno);
  errno = 0;
  unsigned long u = strtoul("-1", NULL, 0);
  printf("%lu %d ", u, errno);
  errno = 0;
  l = strtol("-9223372036854775809", NULL, 10);
  printf("%ld %d ", l, errno);
  errno = 0;
  l = strtol("12", NULL, 99);
  printf("%ld %d ", l, errno);
  errno = 0;
  double d = strtod("1e999", NULL);
  printf("%g %d ", d, errno);
  errno = 0;
  d = strtod("1e-320", NULL);
  printf("%g %d ", d, errno);
  errno = 0;
  d = strtod("0x1p-1074", NULL);
  printf("%g %d ", d, errno);
  errno = 0;
  d = strtod("0.0", NULL);
  printf("%g %d %jd\n", d, errno, strtoimax("-77", NULL, 8));
}

static void wide(void) {
  wchar_t text[] = L"one two  three", buffer[32], *save, *word, *end;
  for (word = wcstok(text, L" ", &save); word; word = wcstok(NULL, L" ", &save))
    printf("[%ls]", word);
  wcscpy(buffer, L"Wide");
  wcscat(buffer, L" Text");
  wcsncat(buffer, L"!!!", 1);
  printf("%ls %zu %d %d %ls %td\n", buffer, wcslen(buffer), sign(wcscmp(L"a", L"b")), wcscasecmp(L"AbC", L"aBc"),
         wcsstr(buffer, L"Te"), wcsrchr(buffer, L'T') - buffer);
  printf("%ld %g %lu %ls\n", wcstol(L" -42xyz", &end, 10), wcstod(L"2.5e1", NULL), wcstoul(L"ff", NULL, 16), end);
  char narrow[32];
  size_t n = wcstombs(narrow, L"narrow", sizeof narrow);
  printf("%zu %s %zu\n", n, narrow, mbstowcs(buffer, "again", 32));
  printf("%ls %d %d %zd\n", buffer, mblen("x", 1), (int)btowc('q'), wcrtomb(narrow, L'\x20ac', NULL));
  printf("%zu %d %d\n", MB_CUR_MAX, wcwidth(L'a'), wcwidth(L'\n'));
  printf("%s %s %s %s\n", setlocale(LC_ALL, NULL), setlocale(LC_ALL, "C"), setlocale(LC_CTYPE, "POSIX"),
         setlocale(LC_ALL, "xx_YY") ? "there" : "none");
  printf("%s\n", localeconv()->decimal_point);
}

int main(void) {
  classes();
  words();
  errors();
  wide();
}
