// What stays on a device for a while
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/scope.h"
#include "mapping/attach.h"
#include "mapping/busy.h"
#include "mapping/copy_back.h"
#include "mapping/settle.h"
#include "process/log.h"

#include <algorithm>
#include <new>
#include <unordered_set>

namespace xcc::rt {

[[gnu::cold]] static xcc_status outOfMemory(const Device &on) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, on.ordinal()},
              "out of memory for a mapping on device %d (%s)", on.ordinal(),
              on.id());
}

/// Nothing more is named: what went wrong while it was.
static xcc_status endCollecting(xcc_mapping &m) {
  m.visit.end();
  if (m.outOfMemory)
    return outOfMemory(m.on);
  return m.checkRefused();
}

/// Nothing in flight may use what a scope is to hold.
static xcc_status settleRanges(xcc_mapping &m, MappedMemory &memory) {
  for (const NamedRange &r : m.ranges)
    for (size_t i = 0; i < memory.inFlight.size();) {
      Entry *e = memory.inFlight[i];
      if (e->begin < r.end() && r.begin < e->end()) {
        XCC_TRY(settleEntry(memory, *e));
        i = 0;
      } else {
        ++i;
      }
    }
  return XCC_SUCCESS;
}

xcc_status holdMapped(xcc_mapping &m, xcc_scope *&out, bool begun) try {
  out = nullptr;
  XCC_TRY(endCollecting(m));
  std::lock_guard lock(mappingMutex);
  MappedMemory *memory = mappedMemory(m.on);
  if (!memory)
    return outOfMemory(m.on);
  auto scope = std::make_unique<xcc_scope>(xcc_scope{&m.on, memory, {}, {}});
  XCC_TRY(settleRanges(m, *memory));
  Attachment a(m, *memory);
  XCC_TRY(a.make(nullptr));
  XCC_TRY(a.copyIn());
  {
    Busy busy(*memory, a.allEntries());
    Unlocked meanwhile;
    m.queue.drain();
  }
  if (xcc_error *bad = m.queue.takeOwnError())
    return failWith(bad);
  for (size_t i = 0; i != m.ranges.size(); ++i)
    if (m.ranges[i].flags & XCC_MAP_NAMED)
      scope->named.push_back(a.entries()[i]);
  scope->entries = a.hold(begun);
  out = scope.release();
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return outOfMemory(m.on);
}

static xcc_status notHeld(const xcc_mapping &m, const NamedRange &r) {
  return fail(XCC_ERROR_INVALID_VALUE, m.site(),
              "%s on device %d (%s): %s (%llu bytes at %#zx) is not mapped, or "
              "not all of it; hold it in an xcc::map",
              m.subject().c_str(), m.on.ordinal(), m.on.id(),
              m.nameOf(r.path).c_str(),
              static_cast<unsigned long long>(r.bytes), size_t(r.begin));
}

/// Each range's entry, which scopes hold.
static xcc_status heldEntries(xcc_mapping &m, MappedMemory &memory,
                              std::vector<Entry *> &out) {
  for (const NamedRange &r : m.ranges) {
    Entry *e = memory.table.firstIn(r.begin, r.end());
    if (!e || !e->scopes || e->begin > r.begin ||
        r.begin - e->begin + r.bytes > e->reach)
      return notHeld(m, r);
    out.push_back(e);
  }
  return XCC_SUCCESS;
}

xcc_status updateMapped(xcc_mapping &m, uint32_t direction) try {
  XCC_TRY(endCollecting(m));
  XCC_TRY(drainAndSettle(m.on));
  std::lock_guard lock(mappingMutex);
  MappedMemory *memory = mappedMemory(m.on);
  if (!memory)
    return outOfMemory(m.on);
  std::vector<Entry *> entries;
  waitForBusy(*memory);
  XCC_TRY(heldEntries(m, *memory, entries));
  if (direction & XCC_MAP_OUT) {
    std::vector<Entry *> list;
    std::vector<std::pair<Spans, bool>> before;
    for (size_t i = 0; i != entries.size(); ++i) {
      Entry *e = entries[i];
      if (std::find(list.begin(), list.end(), e) == list.end()) {
        list.push_back(e);
        before.push_back({std::exchange(e->back, {}), e->dirty});
      }
      e->back.add(m.ranges[i].begin - e->begin, m.ranges[i].bytes);
    }
    Busy busy(*memory, list);
    xcc_status status = copyBack(*memory, list, &m.queue, &m.place);
    busy.end();
    for (size_t i = 0; i != list.size(); ++i) {
      list[i]->back = std::move(before[i].first);
      list[i]->dirty = before[i].second;
    }
    XCC_TRY(status);
  }
  if (direction & XCC_MAP_IN) {
    while (true) {
      Attachment a(m, *memory);
      XCC_TRY(a.make(nullptr));
      if (memory->busy) {
        waitForBusy(*memory);
        continue;
      }
      XCC_TRY(a.refresh());
      break;
    }
  }
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return outOfMemory(m.on);
}

