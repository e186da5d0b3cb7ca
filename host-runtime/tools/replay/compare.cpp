// What a replay left in memory, beside what was recorded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace replay {

/// Of each range, words that differ are shown up to so many.
static constexpr int MostShown = 4;

namespace {
/// A range after the replay, and as it was recorded.
struct Pair {
  const Range &range;
  const char *now, *then;
};
} // namespace

static uint64_t countDifferent(const Pair &p) {
  uint64_t different = 0;
  for (uint64_t i = 0; i != p.range.bytes; ++i)
    different += p.now[i] != p.then[i];
  return different;
}

/// "byte 16: 0x0000002a (42, 5.9e-44), recorded 0x0000002b (43, 6.0e-44)".
static void show(const Pair &p, uint64_t byte, size_t size) {
  uint32_t now = 0, then = 0;
  memcpy(&now, p.now + byte, size);
  memcpy(&then, p.then + byte, size);
  float asFloat[2];
  memcpy(&asFloat[0], &now, sizeof(now));
  memcpy(&asFloat[1], &then, sizeof(then));
  printf("  byte %llu: 0x%08x (%d, %g), recorded 0x%08x (%d, %g)\n",
         static_cast<unsigned long long>(byte), now, int(now),
         double(asFloat[0]), then, int(then), double(asFloat[1]));
}

static void showWords(const Pair &p) {
  int shown = 0;
  for (uint64_t i = 0; i < p.range.bytes; i += 4) {
    const size_t size = size_t(std::min<uint64_t>(4, p.range.bytes - i));
    if (memcmp(p.now + i, p.then + i, size) == 0)
      continue;
    if (shown++ == MostShown) {
      printf("  ...\n");
      return;
    }
    show(p, i, size);
  }
}

uint64_t compare(const Launch &l, const std::string &memory) {
  uint64_t all = 0;
  for (const Range &r : l.memory) {
    const Pair p{r, memory.data() + r.offset, l.after.data() + r.offset};
    if (memcmp(p.now, p.then, r.bytes) == 0)
      continue;
    const uint64_t different = countDifferent(p);
    printf("%llu of the %llu bytes at 0x%llx differ:\n",
           static_cast<unsigned long long>(different),
           static_cast<unsigned long long>(r.bytes),
           static_cast<unsigned long long>(r.begin));
    showWords(p);
    all += different;
  }
  return all;
}

} // namespace replay
