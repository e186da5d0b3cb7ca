// Every way in which a program in C ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --run null --run abort --run assert --run divide --run trap --run stack --run signal --run minus --run exit --run quick --run now --run plain --run handled
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int overflow(volatile int *p) {
  volatile int frame[1000];
  frame[0] = *p;
  return overflow(frame) + frame[0];
}
static void atExit(void) { puts("at exit"); }
static void atQuickExit(void) {
  if (write(1, "at quick exit\n", 14) != 14)
    _Exit(99);
}
static void onSignal(int number) { printf("signal %d\n", number); }
static sigjmp_buf back;
static void onFault(int number) { siglongjmp(back, number); }

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  volatile int zero = argc - 2;
  atexit(atExit);
  at_quick_exit(atQuickExit);
  printf("before %s\n", how);
  if (!strcmp(how, "null"))
    *(volatile int *)(long)zero = 1;
  if (!strcmp(how, "abort"))
    abort();
  if (!strcmp(how, "assert"))
    assert(zero == 1 && "this fails");
  if (!strcmp(how, "divide"))
    return 5 / zero;
  if (!strcmp(how, "trap"))
    __builtin_trap();
  if (!strcmp(how, "stack"))
    return overflow(&argc);
  if (!strcmp(how, "signal")) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = onSignal;
    sigaction(SIGUSR1, &action, 0);
    raise(SIGUSR1);
    fflush(stdout);
    raise(SIGTERM);
  }
  if (!strcmp(how, "handled")) {
    signal(SIGSEGV, onFault);
    int number = sigsetjmp(back, 1);
    if (!number)
      *(volatile int *)(long)zero = 1;
    return number;
  }
  if (!strcmp(how, "minus"))
    return -1;
  if (!strcmp(how, "exit"))
    exit(258);
  if (!strcmp(how, "quick"))
    quick_exit(7);
  if (!strcmp(how, "now"))
    _Exit(8);
  return 3;
}
