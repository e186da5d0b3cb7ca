// A Forth, which compiles to threaded code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/program.fth
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/Inputs/program.fth
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Literal, Call, Exit, Jump, JumpIfZero, Add, Sub, Mul, Div, Mod, Less, Equal, Dup, Drop, Swap, Over, Rot, Print, Emit, Cr, Do, Loop, I, ToR, FromR, Text };
struct word {
  char name[32];
  int code;  // a primitive, or Call
  int start; // of its code
};
static struct word words[256];
static int wordCount;
static long code[8192], stack[256], returns[256];
static int here, sp, rp, compiling;
static char line[512];
static const char *at = "";

static void fail(const char *what, const char *name) {
  fprintf(stderr, "? %s %s\n", what, name);
  exit(2);
}
static void push(long value) {
  if (sp == 256)
    fail("stack overflow", "");
  stack[sp++] = value;
}
static long pop(void) {
  if (!sp)
    fail("stack underflow", "");
  return stack[--sp];
}
static void primitive(const char *name, int op) {
  strcpy(words[wordCount].name, name);
  words[wordCount++].code = op;
}
static int next(char *word) {
  for (;;) {
    while (*at == ' ' || *at == '\n')
      ++at;
    if (*at)
      break;
    if (!fgets(line, sizeof line, stdin))
      return 0;
    at = line;
  }
  int n = 0;
  while (*at && *at != ' ' && *at != '\n' && n < 31)
    word[n++] = *at++;
  word[n] = 0;
  return 1;
}
static void run(int pc) {
  int base = rp;
  for (;;) {
    long b;
    switch (code[pc++]) {
    case Literal: push(code[pc++]); break;
    case Call:
      if (rp > 250)
        fail("return stack overflow", "");
      returns[rp++] = pc + 1;
      pc = (int)code[pc];
      break;
    case Exit:
      if (rp == base)
        return;
      pc = (int)returns[--rp];
      break;
    case Jump: pc = (int)code[pc]; break;
    case JumpIfZero: pc = pop() ? pc + 1 : (int)code[pc]; break;
    case Add: b = pop(); push(pop() + b); break;
    case Sub: b = pop(); push(pop() - b); break;
    case Mul: b = pop(); push(pop() * b); break;
    case Div:
      b = pop();
      if (!b)
        fail("division by zero", "");
      push(pop() / b);
      break;
    case Mod: b = pop(); push(pop() % b); break;
    case Less: b = pop(); push(-(pop() < b)); break;
    case Equal: b = pop(); push(-(pop() == b)); break;
    case Dup: b = pop(); push(b); push(b); break;
    case Drop: pop(); break;
    case Swap: b = pop(); { long a = pop(); push(b); push(a); } break;
    case Over: b = pop(); { long a = pop(); push(a); push(b); push(a); } break;
    case Rot: { long c = pop(); b = pop(); long a = pop(); push(b); push(c); push(a); } break;
    case Print: printf("%ld ", pop()); break;
    case Emit: printf("%c", (char)pop()); break;
    case Cr: printf("\n"); break;
    case Do: b = pop(); returns[rp++] = pop(); returns[rp++] = b; break;
    case Loop:
      if (++returns[rp - 1] < returns[rp - 2]) {
        pc = (int)code[pc];
      } else {
        rp -= 2;
        ++pc;
      }
      break;
    case I: push(returns[rp - 1]); break;
    case ToR: returns[rp++] = pop(); break;
    case FromR: push(returns[--rp]); break;
    case Text: printf("%s", (const char *)&code[pc + 1]); pc += 1 + (int)code[pc]; break;
    }
  }
}

int main(void) {
  const struct { const char *name; int op; } all[] = {{"+", Add}, {"-", Sub}, {"*", Mul}, {"/", Div}, {"mod", Mod}, {"<", Less}, {"=", Equal}, {"dup", Dup}, {"drop", Drop}, {"swap", Swap}, {"over", Over}, {"rot", Rot}, {".", Print}, {"emit", Emit}, {"cr", Cr}, {"i", I}, {">r", ToR}, {"r>", FromR}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
    primitive(all[i].name, all[i].op);
  char word[32];
  int marks[16], markCount = 0;
  while (next(word)) {
    int begin = here;
    if (!strcmp(word, ":")) {
      next(word);
      strcpy(words[wordCount].name, word);
      words[wordCount].code = Call;
      words[wordCount++].start = here;
      compiling = 1;
      continue;
    }
    if (!strcmp(word, ";")) {
      code[here++] = Exit;
      compiling = 0;
      continue;
    }
    if (!strcmp(word, "bye"))
      exit((int)pop());
    if (!strcmp(word, "if")) {
      code[here++] = JumpIfZero;
      marks[markCount++] = here++;
    } else if (!strcmp(word, "else")) {
      code[here++] = Jump;
      code[marks[markCount - 1]] = here + 1;
      marks[markCount - 1] = here++;
    } else if (!strcmp(word, "then")) {
      code[marks[--markCount]] = here;
    } else if (!strcmp(word, "do")) {
      code[here++] = Do;
      marks[markCount++] = here;
    } else if (!strcmp(word, "loop")) {
      code[here++] = Loop;
      code[here++] = marks[--markCount];
    } else if (!strcmp(word, "recurse")) {
      code[here++] = Call;
      code[here++] = words[wordCount - 1].start;
    } else if (!strcmp(word, ".\"")) {
      const char *end = strchr(++at, '"');
      int bytes = (int)(end - at), cells = bytes / 8 + 1;
      code[here++] = Text;
      code[here++] = cells;
      memcpy(&code[here], at, bytes);
      ((char *)&code[here])[bytes] = 0;
      here += cells;
      at = end + 1;
    } else {
      int found = wordCount;
      while (found-- && strcmp(words[found].name, word))
        ;
      char *rest;
      long value = strtol(word, &rest, 10);
      if (found >= 0) {
        code[here++] = words[found].code;
        if (words[found].code == Call)
          code[here++] = words[found].start;
      } else if (!*rest) {
        code[here++] = Literal;
        code[here++] = value;
      } else {
        fail("what is", word);
      }
    }
    if (!compiling && !markCount) {
      code[here] = Exit;
      run(begin);
      here = begin;
    }
  }
  return sp;
}
