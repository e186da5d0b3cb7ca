// zlib in a kernel: bytes are compressed, in one piece and as a stream
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <zlib.h>

static void work(char *text, unsigned long size) {
  unsigned char plain[700], packed[900], back[700];
  for (unsigned i = 0; i < sizeof plain; ++i)
    plain[i] = static_cast<unsigned char>(i * i % 41 + i / 60);
  uLongf bytes = sizeof packed, length = sizeof back;
  const int packing = compress2(packed, &bytes, plain, sizeof plain, 9);
  const int unpacking = uncompress(back, &length, packed, bytes);
  const uLong sum = crc32(0, packed, uInt(bytes));
  z_stream stream{};
  int streaming = deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_FILTERED);
  stream.next_out = packed;
  stream.avail_out = sizeof packed;
  for (unsigned at = 0; at < sizeof plain; at += 100) {
    stream.next_in = plain + at;
    stream.avail_in = 100;
    streaming += 10 * deflate(&stream, at == 600 ? Z_FINISH : Z_SYNC_FLUSH);
  }
  streaming += 1000 * deflateEnd(&stream);
  std::snprintf(text, size, "%d %d %lu %lu %lx %x %d; %d %lu %lx", packing,
                unpacking, bytes, length, sum,
                unsigned(adler32(1, plain, sizeof plain)),
                std::memcmp(plain, back, sizeof plain), streaming,
                stream.total_out, crc32(0, packed, uInt(stream.total_out)));
}
int main() { return compare<work>(); }
