// State machines, tokens and a parser of ini files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/settings.ini --run "" --run "net port" --run "net nothing"
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/Inputs/settings.ini --run "" --run "net port" --run "net nothing"
#include <stdio.h>
#include <string.h>

enum state { Start, Section, Key, Value, Comment, Bad };
struct setting {
  char section[16], key[16], value[32];
};

int main(int argc, char **argv) {
  static struct setting all[16];
  char section[16] = "";
  int count = 0, n = 0, line = 1, c;
  enum state state = Start;
  while ((c = getchar()) != EOF) {
    struct setting *s = &all[count];
    switch (state) {
    case Start:
      n = 0;
      if (c == '[') {
        state = Section;
      } else if (c == ';' || c == '#') {
        state = Comment;
      } else if (c != '\n' && c != ' ') {
        state = Key;
        strcpy(s->section, section);
        s->key[n++] = (char)c;
      }
      break;
    case Section:
      if (c == ']') {
        section[n] = 0;
        state = Comment;
      } else if (n < 15) {
        section[n++] = (char)c;
      }
      break;
    case Key:
      if (c == '=') {
        s->key[n] = 0;
        n = 0;
        state = Value;
      } else if (c == '\n') {
        fprintf(stderr, "line %d: no value\n", line);
        state = Start;
        memset(s, 0, sizeof *s);
      } else if (c != ' ' && n < 15) {
        s->key[n++] = (char)c;
      }
      break;
    case Value:
      if (c == '\n') {
        s->value[n] = 0;
        ++count;
        state = Start;
      } else if (n < 31 && (n || c != ' ')) {
        s->value[n++] = (char)c;
      }
      break;
    case Comment:
      if (c == '\n')
        state = Start;
      break;
    case Bad:
      return 9;
    }
    line += c == '\n';
  }
  for (int i = 0; i < count; ++i)
    if (argc == 1)
      printf("%s.%s = '%s'\n", all[i].section, all[i].key, all[i].value);
    else if (argc > 2 && !strcmp(argv[1], all[i].section) && !strcmp(argv[2], all[i].key))
      return printf("%s\n", all[i].value) > 0 ? 0 : 8;
  return argc == 1 ? count : 1;
}
