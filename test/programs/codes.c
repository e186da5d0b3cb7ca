// CRC, Adler, base64 and run lengths of standard input, there and back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/../../examples/data/README.md
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/../../examples/data/README.md
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const unsigned char *from, size_t size, char *to) {
  size_t n = 0;
  for (size_t i = 0; i < size; i += 3) {
    uint32_t three = from[i] << 16 | (i + 1 < size ? from[i + 1] << 8 : 0) | (i + 2 < size ? from[i + 2] : 0);
    for (int k = 0; k < 4; ++k)
      to[n++] = i + k <= size ? Digits[three >> (18 - 6 * k) & 63] : '=';
  }
  to[n] = 0;
  return n;
}
static size_t decode(const char *from, unsigned char *to) {
  size_t n = 0;
  for (; *from; from += 4) {
    uint32_t four = 0;
    int pads = 0;
    for (int k = 0; k < 4; ++k) {
      const char *digit = strchr(Digits, from[k]);
      pads += from[k] == '=';
      four = four << 6 | (digit ? (uint32_t)(digit - Digits) : 0);
    }
    for (int k = 0; k < 3 - pads; ++k)
      to[n++] = (unsigned char)(four >> (16 - 8 * k));
  }
  return n;
}

int main(void) {
  unsigned char *text = malloc(1 << 16), *back = malloc(1 << 16);
  char *code = malloc(1 << 17);
  size_t size = fread(text, 1, 1 << 16, stdin);
  uint32_t crc = ~0u, a = 1, b = 0;
  for (size_t i = 0; i < size; ++i) {
    crc ^= text[i];
    for (int k = 0; k < 8; ++k)
      crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
    a = (a + text[i]) % 65521;
    b = (b + a) % 65521;
  }
  printf("%zu bytes, crc %08x, adler %04x%04x\n", size, ~crc, b, a);
  for (size_t part = size; part + 3 > size; --part) {
    size_t length = encode(text, part, code);
    printf("%zu digits ...%s\n", length, code + length - 12);
    if (decode(code, back) != part || memcmp(text, back, part))
      return 1;
  }
  free(text);
  free(back);
  free(code);
  return 0;
}
