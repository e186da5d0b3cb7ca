// The same host memory on several devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/elsewhere.h"
#include "mapping/busy.h"
#include "mapping/copy_back.h"
#include "mapping/settle.h"

namespace xcc::rt {

/// Calls \p f for each entry of the table in [begin, end) until it returns
/// true.
template <class F>
static bool anyWithin(const PresentTable &table, uintptr_t begin, uintptr_t end,
                      F &&f) {
  while (Entry *e = table.firstIn(begin, end)) {
    if (f(*e))
      return true;
    begin = e->end();
    if (begin >= end)
      break;
  }
  return false;
}

/// Must the entry be settled before the same memory is used on another device?
static bool mustSettleFirst(const Entry &e, bool writes) {
  // Two devices may read at the same time, but a write makes the other's copy
  // stale.
  if (e.busy || (!e.uses.empty() && (e.dirty || writes)))
    return true;
  return e.isHeld() && e.dirty && !e.back.empty();
}

EntryOn findOnOtherDevice(const MappedMemory &memory,
                          const std::vector<Used> &used) {
  EntryOn found;
  for (MappedMemory *other : allMapped()) {
    if (other == &memory || other->table.all().empty())
      continue;
    for (const Used &u : used)
      if (anyWithin(other->table, u.entry->begin, u.entry->end(),
                    [&](Entry &e) {
                      if (!mustSettleFirst(e, u.writes))
                        return false;
                      found = {other, &e};
                      return true;
                    }))
        return found;
  }
  return found;
}

bool isElsewhere(const MappedMemory &memory, const std::vector<Used> &used) {
  for (const MappedMemory *other : allMapped()) {
    if (other == &memory || other->table.all().empty())
      continue;
    for (const Used &u : used)
      if (other->table.firstIn(u.entry->begin, u.entry->end()))
        return true;
  }
  return false;
}

xcc_status copyBackEntry(const EntryOn &on) {
  Entry &e = *on.entry;
  if (e.busy || !e.uses.empty())
    return settleEntry(*on.memory, e);
  if (!e.isHeld() || !e.dirty)
    return XCC_SUCCESS;
  Busy busy(*on.memory, {&e});
  return copyBack(*on.memory, {&e}, nullptr);
}

/// Would a visitor see an old state of the object in this entry?
static bool isOlder(const Entry &e, bool here, uintptr_t begin, uint64_t bytes,
                    bool scope) {
  if (!e.dirty || e.addresses.empty())
    return false;
  if (!here)
    return true;
  if (e.isHeld())
    return false;
  // A kernel may have freed memory to which the host's object points.
  if (e.grows)
    return true;
  return scope || e.begin > begin || !e.held.covers(begin - e.begin, bytes);
}

xcc_status bringHomeForVisit(const Device &on, uintptr_t begin, uint64_t bytes,
                             bool scope) {
  std::lock_guard lock(mappingMutex);
  for (MappedMemory *memory : allMapped())
    for (;;) {
      Entry *first = nullptr;
      anyWithin(memory->table, begin, begin + bytes, [&](Entry &e) {
        if (isOlder(e, &memory->on == &on, begin, bytes, scope))
          first = &e;
        return first != nullptr;
      });
      if (!first)
        break;
      XCC_TRY(copyBackEntry({memory, first}));
    }
  return XCC_SUCCESS;
}

void findChangedObjects() {
  bool change = false;
  for (const MappedMemory *memory : allMapped())
    for (const Entry *e : memory->table.all())
      change |= e->dirty && !e->addresses.empty();
  objectsChange.store(change, std::memory_order_release);
}

void outdateElsewhere(const MappedMemory &memory, uintptr_t begin,
                      uint64_t bytes) {
  for (MappedMemory *other : allMapped()) {
    if (other == &memory || other->table.all().empty())
      continue;
    anyWithin(other->table, begin, begin + bytes, [&](Entry &e) {
      // XCC_MAP_KEEP alone copied nothing from the host.
      if (!e.isHeld() || e.kept)
        return false;
      uint64_t from = std::max(begin, e.begin) - e.begin,
               to = std::min(begin + bytes, e.end()) - e.begin;
      if (e.stale.covers(from, to - from))
        return false;
      e.held.within({from, to - from},
                    [&](const Span &s) { e.stale.add(s.offset, s.bytes); });
      ++other->table.generation;
      return false;
    });
  }
}

} // namespace xcc::rt
