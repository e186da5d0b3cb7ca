// Scopes, which keep memory on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/scope.h"
#include "mapping/attach.h"
#include "mapping/busy.h"
#include "mapping/copy_back.h"
#include "mapping/grown.h"
#include "mapping/holdings.h"
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

/// Ends the collecting of ranges, and returns its error.
static xcc_status endCollecting(xcc_mapping &m) {
  m.visit.end();
  if (m.outOfMemory)
    return outOfMemory(m.on);
  return m.checkRejected();
}

/// Waits for work in flight that uses the ranges which a scope will hold.
static xcc_status settleRanges(xcc_mapping &m, MappedMemory &memory) {
  for (const NamedRange &r : m.ranges)
    for (size_t i = 0; i < memory.inFlight.size();) {
      Entry *e = memory.inFlight[i];
      if (!e->isHeld() && e->begin < r.end() && r.begin < e->end()) {
        XCC_TRY(settleEntry(memory, *e));
        i = 0;
      } else {
        ++i;
      }
    }
  return XCC_SUCCESS;
}

/// A scope that releases its holdings unless it is completed.
namespace {
struct NewScope {
  explicit NewScope(MappedMemory &memory)
      : scope(new xcc_scope{&memory.on, &memory, {}, {}}) {}
  ~NewScope() {
    if (!scope)
      return;
    for (Entry *e : scope->memory->table.all())
      std::erase_if(e->holdings,
                    [&](const Holding &h) { return h.by == scope.get(); });
  }
  std::unique_ptr<xcc_scope> scope;
};
} // namespace

xcc_status holdMapped(xcc_mapping &m, xcc_scope *&out, bool begun) try {
  out = nullptr;
  XCC_TRY(endCollecting(m));
  std::lock_guard lock(mappingMutex);
  MappedMemory *memory = mappedMemory(m.on);
  if (!memory)
    return outOfMemory(m.on);
  NewScope made(*memory);
  xcc_scope &scope = *made.scope;
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
      scope.named.push_back(a.entries()[i]);
  a.hold(begun ? nullptr : &scope);
  out = made.scope.release();
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return outOfMemory(m.on);
}

/// The memory of another device whose scopes hold all of a range; null if none.
static const MappedMemory *holderOf(const NamedRange &r) {
  for (const MappedMemory *memory : allMapped()) {
    const Entry *e = memory->table.firstIn(r.begin, r.end());
    if (e && e->isHeld() && e->begin <= r.begin &&
        e->held.covers(r.begin - e->begin, r.bytes))
      return memory;
  }
  return nullptr;
}

static xcc_status notHeld(const xcc_mapping &m, const NamedRange &r) {
  if (const MappedMemory *other = holderOf(r))
    return fail(XCC_ERROR_INVALID_VALUE, m.site(),
                "%s on device %d (%s): %s is held by a scope on device %d "
                "(%s); make that device the current one first",
                m.subject().c_str(), m.on.ordinal(), m.on.id(),
                m.nameOf(r.path).c_str(), other->on.ordinal(), other->on.id());
  return fail(XCC_ERROR_INVALID_VALUE, m.site(),
              "%s on device %d (%s): %s (%llu bytes at %#zx) is not mapped, or "
              "not all of it; hold it in an xcc::map",
              m.subject().c_str(), m.on.ordinal(), m.on.id(),
              m.nameOf(r.path).c_str(),
              static_cast<unsigned long long>(r.bytes), size_t(r.begin));
}

/// Finds each range's entry. Fails if a scope does not hold it.
static xcc_status heldEntries(xcc_mapping &m, MappedMemory &memory,
                              std::vector<Entry *> &out) {
  for (const NamedRange &r : m.ranges) {
    Entry *e = memory.table.firstIn(r.begin, r.end());
    if (!e || !e->isHeld() || e->begin > r.begin ||
        r.begin - e->begin + r.bytes > e->allocated)
      return notHeld(m, r);
    out.push_back(e);
  }
  return XCC_SUCCESS;
}