xcc_status findBegun(xcc_mapping &m, xcc_scope *&out) try {
  out = nullptr;
  XCC_TRY(endCollecting(m));
  std::lock_guard lock(mappingMutex);
  MappedMemory *memory = mappedMemory(m.on);
  if (!memory)
    return outOfMemory(m.on);
  auto scope = std::make_unique<xcc_scope>(xcc_scope{&m.on, memory, {}, {}});
  waitForBusy(*memory);
  XCC_TRY(heldEntries(m, *memory, scope->entries));
  std::sort(scope->entries.begin(), scope->entries.end());
  scope->entries.erase(
      std::unique(scope->entries.begin(), scope->entries.end()),
      scope->entries.end());
  for (const Entry *e : scope->entries)
    if (!e->begun)
      return fail(
          XCC_ERROR_INVALID_VALUE, m.site(),
          "%s on device %d (%s): %s is held by an xcc::map (%s:%u), and "
          "no xcc_data_begin is left to be ended",
          m.subject().c_str(), m.on.ordinal(), m.on.id(), e->name().c_str(),
          e->place.file ? e->place.file : "", e->place.line);
  for (Entry *e : scope->entries)
    --e->begun;
  out = scope.release();
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return outOfMemory(m.on);
}

/// Takes out what the host no longer has where it was: a vector that was resized
/// or went has freed its elements, and nothing may be written there.
static xcc_status leaveOutMoved(const xcc_scope &scope,
                                std::vector<Entry *> &back) {
  // What the program named is its own, and objects that no other points to;
  // from there on, what they still point to is still there.
  const PresentTable &table = scope.memory->table;
  std::unordered_set<const Entry *> inner, there;
  for (const Entry *e : scope.entries)
    for (const HeldAddress &h : e->addresses)
      if (const Entry *to = table.find(h.host); to && to != e)
        inner.insert(to);
  std::vector<const Entry *> work;
  for (const Entry *e : scope.named)
    if (there.insert(e).second)
      work.push_back(e);
  for (const Entry *e : scope.entries)
    if (!inner.contains(e) && there.insert(e).second)
      work.push_back(e);
  const Entry *changed = nullptr;
  while (!work.empty()) {
    const Entry *e = work.back();
    work.pop_back();
    // Of an object that changed, such as a vector's three addresses, none is
    // followed.
    std::unordered_set<uint32_t> other;
    for (const HeldAddress &h : e->addresses)
      if (!h.isRoom() && !h.isHost(e->begin))
        other.insert(h.path);
    if (!other.empty())
      changed = e;
    for (const HeldAddress &h : e->addresses)
      if (!other.contains(h.path))
        if (const Entry *to = table.find(h.host); to && there.insert(to).second)
          work.push_back(to);
  }
  if (!changed)
    return XCC_SUCCESS;
  std::erase_if(back, [&](const Entry *e) { return !there.contains(e); });
  return fail(
      XCC_ERROR_INVALID_VALUE,
      {nullptr, changed->place.file, changed->place.line, scope.on->ordinal()},
      "the end of a mapping on device %d (%s): the host changed what %s "
      "points to (as by resizing it) since it was mapped (%s:%u); what "
      "kernels wrote to the elements that it had is lost",
      scope.on->ordinal(), scope.on->id(), changed->name().c_str(),
      changed->place.file ? changed->place.file : "", changed->place.line);
}

xcc_status endScope(xcc_scope *scope) try {
  std::unique_ptr<xcc_scope> owned(scope);
  if (!scope->memory) {
    scope->on->drain();
    return XCC_SUCCESS;
  }
  MappedMemory &memory = *scope->memory;
  xcc_status settled = drainAndSettle(memory.on);
  std::lock_guard lock(mappingMutex);
  waitForBusy(memory);
  std::vector<Entry *> gone, back;
  gone.reserve(scope->entries.size());
  back.reserve(scope->entries.size());
  ++memory.table.generation;
  for (Entry *e : scope->entries)
    if (--e->scopes == 0) {
      gone.push_back(e);
      if (e->dirty && !e->back.empty())
        back.push_back(e);
    }
  xcc_status moved = leaveOutMoved(*scope, back);
  Busy busy(memory, gone);
  xcc_status status = copyBack(memory, back, nullptr);
  busy.end();
  // From the last one down: mostly nothing is behind them in the table.
  for (size_t i = gone.size(); i--;)
    memory.remove(gone[i]);
  if (settled == XCC_SUCCESS)
    settled = moved;
  return settled != XCC_SUCCESS ? settled : status;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY,
              "out of memory while copying back what a mapping held");
}

} // namespace xcc::rt
