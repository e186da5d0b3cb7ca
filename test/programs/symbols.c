// Assembly of a file and in functions, names of one's own, aliases, ifuncs, constructors
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
#include <stdio.h>
__asm__(".globl asmfn\nasmfn: movl $42,%eax\nret\n");
int asmfn(void); int called_by_asm(void){ return 9; }
__asm__(".globl asm2\nasm2: subq $8,%rsp\ncall called_by_asm\naddq $8,%rsp\nret\n");
int asm2(void);
static int used_by_asm __attribute__((used)) = 3;
#include <stdlib.h>
static int one(void) { return 1; }
static int (*resolve(void))(void) { return one; }
int resolved(void) __attribute__((ifunc("resolve")));
static void __attribute__((constructor(200))) second(void) { puts("second"); }
static void __attribute__((constructor(150))) first(int argc, char **argv, char **envp) {
  printf("first %d %d %d\n", argc, argv[argc] == 0, envp != 0);
}
static void __attribute__((constructor)) third(void) { puts("third"); }
static void __attribute__((destructor(200))) beforeLast(void) { puts("before last"); }
static void __attribute__((destructor(150))) last(void) { puts("last"); }
static void atExit(void) { puts("at exit"); }
static char buffer[4096];
int main(void) {
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  atexit(atExit);
  printf("%d %d %d\n", asmfn(), asm2(), resolved());
  return 0;
}