namespace {
/// An entry with a part that is copied to the host.
struct Copied {
  Entry *entry;
  Spans what;
  Spans back = {}; ///< the earlier value of Entry::back
  bool dirty = false;
  std::vector<uint64_t> addresses = {}; ///< earlier values
};
} // namespace

static void addCopied(std::vector<Copied> &list, Entry *e, const Span &s) {
  auto known = std::find_if(list.begin(), list.end(),
                            [&](const Copied &c) { return c.entry == e; });
  if (known == list.end())
    known = list.insert(list.end(), Copied{e, {}});
  known->what.add(s.offset, s.bytes);
}

static xcc_status copyEach(xcc_mapping &m, MappedMemory &memory,
                           std::vector<Copied> &list) {
  std::vector<Entry *> entries;
  for (Copied &c : list) {
    Entry &e = *c.entry;
    entries.push_back(&e);
    for (const HeldAddress &a : e.addresses)
      c.addresses.push_back(a.host);
    c.dirty = e.dirty;
    c.back = std::exchange(e.back, c.what);
    // Exclude stale bytes: the host has newer ones, from another device.
    for (const Span &s : e.stale)
      e.back.remove(s.offset, s.bytes);
  }
  Busy busy(memory, entries);
  xcc_status status = copyBack(memory, entries, &m.queue, &m.place);
  busy.end();
  for (Copied &c : list) {
    // Bytes that are now the same on both sides need no further copy back.
    if (status == XCC_SUCCESS && c.entry->uses.empty())
      for (const Span &s : c.what)
        c.back.remove(s.offset, s.bytes);
    c.entry->back = std::move(c.back);
    c.entry->dirty = c.dirty && !c.entry->back.empty();
  }
  return status;
}

/// Adds ranges to which kernels made objects point, because no visitor saw
/// them.
static void addChanged(const MappedMemory &memory,
                       const std::vector<Copied> &copied,
                       std::vector<Copied> &more) {
  for (const Copied &c : copied)
    for (size_t i = 0; i != c.entry->addresses.size(); ++i) {
      const HeldAddress &a = c.entry->addresses[i];
      if (a.host == c.addresses[i] || !c.what.covers(a.offset, sizeof(a.host)))
        continue;
      const Around around = memory.table.around(a.host);
      if (Entry *to = around.in ? around.in : around.past; to && to->isHeld())
        for (const Span &s : to->held)
          addCopied(more, to, s);
    }
}

/// Copies ranges of entries to the host.
static xcc_status copyRanges(xcc_mapping &m, MappedMemory &memory,
                             const std::vector<Entry *> &entryOf) {
  std::vector<Copied> list;
  for (size_t i = 0; i != entryOf.size(); ++i)
    addCopied(list, entryOf[i],
              {m.ranges[i].begin - entryOf[i]->begin, m.ranges[i].bytes});
  while (!list.empty()) {
    XCC_TRY(copyEach(m, memory, list));
    std::vector<Copied> more;
    addChanged(memory, list, more);
    list = std::move(more);
  }
  return XCC_SUCCESS;
}

/// Finds the entries, after copying back newer bytes from other devices.
static xcc_status findNewest(xcc_mapping &m, MappedMemory &memory,
                             std::vector<Entry *> &entries) {
  for (;;) {
    entries.clear();
    waitForBusy(memory);
    XCC_TRY(heldEntries(m, memory, entries));
    std::vector<Used> used;
    for (Entry *e : entries)
      used.push_back({e, false, false, false});
    EntryOn other = findOnOtherDevice(memory, used);
    if (!other.entry)
      return XCC_SUCCESS;
    XCC_TRY(copyBackEntry(other));
  }
}

