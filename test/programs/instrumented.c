// Functions that are called at each entry and exit of others
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --options=-finstrument-functions
// RUN: %compare %s --options=-finstrument-functions-after-inlining
#include <stdio.h>

#define PLAIN __attribute__((no_instrument_function))

static int depth;

PLAIN void __cyg_profile_func_enter(void *, void *) {
  depth += 1;
}

PLAIN void __cyg_profile_func_exit(void *, void *) { depth -= 1; }

__attribute__((noinline)) static int fibonacci(int n) {
  if (n == 0)
    printf("%d\n", depth);
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

PLAIN int main(void) {
  int result = fibonacci(6);
  printf("%d %d\n", result, depth);
  return 0;
}
