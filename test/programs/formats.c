// printf in many forms, and what the integers of C do
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int report(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(to, size, format, list);
  va_end(list);
  return n;
}
union bits {
  double d;
  uint64_t u;
};
struct fields {
  unsigned a : 3;
  int b : 5;
  unsigned long long c : 40;
};

int main(void) {
  printf("%d %i %u %x %X %#x %o %c %s %%\n", -5, 7, 9u, 255, 255, 255, 8, 'x', "text");
  printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%*d] [%.3d]\n", 42, 42, 42, 42, 42, 6, 42, 7);
  printf("[%10s] [%-10s] [%.2s] [%p]\n", "right", "left", "cut", (void *)0);
  printf("%f %.2f %e %g %G %a\n", 3.14159, 2.5, 12345.678, 1e-10, 1e20, 1.0);
  printf("%ld %lld %hhd %hu %zu %" PRIu64 "\n", LONG_MIN, LLONG_MAX, (signed char)200, (unsigned short)70000, sizeof(long), UINT64_MAX);
  char buffer[16];
  printf("%d '%s'\n", report(buffer, sizeof buffer, "%s-%d-%s", "abcdefgh", 12345, "ijkl"), buffer);
  union bits one = {1.0 / 3};
  struct fields f = {7, -16, 1ull << 39};
  f.a += 2;
  printf("%016" PRIx64 " %u %d %llu\n", one.u, f.a, f.b, (unsigned long long)f.c);
  printf("%d %d %u %d\n", -7 / 2, -7 % 2, -7u / 2, -8 >> 1);
  printf("%d %d %d\n", __builtin_popcount(0xf0f0), __builtin_clz(1), __builtin_ctzll(1ull << 40));
  int before, behind;
  printf("%s%n and %d%n\n", "so far", &before, 12345, &behind);
  printf("%d %d\n", before, behind);
  int total;
  printf("%d %d\n", __builtin_add_overflow(INT_MAX, 1, &total), total == INT_MIN);
  return 0;
}
