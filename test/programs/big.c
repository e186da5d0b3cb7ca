// Factorials and Fibonacci numbers of hundreds of digits
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --run 60 --run 100
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --run 60 --run 100
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int used;
  unsigned digit[64]; // nine decimal digits each
} big;

static void times(big *b, unsigned by) {
  unsigned long long carry = 0;
  for (int i = 0; i < b->used || carry; ++i) {
    if (i == b->used)
      b->digit[b->used++] = 0;
    carry += (unsigned long long)b->digit[i] * by;
    b->digit[i] = carry % 1000000000;
    carry /= 1000000000;
  }
}
static void add(big *a, const big *b) {
  unsigned carry = 0;
  for (int i = 0; i < b->used || i < a->used || carry; ++i) {
    if (i == a->used)
      a->digit[a->used++] = 0;
    carry += a->digit[i] + (i < b->used ? b->digit[i] : 0);
    a->digit[i] = carry % 1000000000;
    carry /= 1000000000;
  }
}
static void print(const char *name, const big *b) {
  printf("%s = %u", name, b->digit[b->used - 1]);
  for (int i = b->used - 1; i--;)
    printf("%09u", b->digit[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30;
  big f = {1, {1}}, a = {1, {0}}, b = {1, {1}};
  for (int i = 2; i <= n; ++i)
    times(&f, (unsigned)i);
  for (int i = 0; i < n; ++i) {
    big next = a;
    add(&next, &b);
    a = b;
    b = next;
  }
  print("n!", &f);
  print("fib(n)", &a);
  return f.used;
}
