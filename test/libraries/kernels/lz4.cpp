// LZ4 in a kernel: blocks, with little and with much effort, and frames
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>

static unsigned sumOf(const char *bytes, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + static_cast<unsigned char>(bytes[i]);
  return sum;
}

static void work(char *text, unsigned long size) {
  char plain[1000], fast[1200], small[1200], back[1000], frame[1300];
  for (unsigned i = 0; i < sizeof plain; ++i)
    plain[i] = char('a' + i * i % 23 % 7 + i / 300);
  const int a = LZ4_compress_default(plain, fast, sizeof plain, sizeof fast);
  const int b = LZ4_compress_HC(plain, small, sizeof plain, sizeof small, 9);
  const int c = LZ4_decompress_safe(small, back, b, sizeof back);
  const size_t d =
      LZ4F_compressFrame(frame, sizeof frame, plain, sizeof plain, nullptr);
  std::snprintf(text, size, "%d %u %d %u %d %d %zu %u", a, sumOf(fast, a), b,
                sumOf(small, b), c, std::memcmp(plain, back, sizeof plain), d,
                LZ4F_isError(d) ? 0 : sumOf(frame, int(d)));
}
int main() { return compare<work>(); }
