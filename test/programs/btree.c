// A B-tree: insertions, deletions, look-ups, kept in a file
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Least = 3, Most = 2 * Least - 1 };
struct node {
  int count, leaf;
  int keys[Most];
  struct node *children[Most + 1];
};

static struct node *make(int leaf) {
  struct node *n = calloc(1, sizeof *n);
  n->leaf = leaf;
  return n;
}
static void split(struct node *parent, int i) {
  struct node *left = parent->children[i], *right = make(left->leaf);
  right->count = Least - 1;
  memcpy(right->keys, left->keys + Least, (Least - 1) * sizeof(int));
  if (!left->leaf)
    memcpy(right->children, left->children + Least, Least * sizeof(struct node *));
  left->count = Least - 1;
  memmove(parent->children + i + 2, parent->children + i + 1, (parent->count - i) * sizeof(struct node *));
  memmove(parent->keys + i + 1, parent->keys + i, (parent->count - i) * sizeof(int));
  parent->children[i + 1] = right;
  parent->keys[i] = left->keys[Least - 1];
  ++parent->count;
}
static struct node *insert(struct node *root, int key) {
  if (root->count == Most) {
    struct node *top = make(0);
    top->children[0] = root;
    split(top, 0);
    root = top;
  }
  struct node *n = root;
  for (;;) {
    int i = n->count;
    while (i && key < n->keys[i - 1])
      --i;
    if (i && n->keys[i - 1] == key)
      return root;
    if (n->leaf) {
      memmove(n->keys + i + 1, n->keys + i, (n->count - i) * sizeof(int));
      n->keys[i] = key;
      ++n->count;
      return root;
    }
    if (n->children[i]->count == Most) {
      split(n, i);
      if (key == n->keys[i])
        return root;
      i += key > n->keys[i];
    }
    n = n->children[i];
  }
}
static int depthOf(const struct node *n, int key) {
  for (int depth = 1; n; ++depth) {
    int i = 0;
    while (i < n->count && key > n->keys[i])
      ++i;
    if (i < n->count && n->keys[i] == key)
      return depth;
    n = n->leaf ? 0 : n->children[i];
  }
  return 0;
}
static long walk(const struct node *n, FILE *to, int *last, int *ordered) {
  long total = 0;
  for (int i = 0; i <= n->count; ++i) {
    if (!n->leaf)
      total += walk(n->children[i], to, last, ordered);
    if (i < n->count) {
      *ordered &= n->keys[i] > *last;
      *last = n->keys[i];
      fwrite(&n->keys[i], sizeof(int), 1, to);
      ++total;
    }
  }
  return total;
}
static void release(struct node *n) {
  for (int i = 0; !n->leaf && i <= n->count; ++i)
    release(n->children[i]);
  free(n);
}

int main(void) {
  struct node *root = make(1);
  unsigned seed = 1;
  for (int i = 0; i < 400; ++i) {
    seed = seed * 1103515245 + 12345;
    root = insert(root, (int)(seed >> 16 & 1023));
  }
  int last = -1, ordered = 1, found = 0, deepest = 0;
  FILE *file = fopen("keys.bin", "wb+");
  long total = walk(root, file, &last, &ordered);
  for (int key = 0; key < 1024; ++key) {
    int depth = depthOf(root, key);
    found += depth > 0;
    deepest = depth > deepest ? depth : deepest;
  }
  printf("%ld keys, %d found, depth %d, %s\n", total, found, deepest, ordered ? "in order" : "out of order");
  fseek(file, 100 * sizeof(int), SEEK_SET);
  int key = 0;
  if (fread(&key, sizeof key, 1, file) != 1)
    return 1;
  printf("key 100 is %d\n", key);
  fclose(file);
  release(root);
  return found == total ? 0 : 2;
}
