// Dates: broken down, put together, and written
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: env TZ=UTC %compare %s
// RUN: env TZ=EST5EDT,M3.2.0,M11.1.0 %compare %s --devices sm_90,gfx1100
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void show(const struct tm *t) {
  char text[128];
  size_t size = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j %U %Z %z %p %y %%", t);
  printf("%zu %s %d %ld %s\n", size, text, t->tm_isdst, t->tm_gmtoff, t->tm_zone);
}

int main(void) {
  const time_t times[] = {0, 1, 951782400, 1720000000, 1700000000, -1, 4102444800, 253402300799};
  for (unsigned i = 0; i != sizeof times / sizeof *times; ++i) {
    struct tm t;
    show(gmtime(&times[i]));
    show(localtime(&times[i]));
    localtime_r(&times[i], &t);
    printf("%d %s", mktime(&t) == times[i], asctime(&t));
    gmtime_r(&times[i], &t);
    printf("%d %s", timegm(&t) == times[i], ctime(&times[i]));
  }
  struct tm t = {.tm_year = 124, .tm_mon = 13, .tm_mday = 31, .tm_hour = 25, .tm_isdst = -1};
  printf("%ld\n", (long)mktime(&t));
  show(&t);
  char few[4] = "xyz";
  printf("%zu %zu\n", strftime(few, sizeof few, "%Y", &t), strftime(few, sizeof few, "", &t));
  long far = 0x7fffffffffffffff;
  printf("%d %s\n", gmtime(&far) == NULL, strerror(errno));
  printf("%.1f %.1f\n", difftime(10, 4), difftime(-3, 4));
  struct timespec a, b, wait = {0, 2000000};
  clock_gettime(CLOCK_MONOTONIC, &a);
  nanosleep(&wait, NULL);
  usleep(10);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%d %d %d\n", (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >= 2000000,
         timespec_get(&a, TIME_UTC) == TIME_UTC, time(NULL) > 1700000000 && clock() >= 0);
}
