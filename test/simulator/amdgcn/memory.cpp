// What a device may reach
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory.h"
#include "test/mock/device_memory.h"
#include "test/mock/hsa/state.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>

namespace amdgcn {

void Reach::addOwn(const void *base, size_t bytes, bool writable) {
  own[ownCount++] = {reinterpret_cast<uintptr_t>(base), bytes, 0, writable};
}

void Reach::refresh() {
  uint64_t now = mock::state().memoryVersion.load(std::memory_order_acquire);
  if (now == version)
    return;
  version = now;
  for (Range &r : cache)
    r = {};
}

uint8_t *Reach::lookUp(uint64_t at, unsigned size, Access how) {
  auto holds = [&](const Range &r) {
    // Atomics of one and two bytes are the word's that they are in, which memory
    // of a device holds: it begins and ends at such.
    const uint64_t bytes =
        size == 4 && at % 4 == 0 ? (r.bytes + 3) & ~uint64_t(3) : r.bytes;
    return at - r.base < r.bytes && size <= bytes - (at - r.base) &&
           (how == Access::Read || r.writable);
  };
  Range found;
  if (auto *r = std::find_if(own, own + ownCount, holds); r != own + ownCount) {
    found = *r;
  } else {
    mock::State &s = mock::state();
    std::lock_guard lock(s.mutex);
    auto after = s.memory.upper_bound(at);
    if (after != s.memory.begin()) {
      auto &[base, b] = *std::prev(after);
      if (std::find(b.agents.begin(), b.agents.end(), agent) != b.agents.end())
        found = {base, b.bytes, mock::deviceShift(base), !b.readOnly};
    }
    if (!holds(found)) {
      auto locked = s.locked.upper_bound(at);
      if (locked != s.locked.begin()) {
        auto &[base, bytes] = *std::prev(locked);
        found = {base, bytes, 0, true};
      }
    }
    if (!holds(found))
      return nullptr;
  }
  cache[turn++ % Kept] = found;
  return reinterpret_cast<uint8_t *>(at + found.shift);
}

std::string Reach::explain(uint64_t at, uint32_t &reason) const {
  using namespace xcc::rt::hsa;
  mock::State &s = mock::state();
  std::lock_guard lock(s.mutex);
  char text[200];
  reason = FaultNotPresent;
  auto after = s.memory.upper_bound(at);
  if (after == s.memory.begin())
    return "no allocation is there or below";
  auto &[base, b] = *std::prev(after);
  uint64_t into = at - base;
  if (into < b.bytes) {
    bool sees =
        std::find(b.agents.begin(), b.agents.end(), agent) != b.agents.end();
    reason = !sees        ? uint32_t(FaultHostOnly)
             : b.readOnly ? uint32_t(FaultReadOnly)
                          : uint32_t(FaultNotPresent);
    snprintf(text, sizeof(text),
             "byte %" PRIu64 " of an allocation of %zu bytes%s", into, b.bytes,
             !sees        ? " that the device may not see"
             : b.readOnly ? " that is read-only"
                          : ", beyond its end");
    return text;
  }
  snprintf(text, sizeof(text),
           "%" PRIu64 " bytes behind the end of an allocation of %zu bytes",
           into - b.bytes, b.bytes);
  return text;
}

} // namespace amdgcn
