// Compiled with -fno-exceptions: what it calls may throw all the same.
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <xcc/xcc.h>

int between(int (*f)(int), int n);
int between(int (*f)(int), int n) { return f(n) + 1; }
