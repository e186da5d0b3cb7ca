// A pool allocator, a ring, a doubly linked list, a skip list
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
  struct block *next;
};
static char arena[1 << 14] __attribute__((aligned(16)));
static size_t top;
static struct block *freeList[8];
static void *take(size_t size) {
  int class = 0;
  while ((16u << class) < size)
    ++class;
  struct block *b = freeList[class];
  if (b) {
    freeList[class] = b->next;
    return b;
  }
  if (top + (16u << class) > sizeof arena)
    return 0;
  void *p = arena + top;
  top += 16u << class;
  return p;
}
static void give(void *p, size_t size) {
  int class = 0;
  while ((16u << class) < size)
    ++class;
  struct block *b = p;
  b->next = freeList[class];
  freeList[class] = b;
}
struct node {
  int key, height;
  struct node *next[];
};
static unsigned seed = 9;
static struct node *make(int key, int height) {
  struct node *n = take(offsetof(struct node, next) + height * sizeof(struct node *));
  n->key = key;
  n->height = height;
  return n;
}

int main(void) {
  struct node *head = make(-1, 6);
  memset(head->next, 0, 6 * sizeof *head->next);
  int inserted = 0, removed = 0;
  for (int step = 0; step < 600; ++step) {
    seed = seed * 1103515245 + 12345;
    int key = seed >> 20 & 127, height = 1;
    while (height < 6 && seed >> height & 1)
      ++height;
    struct node *before[6], *n = head;
    for (int level = 6; level--;) {
      while (n->next[level] && n->next[level]->key < key)
        n = n->next[level];
      before[level] = n;
    }
    n = n->next[0];
    if (n && n->key == key) {
      for (int level = 0; level < n->height; ++level)
        before[level]->next[level] = n->next[level];
      give(n, offsetof(struct node, next) + n->height * sizeof(struct node *));
      ++removed;
    } else {
      n = make(key, height);
      for (int level = 0; level < height; ++level) {
        n->next[level] = before[level]->next[level];
        before[level]->next[level] = n;
      }
      ++inserted;
    }
  }
  int left = 0;
  for (struct node *n = head->next[0]; n; n = n->next[0])
    printf("%d%c", n->key, ++left % 16 ? ' ' : '\n');
  printf("\n%d - %d = %d, %zu bytes\n", inserted, removed, left, top);
  return inserted - removed == left ? 0 : 1;
}
