// A byte code: branches that nobody predicts, and memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

enum { Push, Add, Less, JumpIfNot, Jump, Load, Store, Halt };

static long run(const int *code) {
  long stack[16], variables[4] = {0}, *top = stack;
  for (const int *at = code;;)
    switch (*at++) {
    case Push:
      *top++ = *at++;
      break;
    case Add:
      --top;
      top[-1] += top[0];
      break;
    case Less:
      --top;
      top[-1] = top[-1] < top[0];
      break;
    case JumpIfNot:
      at = *--top ? at + 1 : code + *at;
      break;
    case Jump:
      at = code + *at;
      break;
    case Load:
      *top++ = variables[*at++];
      break;
    case Store:
      variables[*at++] = *--top;
      break;
    case Halt:
      return variables[1];
    }
}

int main(void) {
  static const int code[] = {Load, 0, Push, 40000000, Less, JumpIfNot, 24,
                             Load, 1, Load, 0,        Add,  Store,     1,
                             Load, 0, Push, 1,        Add,  Store,     0,
                             Jump, 0, Halt, Halt};
  printf("%ld\n", run(code));
  return 0;
}
