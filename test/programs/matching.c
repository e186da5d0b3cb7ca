// Longest common subsequence, edit distance, a pattern matcher, Boyer and Moore
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --run "kitten sitting" --run "abcbdab bdcaba"
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --run "kitten sitting" --run "abcbdab bdcaba"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int matches(const char *pattern, const char *text) {
  for (; *pattern; ++pattern, ++text) {
    if (*pattern == '*') {
      for (; *text; ++text)
        if (matches(pattern + 1, text))
          return 1;
      return matches(pattern + 1, text);
    }
    if (!*text || (*pattern != '?' && *pattern != *text))
      return 0;
  }
  return !*text;
}
static int find(const char *text, const char *word) {
  int last[256], n = (int)strlen(text), m = (int)strlen(word);
  for (int i = 0; i < 256; ++i)
    last[i] = m;
  for (int i = 0; i < m - 1; ++i)
    last[(unsigned char)word[i]] = m - 1 - i;
  for (int at = 0; at + m <= n; at += last[(unsigned char)text[at + m - 1]])
    if (!memcmp(text + at, word, (size_t)m))
      return at;
  return -1;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const char *a = argv[1], *b = argv[2];
  int n = (int)strlen(a), m = (int)strlen(b);
  int (*lcs)[m + 1] = calloc((size_t)n + 1, sizeof *lcs), (*edit)[m + 1] = calloc((size_t)n + 1, sizeof *edit);
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= m; ++j)
      if (!i || !j) {
        edit[i][j] = i + j;
      } else {
        int same = a[i - 1] == b[j - 1];
        lcs[i][j] = same ? lcs[i - 1][j - 1] + 1 : lcs[i - 1][j] > lcs[i][j - 1] ? lcs[i - 1][j] : lcs[i][j - 1];
        int least = edit[i - 1][j - 1] + !same;
        least = edit[i - 1][j] + 1 < least ? edit[i - 1][j] + 1 : least;
        edit[i][j] = edit[i][j - 1] + 1 < least ? edit[i][j - 1] + 1 : least;
      }
  printf("%d in common, %d edits\n", lcs[n][m], edit[n][m]);
  printf("%d %d %d\n", matches("*t?n*", a), matches("?", b), matches("*b*", b));
  printf("%d %d\n", find("here is a simple example", "example"), find(a, b));
  int edits = edit[n][m];
  free(lcs);
  free(edit);
  return edits;
}
