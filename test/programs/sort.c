// Lines of standard input in order, by several orders
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/../../examples/data/README.md --run "" --run=-r --run=-l
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/../../examples/data/README.md --run "" --run=-r --run=-l
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int forwards(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int backwards(const void *a, const void *b) { return forwards(b, a); }
static int byLength(const void *a, const void *b) {
  size_t x = strlen(*(char *const *)a), y = strlen(*(char *const *)b);
  return x != y ? x < y ? -1 : 1 : forwards(a, b);
}

int main(int argc, char **argv) {
  char **lines = 0, line[1000];
  size_t count = 0, room = 0;
  while (fgets(line, sizeof line, stdin)) {
    if (count == room)
      lines = realloc(lines, (room = room * 2 + 4) * sizeof *lines);
    lines[count++] = strdup(line);
  }
  qsort(lines, count, sizeof *lines, argc < 2 ? forwards : strcmp(argv[1], "-r") ? byLength : backwards);
  for (size_t i = 0; i < count; ++i) {
    fputs(lines[i], stdout);
    free(lines[i]);
  }
  free(lines);
  return (int)count;
}
