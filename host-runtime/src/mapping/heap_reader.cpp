// What kernels left in a device's heap, read by the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/heap_reader.h"
#include "services/host_services.h"

#include <algorithm>
#include <cstring>

namespace xcc::rt {

HeapReader::HeapReader(Device &on, Queue &in)
    : on(on), in(in), host(on.usesHostHeap()) {
  if (!host)
    deviceHeap(on, base, end);
}

bool HeapReader::holds(uint64_t at, uint64_t bytes) const {
  if (host || (base <= at && at < end && bytes <= end - at))
    return true;
  // Blocks of the host's, for a heap that was exhausted.
  return heapBlockSize(on, at) >= std::max<uint64_t>(bytes, 1);
}

xcc_status HeapReader::copy(void *to, uint64_t from, uint64_t bytes) {
  copying = true;
  auto *at = reinterpret_cast<char *>(from);
  const bool inHeap = base <= from && from < end;
  return in.copy(
      {.at = to},
      {.at = at,
       .owner = on.kind().host ? nullptr : &on,
       .allocation = inHeap ? reinterpret_cast<char *>(base) : nullptr},
      bytes);
}

xcc_status HeapReader::slab(uint64_t begin, const char *&out) {
  if (auto known = slabs.find(begin); known != slabs.end()) {
    out = known->second;
    return XCC_SUCCESS;
  }
  uint64_t count = 1;
  while (count < together && begin + count * SlabSize < end &&
         !slabs.contains(begin + count * SlabSize))
    ++count;
  auto fresh = std::make_unique_for_overwrite<char[]>(count * SlabSize);
  const uint64_t from = std::max(begin, base),
                 to = std::min(begin + count * SlabSize, end);
  XCC_TRY(copy(fresh.get() + (from - begin), from, to - from));
  in.drain();
  out = fresh.get();
  copied.push_back(std::move(fresh));
  for (uint64_t i = 0; i != count; ++i)
    slabs[begin + i * SlabSize] = out + i * SlabSize;
  together = std::min(2 * together, MostTogether);
  return XCC_SUCCESS;
}

xcc_status HeapReader::read(void *to, uint64_t from, uint64_t bytes) {
  if (base > from || from >= end || bytes >= SlabSize)
    return copy(to, from, bytes);
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