static xcc_status sendRanges(xcc_mapping &m, MappedMemory &memory) {
  for (bool again = true; again;) {
    Attachment a(m, memory);
    XCC_TRY(a.make(nullptr));
    if (memory.busy) {
      waitForBusy(memory);
      continue;
    }
    XCC_TRY(a.refresh(again));
  }
  return XCC_SUCCESS;
}

/// The smallest held range around an address; null if no scope holds it.
static const Span *holdingAround(const MappedMemory &memory, uintptr_t at,
                                 Entry *&e) {
  const Span *found = nullptr;
  if ((e = memory.table.find(at)))
    for (const Holding &h : e->holdings)
      if (const uint64_t offset = at - e->begin;
          h.span.offset <= offset && offset < h.span.end() &&
          (!found || h.span.bytes < found->bytes))
        found = &h.span;
  return found;
}

uint64_t heldAround(Device &on, const void *at, void **begin) {
  std::lock_guard lock(mappingMutex);
  const MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory)
    return 0;
  if (!at)
    return std::ranges::any_of(memory->table.all(),
                               [](const Entry *e) { return e->isHeld(); });
  Entry *e;
  const Span *span = holdingAround(*memory, reinterpret_cast<uintptr_t>(at), e);
  if (!span)
    return 0;
  *begin = reinterpret_cast<void *>(e->begin + span->offset);
  return span->bytes;
}

/// Is the whole range held, in one entry?
static bool isHeld(const MappedMemory &memory, const NamedRange &r) {
  const Entry *e = memory.table.firstIn(r.begin, r.end());
  return e && e->isHeld() && e->begin <= r.begin &&
         r.begin - e->begin + r.bytes <= e->allocated;
}

/// Adds the held range around an address, and those to which addresses in it
/// lead.
static void addHeld(const MappedMemory &memory, uintptr_t at, uint32_t path,
                    std::vector<NamedRange> &held) {
  std::vector<uintptr_t> work{at};
  while (!work.empty()) {
    at = work.back();
    work.pop_back();
    Entry *e;
    const Span *span = holdingAround(memory, at, e);
    if (!span || std::ranges::any_of(held, [&](const NamedRange &r) {
          return at - r.begin < r.allocated;
        }))
      continue;
    held.push_back({e->begin + span->offset, span->bytes, span->bytes,
                    XCC_MAP_IN | XCC_MAP_OUT, path, nullptr, nullptr});
    for (const HeldAddress &a : e->addresses)
      if (a.offset - span->offset < span->bytes)
        work.push_back(a.host);
  }
}

/// Removes ranges that no scope holds. If an address in a removed range leads
/// into a held range, adds that.
static void keepHeld(xcc_mapping &m, const MappedMemory &memory) {
  std::vector<NamedRange> held;
  for (const NamedRange &r : m.ranges)
    if (isHeld(memory, r))
      held.push_back(r);
  auto isWithin = [&](uintptr_t at) {
    return std::ranges::any_of(
        held, [&](const NamedRange &r) { return at - r.begin < r.allocated; });
  };
  std::vector<NamedAddress> inside;
  for (const NamedAddress &a : m.addresses) {
    uintptr_t to;
    if (isWithin(a.at)) {
      inside.push_back(a);
      continue;
    }
    memcpy(&to, reinterpret_cast<const void *>(a.at), sizeof(to));
    addHeld(memory, to, a.path, held);
  }
  m.ranges = std::move(held);
  m.addresses = std::move(inside);
}

xcc_status updateMapped(xcc_mapping &m, uint32_t direction, bool held) try {
  XCC_TRY(endCollecting(m));
  if (held) {
    std::lock_guard lock(mappingMutex);
    MappedMemory *memory = mappedMemory(m.on);
    if (!memory)
      return outOfMemory(m.on);
    keepHeld(m, *memory);
    if (m.ranges.empty())
      return XCC_SUCCESS;
  }
  XCC_TRY(drainAndSettle(m.on));
  std::lock_guard lock(mappingMutex);
  MappedMemory *memory = mappedMemory(m.on);
  if (!memory)
    return outOfMemory(m.on);
  std::vector<Entry *> entries;
  XCC_TRY(findNewest(m, *memory, entries));
  if (direction & XCC_MAP_OUT)
    XCC_TRY(copyRanges(m, *memory, entries));
  if (direction & XCC_MAP_IN)
    XCC_TRY(sendRanges(m, *memory));
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return outOfMemory(m.on);
}

