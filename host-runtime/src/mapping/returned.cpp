// Objects that were copied back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/returned.h"

#include <atomic>
#include <iterator>

namespace xcc::rt {

namespace {
struct Range {
  uintptr_t begin, end;
};
} // namespace

/// The ranges of the latest objects; earlier ones are forgotten.
static Range latest[4096];
static std::atomic<uint64_t> count = 0;

uint64_t objectsReturned() { return count.load(std::memory_order_acquire); }

void noteReturned(const Entry &e) {
  const uint64_t n = count.load(std::memory_order_relaxed);
  latest[n % std::size(latest)] = {e.begin, e.end()};
  count.store(n + 1, std::memory_order_release);
}

bool hasOutdatedObjects(const xcc_mapping &m) {
  const uint64_t now = count.load(std::memory_order_relaxed);
  if (m.older || m.returned == now)
    return m.older;
  // Visiting again is cheaper than this many comparisons.
  constexpr uint64_t MostCompared = 1'000'000;
  if (now - m.returned > std::size(latest) ||
      (now - m.returned) * m.ranges.size() > MostCompared)
    return true;
  for (uint64_t n = m.returned; n != now; ++n)
    for (const NamedRange &r : m.ranges)
      if (const Range &back = latest[n % std::size(latest)];
          r.begin < back.end && back.begin < r.end())
        return true;
  return false;
}

} // namespace xcc::rt
