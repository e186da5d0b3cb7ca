// Programs that crash end by the same signal on every device, whatever they said
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEFINE: %{runs} = --run=null --run=member --run=write --run=abort --run=assert --run=trap --run=stack --run=check --run=none
// RUN: %compare %s %{runs}
// RUN: %compare %s --devices sm_90,gfx1100,gfx90a %{runs}
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int value;
};
int *volatile nowhere;
static const char message[] = "x"; // in memory that is only read

static long deep(long n) {
  volatile char kept[512];
  kept[n % 512] = 1;
  return n ? deep(n - 1) + kept[n % 512] : 0;
}

static int sum(const struct node *list, int n) {
  int total = 0;
  for (; n; --n, list = list->next)
    total += list->value;
  return total;
}

static int is(const char *word, const char *other) { return strcmp(word, other) == 0; }

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "none";
  printf("%s\n", how);
  fflush(stdout);
  printf("lost, for what ends so flushes nothing\n");
  if (is(how, "null"))
    return *nowhere;
  if (is(how, "member")) {
    struct node b = {0, 2}, a = {&b, 1};
    return sum(&a, atoi("3"));
  }
  if (is(how, "write"))
    *nowhere = message[0];
  if (is(how, "abort"))
    abort();
  if (is(how, "assert"))
    assert(is(how, "division by zero, illegal instruction, bus error"));
  if (is(how, "trap"))
    __builtin_trap();
  if (is(how, "stack"))
    return (int)deep(10000000);
  if (is(how, "check") && argc < 100) {
    fprintf(stderr, "invalid memory access\n");
    abort();
  }
  return 0;
}
