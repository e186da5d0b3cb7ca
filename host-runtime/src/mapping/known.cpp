// Launches that repeat an earlier one
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/known.h"
#include "devices/allocations.h"

#include <cstring>
#include <new>

namespace xcc::rt {

/// Comparing more than this costs as much as a visit.
static constexpr size_t MostPieces = 128, MostBytes = 4096;

/// Compares bytes. They are mostly one to three addresses.
static inline bool isSame(const char *a, const char *b, size_t bytes) {
  for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t)) {
    uint64_t x, y;
    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    if (x != y)
      return false;
    a += sizeof(x), b += sizeof(y);
  }
  return bytes == 0 || memcmp(a, b, bytes) == 0;
}

bool KnownLaunch::matches(const MappedMemory &memory, const Kernel &of,
                          bool wasDescribed, const char *kernarg) const {
  if (kernel != &of || described != wasDescribed ||
      generation != memory.table.generation || freed != freedAllocations())
    return false;
  const char *was = saved.data();
  for (const Piece &p : pieces) {
    const char *now =
        p.isArgument ? kernarg + p.at : reinterpret_cast<const char *>(p.at);
    if (!isSame(now, was, p.bytes))
      return false;
    was += p.bytes;
  }
  for (const Objects &o : objects)
    if (o.entry->dirty != o.dirty)
      return false;
  return true;
}

void KnownLaunch::translate(char *kernarg) const {
  for (const Patch &p : patches)
    memcpy(kernarg + p.offset, &p.value, sizeof(p.value));
}

void KnownLaunch::use(MappedMemory &memory, Queue &queue,
                      const MappingPlace &by) const {
  profileMapped(memory.on, by, used);
  // All entries were sent or made when the launch was kept.
  useEntries(memory, queue, by, used, written, 0);
}

bool KnownLaunch::canKeep(const xcc_mapping &m) {
  if (!m.repeats || !m.kernel || m.kernel->callsHost || m.kernel->usesHeap ||
      m.on.hidesOriginals() || m.addresses.size() + m.asked.size() > MostPieces)
    return false;
  size_t bytes = sizeof(uint64_t) * m.addresses.size();
  for (const VisitedObject &o : m.asked)
    bytes += o.bytes;
  return bytes <= MostBytes;
}

void KnownLaunch::add(uintptr_t at, uint32_t bytes, const xcc_mapping &m) {
  uintptr_t offset = at - reinterpret_cast<uintptr_t>(m.kernarg);
  bool isArgument = offset < m.kernargSize;
  if (isArgument)
    at = offset;
  // A container's addresses are part of the container's bytes.
  for (const Piece &p : pieces)
    if (p.isArgument == isArgument && at - p.at < p.bytes &&
        bytes <= p.bytes - (at - p.at))
      return;
  pieces.push_back({at, bytes, isArgument});
  auto *now = isArgument ? m.kernarg + at : reinterpret_cast<const char *>(at);
  saved.insert(saved.end(), now, now + bytes);
}

void KnownLaunch::keep(const MappedMemory &memory, const xcc_mapping &m,
                       const char *translated, const std::vector<Used> &uses,
                       const std::vector<Written> &writes) {
  kernel = nullptr;
  pieces.clear();
  saved.clear();
  patches.clear();
  objects.clear();
  // Keep the order of the visit: matches() then only reads memory to which the
  // pieces compared before lead.
  auto o = m.asked.begin();
  for (size_t i = 0; i <= m.addresses.size(); ++i) {
    for (; o != m.asked.end() && o->addresses == i; ++o)
      add(o->at, o->bytes, m);
    if (i == m.addresses.size())
      break;
    add(m.addresses[i].at, sizeof(uint64_t), m);
    uintptr_t offset =
        m.addresses[i].at - reinterpret_cast<uintptr_t>(m.kernarg);
    if (offset < m.kernargSize) {
      Patch patch{uint32_t(offset), 0};
      memcpy(&patch.value, translated + offset, sizeof(patch.value));
      patches.push_back(patch);
    }
  }
  used = uses;
  written = writes;
  for (Used &u : used) {
    u.sends = false;
    if (!u.entry->addresses.empty())
      objects.push_back({u.entry, u.entry->dirty});
  }
  described = m.described;
  generation = memory.table.generation;
  freed = freedAllocations();
  kernel = m.kernel;
}

size_t KnownLaunches::rowOf(const Kernel &kernel) {
  auto hash = reinterpret_cast<uintptr_t>(&kernel) * 0x9e3779b97f4a7c15;
  return (hash >> 32) % Rows * InRow;
}

const KnownLaunch *KnownLaunches::find(const MappedMemory &memory,
                                       const Kernel &kernel, bool described,
                                       const char *kernarg) const {
  if (!all)
    return nullptr;
  const KnownLaunch *row = &all[rowOf(kernel)];
  for (const KnownLaunch *k = row; k != row + InRow; ++k)
    if (k->matches(memory, kernel, described, kernarg))
      return k;
  return nullptr;
}

KnownLaunch *KnownLaunches::next(const Kernel &kernel) {
  if (!all)
    all.reset(new (std::nothrow) KnownLaunch[Rows * InRow]);
  return all ? &all[rowOf(kernel) + turn++ % InRow] : nullptr;
}

} // namespace xcc::rt
