// What a process does: threads of its own, children, descriptors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --options=-pthread
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread int own = 1;
static void *work(void *argument) {
  own = (int)(long)argument;
  return (void *)(long)(own * 2);
}
static void bye(void) { puts("bye"); }

int main(void) {
  pthread_t thread;
  void *result;
  atexit(bye);
  pthread_create(&thread, 0, work, (void *)21);
  pthread_join(thread, &result);
  printf("%ld %d\n", (long)result, own);
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    puts("child");
    exit(4);
  }
  int status;
  waitpid(child, &status, 0);
  printf("parent %d, descriptor %d\n", WEXITSTATUS(status), open("/dev/null", O_RDONLY));
  return 0;
}
