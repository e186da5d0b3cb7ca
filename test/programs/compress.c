// Huffman codes and LZ77: a file is packed, unpacked, compared
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --run %S/forth.c
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --run %S/forth.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long codes[256];
static int lengths[256];
struct tree {
  long weight;
  int letter;
  struct tree *zero, *one;
};
static void assign(const struct tree *t, unsigned long long code, int length) {
  if (t->letter >= 0) {
    codes[t->letter] = code;
    lengths[t->letter] = length ? length : 1;
    return;
  }
  assign(t->zero, code << 1, length + 1);
  assign(t->one, code << 1 | 1, length + 1);
}
static size_t pack(const unsigned char *from, size_t size, unsigned char *to) {
  size_t n = 0;
  for (size_t i = 0; i < size;) {
    size_t best = 0, where = 0;
    for (size_t j = i > 255 ? i - 255 : 0; j < i; ++j) {
      size_t k = 0;
      while (k < 255 && i + k < size && from[j + k] == from[i + k])
        ++k;
      if (k > best)
        best = k, where = i - j;
    }
    if (best > 3) {
      to[n++] = 1, to[n++] = (unsigned char)where, to[n++] = (unsigned char)best;
      i += best;
    } else {
      to[n++] = 0, to[n++] = from[i++];
    }
  }
  return n;
}
static size_t unpack(const unsigned char *from, size_t size, unsigned char *to) {
  size_t n = 0;
  for (size_t i = 0; i < size;)
    if (from[i] == 0) {
      to[n++] = from[i + 1];
      i += 2;
    } else {
      for (int k = 0; k < from[i + 2]; ++k, ++n)
        to[n] = to[n - from[i + 1]];
      i += 3;
    }
  return n;
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : 0;
  if (!file)
    return 1;
  static unsigned char text[4096], packed[8192], back[4096];
  size_t size = fread(text, 1, sizeof text, file);
  fclose(file);
  struct tree *forest[256];
  int trees = 0;
  for (int letter = 0; letter < 256; ++letter) {
    struct tree *t = calloc(1, sizeof *t);
    t->letter = letter;
    for (size_t i = 0; i < size; ++i)
      t->weight += text[i] == letter;
    if (t->weight)
      forest[trees++] = t;
    else
      free(t);
  }
  while (trees > 1) {
    for (int low = 0; low < 2; ++low)
      for (int i = trees - 1 - low; i--;)
        if (forest[i]->weight < forest[trees - 1 - low]->weight) {
          struct tree *t = forest[i];
          forest[i] = forest[trees - 1 - low];
          forest[trees - 1 - low] = t;
        }
    struct tree *t = calloc(1, sizeof *t);
    t->letter = -1;
    t->one = forest[--trees];
    t->zero = forest[trees - 1];
    t->weight = t->one->weight + t->zero->weight;
    forest[trees - 1] = t;
  }
  assign(forest[0], 0, 0);
  long bits = 0;
  for (size_t i = 0; i < size; ++i)
    bits += lengths[text[i]];
  for (int letter = 'a'; letter <= 'f'; ++letter)
    printf("%c: %d bits, %llx\n", letter, lengths[letter], codes[letter]);
  size_t length = pack(text, size, packed);
  printf("%zu bytes: %ld with Huffman's, %zu with Lempel's and Ziv's\n", size, (bits + 7) / 8, length);
  file = fopen("packed.bin", "wb");
  fwrite(packed, 1, length, file);
  fclose(file);
  return unpack(packed, length, back) == size && !memcmp(text, back, size) ? 0 : 2;
}
