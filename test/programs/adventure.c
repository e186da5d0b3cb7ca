// A text adventure, played from standard input
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/adventure.txt --run "" --run "Ada"
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/Inputs/adventure.txt --run "" --run "Ada"
#include <stdio.h>
#include <string.h>

enum { North, South, East, West };
struct room {
  const char *name, *text;
  int to[4];
  unsigned items;
};
static const char *const items[] = {"lamp", "key", "book"};
static struct room rooms[] = {
    {"Hall", "A hall with a marble floor.", {1, -1, 2, -1}, 1},
    {"Library", "Shelves up to the ceiling.", {-1, 0, -1, -1}, 4},
    {"Kitchen", "It smells of bread.", {-1, 3, -1, 0}, 2},
    {"Cellar", "It is dark here.", {2, -1, -1, -1}, 0},
};

int main(int argc, char **argv) {
  int at = 0, turns = 0;
  unsigned carried = 0;
  char line[80];
  printf("Welcome, %s.\n", argc > 1 ? argv[1] : "stranger");
  for (;;) {
    printf("[%s] %s\n", rooms[at].name, at == 3 && !(carried & 1) ? "You see nothing." : rooms[at].text);
    for (int i = 0; i < 3; ++i)
      if (rooms[at].items >> i & 1)
        printf("  There is a %s here.\n", items[i]);
    printf("> ");
    if (!fgets(line, sizeof line, stdin))
      break;
    ++turns;
    line[strcspn(line, "\n")] = 0;
    char *noun = strchr(line, ' ');
    if (noun)
      *noun++ = 0;
    int direction = !strcmp(line, "north") ? North : !strcmp(line, "south") ? South : !strcmp(line, "east") ? East : !strcmp(line, "west") ? West : -1;
    if (direction >= 0) {
      int next = rooms[at].to[direction];
      if (next < 0)
        printf("You cannot go there.\n");
      else if (next == 3 && !(carried & 2))
        printf("The cellar is locked.\n");
      else
        at = next;
    } else if ((!strcmp(line, "take") || !strcmp(line, "drop")) && noun) {
      int dropping = line[0] == 'd', found = 0;
      unsigned *from = dropping ? &carried : &rooms[at].items, *to = dropping ? &rooms[at].items : &carried;
      for (int i = 0; i < 3; ++i)
        if (!strcmp(noun, items[i]) && *from >> i & 1) {
          *from &= ~(1u << i);
          *to |= 1u << i;
          found = 1;
        }
      printf(found ? "Done.\n" : "There is no %s.\n", noun);
    } else if (!strcmp(line, "quit")) {
      break;
    } else {
      printf("I do not know how to %s.\n", line);
    }
    if (at == 3 && carried == 7) {
      printf("You have won in %d turns.\n", turns);
      return 0;
    }
  }
  printf("You give up after %d turns.\n", turns);
  return 1;
}
