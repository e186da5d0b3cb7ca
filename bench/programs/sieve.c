// Memory: a sieve, and a sort through a pointer to a function
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>

static int order(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

int main(void) {
  enum { Size = 20000000, Numbers = 3000000 };
  unsigned char *marked = calloc(Size, 1);
  int count = 0;
  for (long i = 2; i < Size; ++i)
    if (!marked[i]) {
      ++count;
      for (long j = i * i; j < Size; j += i)
        marked[j] = 1;
    }
  unsigned *numbers = malloc(Numbers * sizeof *numbers), seed = 3;
  for (int i = 0; i < Numbers; ++i)
    numbers[i] = seed = seed * 1664525 + 1013904223;
  qsort(numbers, Numbers, sizeof *numbers, order);
  printf("%d %u\n", count, numbers[Numbers / 2]);
  free(marked);
  free(numbers);
  return 0;
}
