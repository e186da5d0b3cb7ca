// How often each word occurs: a table of one's own
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/../../examples/data/README.md
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/../../examples/data/README.md
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *word;
  int count;
};
static struct entry *table;
static size_t room, used;

static struct entry *look(const char *word) {
  unsigned hash = 2166136261u;
  for (const char *p = word; *p; ++p)
    hash = (hash ^ (unsigned char)*p) * 16777619;
  for (size_t i = hash % room;; i = (i + 1) % room)
    if (!table[i].word || !strcmp(table[i].word, word))
      return &table[i];
}
static void grow(void) {
  struct entry *old = table;
  size_t size = room;
  room = room ? room * 2 : 8;
  table = calloc(room, sizeof *table);
  for (size_t i = 0; i < size; ++i)
    if (old[i].word)
      *look(old[i].word) = old[i];
  free(old);
}
static int byCount(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  if (!x->word || !y->word)
    return !x->word - !y->word;
  return x->count != y->count ? y->count - x->count : strcmp(x->word, y->word);
}

int main(void) {
  char word[64];
  int n = 0, c;
  do {
    c = getchar();
    int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter && n < 63)
      word[n++] = (char)(c | 32);
    if (letter || !n)
      continue;
    word[n] = 0;
    n = 0;
    if (used * 2 >= room)
      grow();
    struct entry *e = look(word);
    if (!e->word) {
      e->word = strdup(word);
      ++used;
    }
    ++e->count;
  } while (c != EOF);
  qsort(table, room, sizeof *table, byCount);
  for (size_t i = 0; i < used; ++i) {
    if (i < 12)
      printf("%5d %s\n", table[i].count, table[i].word);
    free(table[i].word);
  }
  printf("%zu words\n", used);
  free(table);
  return 0;
}
