// bzip2 in a kernel: text is sorted, packed and comes back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <bzlib.h>

// What the library asks of a program that has no standard error.
extern "C" void bz_internal_error(int code) { std::printf("%d\n", code); }

static void work(char *text, unsigned long size) {
  char plain[1500], packed[2000], back[1500];
  for (unsigned i = 0; i < sizeof plain; ++i)
    plain[i] = "the quick brown fox jumps over the lazy dog "[i * 7 % 44];
  unsigned bytes = sizeof packed, length = sizeof back;
  const int packing =
      BZ2_bzBuffToBuffCompress(packed, &bytes, plain, sizeof plain, 1, 0, 30);
  const int unpacking =
      BZ2_bzBuffToBuffDecompress(back, &length, packed, bytes, 0, 0);
  unsigned sum = 0;
  for (unsigned i = 0; i != bytes; ++i)
    sum = sum * 31 + static_cast<unsigned char>(packed[i]);
  std::snprintf(text, size, "%d %d %u %u %u %d", packing, unpacking, bytes,
                length, sum, std::memcmp(plain, back, sizeof plain));
}
int main() { return compare<work>(); }
