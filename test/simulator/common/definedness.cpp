// Which bits of device memory were written
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "definedness.h"
#include "checks.h"
#include "device_memory.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sys/mman.h>

namespace simulator {

namespace {

struct Stored {
  unsigned bytes;
  bool whole;
  Finding told;
};
std::mutex mutex;
/// By address: what kernels stored undefined. It may have been overwritten since.
auto &stored = *new std::map<uint64_t, Stored>;
auto &reported = *new std::set<std::string>;

bool isUndefined(uint64_t address, const Stored &s) {
  const uint8_t *bits = definedBits(address), *end = bits + s.bytes;
  return s.whole ? std::all_of(bits, end, [](uint8_t b) { return b == 0; })
                 : std::any_of(bits, end, [](uint8_t b) { return b != 0xff; });
}

void reportRead(uint64_t from, uint64_t bytes) {
  std::lock_guard lock(mutex);
  for (auto at = stored.lower_bound(from);
       at != stored.end() && at->first < from + bytes; ++at) {
    const Finding &f = at->second.told;
    if (isUndefined(at->first, at->second) &&
        reported.insert(f.kernel + f.message).second)
      tellFinding(f);
  }
}

} // namespace

uint8_t *definedBits(uint64_t address) {
  if (!checksInit() || !isDeviceAddress(address))
    return nullptr;
  return reinterpret_cast<uint8_t *>(address + DefinednessShift);
}

void define(uint64_t address, uint64_t bytes) {
  if (uint8_t *bits = definedBits(address))
    memset(bits, 0xff, bytes);
}

void undefine(uint64_t address, uint64_t bytes) {
  uint8_t *bits = definedBits(address);
  if (!bits)
    return;
  // Whole pages are given back, which makes them zero.
  constexpr uint64_t page = 4096;
  const auto at = reinterpret_cast<uint64_t>(bits), end = at + bytes,
             first = (at + page - 1) & ~(page - 1), last = end & ~(page - 1);
  if (first >= last) {
    memset(bits, 0, bytes);
    return;
  }
  memset(bits, 0, first - at);
  madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
  memset(reinterpret_cast<void *>(last), 0, end - last);
}

void copyDefinedness(uint64_t to, uint64_t from, uint64_t bytes) {
  if (!checksInit())
    return;
  uint8_t *into = definedBits(to);
  const uint8_t *of = definedBits(from);
  if (into && of)
    memmove(into, of, bytes);
  else if (into)
    memset(into, 0xff, bytes);
  else if (of)
    reportRead(from, bytes);
}

void storedUndefined(uint64_t address, unsigned bytes, bool whole,
                     Finding told) {
  std::lock_guard lock(mutex);
  stored[address] = {bytes, whole, std::move(told)};
}

} // namespace simulator
