// An interpreter of eight instructions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --run "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++." --run ",[.,]" --run "[" --input %S/Inputs/adventure.txt
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --run "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++." --run ",[.,]" --run "[" --input %S/Inputs/adventure.txt
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *program = argc > 1 ? argv[1] : "";
  size_t size = strlen(program), open[64], depth = 0, *jump = calloc(size + 1, sizeof *jump);
  for (size_t i = 0; i < size; ++i)
    if (program[i] == '[') {
      open[depth++] = i;
    } else if (program[i] == ']') {
      if (!depth)
        return 2;
      jump[i] = open[--depth];
      jump[jump[i]] = i;
    }
  if (depth) {
    fprintf(stderr, "%zu loops are open\n", depth);
    return 3;
  }
  unsigned char *tape = calloc(4096, 1), *at = tape;
  for (size_t i = 0; i < size; ++i)
    switch (program[i]) {
    case '>': ++at; break;
    case '<': --at; break;
    case '+': ++*at; break;
    case '-': --*at; break;
    case '.': putchar(*at); break;
    case ',': {
      int c = getchar();
      *at = (unsigned char)(c == EOF ? 0 : c);
      break;
    }
    case '[':
      if (!*at)
        i = jump[i];
      break;
    case ']':
      if (*at)
        i = jump[i];
      break;
    }
  free(tape);
  free(jump);
  return 0;
}