/// Finds the holding of xcc_data_begin that an xcc_data_end of this range ends.
static Holding *findBegunHolding(Entry &e, const NamedRange &r) {
  const Span wanted{r.begin - e.begin, r.bytes};
  Holding *found = nullptr;
  for (Holding &h : e.holdings) {
    if (h.by || h.span.offset > wanted.offset || h.span.end() < wanted.end())
      continue;
    if (!found || h.span.bytes < found->span.bytes)
      found = &h;
  }
  return found;
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
  std::vector<Entry *> entryOf;
  XCC_TRY(heldEntries(m, *memory, entryOf));
  scope->entries = entryOf;
  std::sort(scope->entries.begin(), scope->entries.end());
  scope->entries.erase(
      std::unique(scope->entries.begin(), scope->entries.end()),
      scope->entries.end());
  for (size_t i = 0; i != entryOf.size(); ++i) {
    Entry *e = entryOf[i];
    if (Holding *h = findBegunHolding(*e, m.ranges[i])) {
      h->by = scope.get();
      continue;
    }
    for (Entry *of : scope->entries)
      for (Holding &h : of->holdings)
        if (h.by == scope.get())
          h.by = nullptr;
    return fail(XCC_ERROR_INVALID_VALUE, m.site(),
                "%s on device %d (%s): %s is held by an xcc::map (%s:%u), and "
                "no xcc_data_begin remains to be ended",
                m.subject().c_str(), m.on.ordinal(), m.on.id(),
                e->name().c_str(), e->place.file ? e->place.file : "",
                e->place.line);
  }
  out = scope.release();
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return outOfMemory(m.on);
}

/// Removes entries whose memory the host no longer has at that place. A vector
/// that was resized or destroyed has freed its elements, so nothing may be
/// written there.
static xcc_status leaveOutMoved(const xcc_scope &scope,
                                std::vector<Entry *> &back) {
  // Start at objects that the program named, and at objects to which no other
  // points. All to which these still point is still there.
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
    // If an object has changed, follow none of its addresses, as the three of a
    // vector.
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

/// Settles the scope's entries, because another thread may have launched
/// meanwhile.
static void settleScope(xcc_scope &scope) {
  for (;;) {
    waitForBusy(*scope.memory);
    auto used = std::find_if(scope.entries.begin(), scope.entries.end(),
                             [](const Entry *e) { return !e->uses.empty(); });
    if (used == scope.entries.end())
      return;
    (void)settleEntry(*scope.memory, **used);
  }
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
  settleScope(*scope);
  std::vector<Entry *> gone, back;
  for (Entry *e : scope->entries) // addresses that another device changed
    e->readStale();
  releaseHoldings(*scope, gone);
  for (Entry *e : gone)
    if (e->dirty && !e->back.empty())
      back.push_back(e);
  xcc_status moved = leaveOutMoved(*scope, back);
  Busy busy(memory, gone);
  FromDevice addresses(memory, /*grown=*/true);
  xcc_status status = copyBack(memory, back, nullptr, nullptr, &addresses);
  FreedMemory freed;
  if (status == XCC_SUCCESS)
    status = copyBackAllocations(memory, gone, nullptr, addresses, freed);
  busy.end();
  memory.remove(gone);
  findChangedObjects();
  if (settled == XCC_SUCCESS)
    settled = moved;
  return settled != XCC_SUCCESS ? settled : status;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY,
              "out of memory while copying back what a mapping held");
}

} // namespace xcc::rt
