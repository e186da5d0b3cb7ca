// Queens, a sudoku, the game of life, towers of Hanoi
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <stdio.h>
#include <string.h>

static int queens(int n, unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1, free = all & ~(columns | left | right);
  int count = columns == all;
  while (free) {
    unsigned bit = free & -free;
    free ^= bit;
    count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

static char board[82] = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
static long tried;
static int fits(int at, char digit) {
  int row = at / 9, column = at % 9;
  for (int i = 0; i < 9; ++i)
    if (board[row * 9 + i] == digit || board[i * 9 + column] == digit || board[(row / 3 * 3 + i / 3) * 9 + column / 3 * 3 + i % 3] == digit)
      return 0;
  return 1;
}
static int solve(void) {
  const char *hole = strchr(board, '.');
  if (!hole)
    return 1;
  int at = (int)(hole - board);
  for (char digit = '1'; digit <= '9'; ++digit)
    if (fits(at, digit)) {
      ++tried;
      board[at] = digit;
      if (solve())
        return 1;
      board[at] = '.';
    }
  return 0;
}

static void life(int generations) {
  static unsigned char cell[2][16][16] = {{{0, 1}, {0, 0, 1}, {1, 1, 1}}};
  for (int g = 0; g < generations; ++g)
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) {
        int around = 0;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            around += (dx || dy) && cell[g & 1][(y + dy) & 15][(x + dx) & 15];
        cell[~g & 1][y][x] = around == 3 || (around == 2 && cell[g & 1][y][x]);
      }
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x)
      putchar(cell[generations & 1][y][x] ? '#' : '.');
    putchar('\n');
  }
}

static long moves;
static void hanoi(int n, int from, int to) {
  if (!n)
    return;
  hanoi(n - 1, from, 6 - from - to);
  if (++moves % 200 == 0)
    printf("disc %d from %d to %d\n", n, from, to);
  hanoi(n - 1, 6 - from - to, to);
}

int main(void) {
  for (int n = 1; n <= 7; ++n)
    printf("%d queens: %d\n", n, queens(n, 0, 0, 0));
  if (!solve())
    return 1;
  for (int row = 0; row < 9; ++row)
    printf("%.9s\n", board + 9 * row);
  printf("%ld tries\n", tried);
  life(20);
  hanoi(10, 1, 3);
  printf("%ld moves\n", moves);
  return 0;
}
