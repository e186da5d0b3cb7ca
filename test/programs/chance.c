// Random numbers, and the order that sorting leaves
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct card {
  int suit, number;
  char name[5];
};

static int bySuit(const void *a, const void *b) {
  return ((const struct card *)a)->suit - ((const struct card *)b)->suit;
}
static int byWord(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int downwards(const void *a, const void *b, void *calls) {
  ++*(int *)calls;
  return *(const int *)b - *(const int *)a;
}
static int same(const void *a, const void *b) { return *(const int *)a != *(const int *)b; }

int main(void) {
  for (int i = 0; i != 8; ++i)
    printf("%d ", rand());
  srand(12345);
  for (int i = 0; i != 400; ++i)
    rand();
  printf("%d %d %ld\n", rand(), rand() % 6 + 1, random());
  srandom(0);
  printf("%ld %ld\n", random(), random());
  unsigned seed = 7;
  printf("%d %d %u\n", rand_r(&seed), rand_r(&seed), seed);
  srand48(2024);
  printf("%.17g %ld %ld\n", drand48(), lrand48(), mrand48());
  unsigned short x[3] = {1, 2, 3};
  printf("%.17g %ld %ld %d\n", erand48(x), nrand48(x), jrand48(x), x[0]);

  // What compares equal stays in order.
  struct card cards[100];
  srand(1);
  for (int i = 0; i != 100; ++i) {
    cards[i].suit = rand() % 4;
    cards[i].number = i;
    snprintf(cards[i].name, 5, "c%d", i);
  }
  qsort(cards, 100, sizeof *cards, bySuit);
  for (int i = 0; i != 100; ++i)
    printf("%d.%s ", cards[i].suit, cards[i].name);
  puts("");
  qsort(cards, 5, sizeof *cards, bySuit);
  qsort(cards, 1, sizeof *cards, bySuit);
  qsort(cards, 0, sizeof *cards, bySuit);

  char *words[] = {"pear", "apple", "fig", "banana", "apple", "date", "cherry", "elder", "grape", "kiwi", "lime"};
  qsort(words, 11, sizeof *words, byWord);
  for (int i = 0; i != 11; ++i)
    printf("%s ", words[i]);
  const char *key = "fig", *none = "zebra";
  printf("%s %d\n", *(char **)bsearch(&key, words, 11, sizeof *words, byWord),
         bsearch(&none, words, 11, sizeof *words, byWord) == NULL);
  int numbers[1000], calls = 0;
  for (int i = 0; i != 1000; ++i)
    numbers[i] = rand() % 500;
  qsort_r(numbers, 1000, sizeof *numbers, downwards, &calls);
  for (int i = 1; i != 1000; ++i)
    if (numbers[i - 1] < numbers[i])
      return 1;
  size_t count = 4;
  int set[8] = {4, 5, 6, 7}, six = 6, nine = 9;
  printf("%d ", *(int *)lfind(&six, set, &count, sizeof *set, same));
  printf("%d %zu %d\n", *(int *)lsearch(&nine, set, &count, sizeof *set, same), count, calls > 1000);
  div_t d = div(-17, 5);
  lldiv_t e = lldiv(17, -5);
  printf("%d %d %lld %lld\n", d.quot, d.rem, e.quot, e.rem);
}
