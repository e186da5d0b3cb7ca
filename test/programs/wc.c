// wc: lines, words and bytes of files and of standard input
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/../../examples/data/README.md --run '' --run '%s %S/lit.local.cfg' --run '%S/nothing-here'
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/../../examples/data/README.md --run '' --run '%s %S/lit.local.cfg' --run '%S/nothing-here'
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct counts {
  long lines, words, bytes;
};

static struct counts count(FILE *file) {
  struct counts c = {0, 0, 0};
  int inWord = 0, next;
  while ((next = fgetc(file)) != EOF) {
    ++c.bytes;
    c.lines += next == '\n';
    int space = next == ' ' || (next >= '\t' && next <= '\r');
    c.words += !space && !inWord;
    inWord = !space;
  }
  return c;
}

static void show(struct counts c, const char *name) {
  printf("%7ld %7ld %7ld%s%s\n", c.lines, c.words, c.bytes, *name ? " " : "", name);
}

int main(int argc, char **argv) {
  struct counts total = {0, 0, 0};
  int failed = 0;
  if (argc == 1)
    show(count(stdin), "");
  for (int i = 1; i < argc; ++i) {
    FILE *file = fopen(argv[i], "r");
    if (!file) {
      fprintf(stderr, "wc: %s: errno %d\n", argv[i], errno);
      failed = 1;
      continue;
    }
    struct counts c = count(file);
    fclose(file);
    show(c, argv[i]);
    total.lines += c.lines;
    total.words += c.words;
    total.bytes += c.bytes;
  }
  if (argc > 2)
    show(total, "total");
  return failed;
}
