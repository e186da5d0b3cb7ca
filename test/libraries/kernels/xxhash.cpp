// xxHash in a kernel: all of its functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <xxhash.h>

static void work(char *text, unsigned long size) {
  unsigned char bytes[1000];
  for (unsigned i = 0; i < sizeof bytes; ++i)
    bytes[i] = static_cast<unsigned char>(i * 31 + i / 7);
  unsigned long long three = 0;
  for (unsigned n : {0u, 3u, 8u, 16u, 100u, 240u, 241u, 1000u})
    three = three * 1000003 + XXH3_64bits_withSeed(bytes, n, n);
  const XXH128_hash_t wide = XXH3_128bits(bytes, 999);
  XXH3_state_t *state = XXH3_createState();
  XXH3_64bits_reset(state);
  for (unsigned at = 0; at < 1000; at += 125)
    XXH3_64bits_update(state, bytes + at, 125);
  const XXH64_hash_t streamed = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  std::snprintf(text, size, "%x %llx %llx %llx %llx %d",
                XXH32(bytes, sizeof bytes, 5),
                static_cast<unsigned long long>(XXH64(bytes, 777, 9)), three,
                static_cast<unsigned long long>(wide.low64),
                static_cast<unsigned long long>(wide.high64),
                streamed == XXH3_64bits(bytes, sizeof bytes));
}
int main() { return compare<work>(); }
