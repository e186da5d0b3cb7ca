// scanf: what it stores, what it leaves, and what it returns
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/numbers.txt
// RUN: %compare %s --devices sm_90,gfx1100 --input %S/Inputs/numbers.txt
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int forward(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsscanf(text, format, list);
  va_end(list);
  return n;
}

static void integers(void) {
  signed char hh = 1;
  short h = 2;
  int i = 3, x = 4;
  long l = 5;
  long long ll = 6;
  unsigned u = 7;
  intmax_t j = 8;
  size_t z = 9;
  ptrdiff_t t = 10;
  int n = sscanf(" 300 70000 -12 0x1fg 123456789012 -9 4294967295 17 18 -19 rest",
                 "%hhd%hd%d%i%*c%ld %lld %u %jd %zu %td", &hh, &h, &i, &x, &l, &ll, &u, &j, &z, &t);
  printf("%d: %d %d %d %d %ld %lld %u %jd %zu %td\n", n, hh, h, i, x, l, ll, u, j, z, t);
  n = sscanf("0777 0x10 010 ff 12345", "%o %i %i %x %2d%3d", (unsigned *)&i, &x, (int *)&u, (unsigned *)&n, &hh == 0 ? 0 : &i, &x);
  printf("%d %d %d %u\n", n, i, x, u);
  n = sscanf("99999999999999999999 -99999999999999999999", "%d %ld", &i, &l);
  printf("%d %d %ld\n", n, i, l);
}

static void fractions(void) {
  float f = 0;
  double d = 0, e = 0;
  long double g = 0;
  int n = sscanf("1.5 -2.25e3 0x1.8p1 inf nan -7.", "%f %lf %la %Lf %le", &f, &d, &e, &g, &d);
  printf("%d: %g %d %g %d\n", n, f, isnan(d), e, isinf((double)g));
  n = sscanf("3.14159abc", "%4lf%n%s", &d, &n, (char[8]){0});
  printf("%d %g\n", n, d);
  n = sscanf(".e5", "%lf", &d);
  printf("%d\n", n);
}

static void texts(void) {
  char a[16], b[16], c[4] = "...", *made = 0, *set = 0;
  wchar_t w[8];
  int at = -1, n;
  n = sscanf("hello, [world] xyz tail", "%15[a-z], [%15[^]]] %3c%n", a, b, c, &at);
  printf("%d: %s %s %.3s %d\n", n, a, b, c, at);
  n = sscanf("some words here", "%ms %m[a-r]", &made, &set);
  printf("%d: %s %s\n", n, made, n > 1 ? set : "none");
  free(made);
  if (n > 1)
    free(set);
  n = sscanf("wide Z", "%ls %lc", w, w + 6);
  printf("%d: %ls %lc\n", n, w, (wint_t)w[6]);
  n = sscanf("]x-y", "%[]x-]%s", a, b);
  printf("%d: %s %s\n", n, a, b);
  n = sscanf("10% of 20%", "%d%% of %d%%%n", &at, &n, &at);
  printf("%d %d\n", n, at);
  n = sscanf("one two", "%2$s %1$s", a, b);
  printf("%d: %s %s\n", n, a, b);
  printf("%2$s-%1$d-%2$s %3$*4$.*1$f|\n", 2, "twice", 2.71828, 8);
}

static void ends(void) {
  int a = -1, b = -1;
  printf("%d ", sscanf("", "%d", &a));
  printf("%d ", sscanf("   ", "%d", &a));
  printf("%d ", sscanf("x", "%d", &a));
  printf("%d ", sscanf("5", "%d %d", &a, &b));
  printf("%d ", sscanf("5 x", "%d %d", &a, &b));
  printf("%d ", sscanf("5", "%*d %d", &a));
  printf("%d ", sscanf("abc", "abc"));
  printf("%d ", sscanf("ab", "abc%d", &a));
  printf("%d ", forward("1,2", "%d,%d", &a, &b));
  printf("%d %d\n", a, b);
}

int main(void) {
  integers();
  fractions();
  texts();
  ends();
  int count, sum = 0, number, c;
  char word[32];
  // Of standard input: a count, numbers, words, and what is not to be read.
  if (scanf("%d", &count) != 1)
    return 1;
  for (int i = 0; i < count; ++i)
    if (scanf("%d", &number) == 1)
      sum += number;
  printf("%d numbers, %d\n", count, sum);
  c = getchar();
  c = getchar();
  ungetc(c, stdin);
  printf("next %c, %d", c, scanf("%31s", word));
  printf(" %s\n", word);
  while (scanf("%d%c", &number, word) == 2)
    printf("%d%s", number, *word == '\n' ? "\n" : " ");
  printf("%d", scanf("%31[^\n]", word));
  printf(" %s %d\n", word, feof(stdin));
  double x, y;
  while ((c = scanf(" ( %lf , %lf )", &x, &y)) == 2)
    printf("(%g, %g)\n", x, y);
  printf("%d %d %d\n", c, feof(stdin) != 0, ferror(stdin));
}
