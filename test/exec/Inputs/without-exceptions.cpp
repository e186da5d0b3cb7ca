// Compiled with -fno-exceptions: what it calls may throw all the same.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <xcc/xcc.h>

int between(int (*f)(int), int n);
int between(int (*f)(int), int n) { return f(n) + 1; }

struct Second {
  double half;
  int number;
};
Second pairBetween(int (*f)(int), int n);
Second pairBetween(int (*f)(int), int n) {
  volatile char large[900];
  for (int i = 0; i != 900; ++i)
    large[i] = char(i + n);
  return {f(n) * 0.5, large[n] + 1};
}
