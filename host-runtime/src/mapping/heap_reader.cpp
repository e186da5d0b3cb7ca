// Reading a device's heap from the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/heap_reader.h"
#include "services/host_services.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace xcc::rt {

HeapReader::HeapReader(Device &on, Queue &in, HeapCopy &kept)
    : on(on), in(in), kept(kept), host(on.usesHostHeap()) {
  if (!host)
    deviceHeap(on, base, end);
}

bool HeapReader::holds(uint64_t at, uint64_t bytes) const {
  if (host || (base <= at && at < end && bytes <= end - at))
    return true;
  // The host lends blocks to a heap that is exhausted.
  return heapBlockSize(on, at) >= std::max<uint64_t>(bytes, 1);
}

xcc_status HeapReader::copy(const Place &to, uint64_t from, uint64_t bytes) {
  copying = true;
  auto *at = reinterpret_cast<char *>(from);
  const bool inHeap = base <= from && from < end;
  return in.copy(
      to,
      {.at = at,
       .owner = on.kind().host ? nullptr : &on,
       .allocation = inHeap ? reinterpret_cast<char *>(base) : nullptr},
      bytes);
}

/// Memory for a copy: the kept memory, if no slab uses it yet.
Place HeapReader::memoryFor(uint64_t bytes) {
  if (slabs.empty() && bytes <= HeapCopy::MostKept) {
    if (kept.bytes < bytes) {
      void *larger = nullptr;
      const uint64_t wanted = std::bit_ceil(bytes);
      if (on.allocateHost(wanted, &larger) == XCC_SUCCESS) {
        if (kept.memory)
          (void)on.releaseHost(kept.memory);
        kept = {static_cast<char *>(larger), wanted};
      }
    }
    if (kept.bytes >= bytes)
      return {.at = kept.memory, .pinnedBy = &on};
  }
  return {.at =
              copied.emplace_back(std::make_unique_for_overwrite<char[]>(bytes))
                  .get()};
}

/// Copies several slabs in one transfer.
xcc_status HeapReader::copySlabs(uint64_t begin, uint64_t count) {
  const uint64_t from = std::max(begin, base),
                 to = std::min(begin + count * SlabSize, end);
  Place fresh = memoryFor(count * SlabSize);
  auto *first = static_cast<char *>(fresh.at);
  fresh.at = first + (from - begin);
  XCC_TRY(copy(fresh, from, to - from));
  in.drain();
  for (uint64_t i = 0; i != count; ++i)
    slabs[begin + i * SlabSize] = first + i * SlabSize;
  return XCC_SUCCESS;
}

xcc_status HeapReader::expect(uint64_t first, uint64_t last, uint64_t count) {
  // If blocks are far apart, too much other memory would be copied.
  constexpr uint64_t Apart = 1024;
  if (host || first > last || !isWithin(first) || !isWithin(last) ||
      (last - first) / Apart > count)
    return XCC_SUCCESS;
  const uint64_t begin = first / SlabSize * SlabSize;
  return copySlabs(begin, (last - begin) / SlabSize + 1);
}

xcc_status HeapReader::slab(uint64_t begin, const char *&out) {
  if (begin == latest.begin) {
    out = latest.copy;
    return XCC_SUCCESS;
  }
  auto known = slabs.find(begin);
  if (known == slabs.end()) {
    uint64_t count = 1;
    while (count < together && begin + count * SlabSize < end &&
           !slabs.contains(begin + count * SlabSize))
      ++count;
    XCC_TRY(copySlabs(begin, count));
    together = std::min(2 * together, MostTogether);
    known = slabs.find(begin);
  }
  latest = {begin, known->second};
  out = latest.copy;
  return XCC_SUCCESS;
}

xcc_status HeapReader::read(void *to, uint64_t from, uint64_t bytes) {
  if (base > from || from >= end || bytes >= SlabSize)
    return copy({.at = to}, from, bytes);
  auto *out = static_cast<char *>(to);
  while (bytes) {
    const uint64_t begin = from / SlabSize * SlabSize,
                   part = std::min(bytes, begin + SlabSize - from);
    const char *copied;
    XCC_TRY(slab(begin, copied));
    memcpy(out, copied + (from - begin), part);
    out += part, from += part, bytes -= part;
  }
  return XCC_SUCCESS;
}

void HeapReader::flush() {
  if (copying)
    in.drain();
  copying = false;
}

} // namespace xcc::rt
