// miniz in a kernel: bytes are compressed and come back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <miniz.h>

static void work(char *text, unsigned long size) {
  unsigned char plain[600], packed[800], back[600];
  for (unsigned i = 0; i < sizeof plain; ++i)
    plain[i] = static_cast<unsigned char>(i * i % 37 + i / 50);
  mz_ulong bytes = sizeof packed, length = sizeof back;
  int packing = mz_compress2(packed, &bytes, plain, sizeof plain, 6);
  int unpacking = mz_uncompress(back, &length, packed, bytes);
  std::snprintf(text, size, "%d %d %lu %lu %lu %lu %d", packing, unpacking,
                bytes, length, mz_crc32(MZ_CRC32_INIT, packed, bytes),
                mz_adler32(1, plain, sizeof plain),
                std::memcmp(plain, back, sizeof plain));
}
int main() { return compare<work>(); }
