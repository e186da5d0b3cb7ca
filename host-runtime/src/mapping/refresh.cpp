// Updating copies that scopes hold
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes keep copies for some time. Parts of them are sent again when the
// program asks for it (to_device), and before a launch uses stale bytes
// (Entry::stale).

#include "devices/allocations.h"
#include "mapping/attach.h"
#include "mapping/busy.h"
#include "mapping/copies.h"
#include "mapping/holdings.h"
#include "mapping/moves.h"

#include <algorithm>
#include <cstring>

namespace xcc::rt {

static char *hostAt(uintptr_t at) { return reinterpret_cast<char *>(at); }

static Span spanOf(const HeldAddress &a) { return {a.offset, sizeof(a.host)}; }

//===----------------------------------------------------------------------===//
// Stale bytes
//===----------------------------------------------------------------------===//

/// Is the device's value still the translation of the host's value?
bool Attachment::leads(const HeldAddress &a) const {
  if (!a.host || a.isRoom() || a.kind & XCC_ADDRESS_NONE)
    return true;
  uint64_t host;
  if (a.kind & XCC_ADDRESS_CONSTANT && memory.constants.onHost(a.sent, host))
    return host == a.host;
  const Around around = table.around(a.host);
  for (const Entry *e : {around.in, around.past})
    if (e &&
        reinterpret_cast<uintptr_t>(e->device) + (a.host - e->begin) == a.sent)
      return true;
  if (around.in || around.past)
    return false;
  // Either its target is no longer mapped, or the device can access that
  // memory.
  FoundAllocation found;
  return a.sent == a.host ||
         (findAllocation(reinterpret_cast<void *>(a.host), found) &&
          isVisible(found, memory.on));
}

/// Marks addresses as stale whose translation has changed, because their target
/// was removed with another scope or another stream's work. Returns true if an
/// entry must be settled first: kernels may have changed its addresses, or it
/// is in flight and must be mapped anew.
bool Attachment::findOutdated() {
  for (const Used &u : used) {
    Entry &e = *u.entry;
    if (e.isNew || e.addresses.empty() || e.verified == table.generation)
      continue;
    bool right = true;
    for (const HeldAddress &a : e.addresses) {
      // Without to_device, a change of the host's value is not sent.
      if (leads(a) || e.stale.overlap(spanOf(a)) || !a.isHost(e.begin))
        continue;
      if (e.dirty || !e.uses.empty()) {
        blocking = &e;
        return true;
      }
      right = false;
      e.stale.add(a.offset, sizeof(a.host));
    }
    if (right)
      e.verified = table.generation;
  }
  return false;
}

/// Reads stale addresses from the host again. Returns true if one has changed.
bool Attachment::readStale() {
  bool changed = false;
  for (const Used &u : used)
    changed |= u.entry->readStale();
  return changed;
}

Attachment::Outcome Attachment::translateStale() {
  // Translations may add to the list of used entries.
  for (size_t i = 0; i != used.size(); ++i) {
    Entry &e = *used[i].entry;
    if (e.isNew || e.stale.empty())
      continue;
    used[i].sends = true;
    for (HeldAddress &h : e.addresses)
      if (e.stale.overlap(spanOf(h))) {
        NamedAddress a{e.begin + h.offset, h.kind, NoPath};
        if (Outcome o = translate(h.host, a, h.sent); o != Done)
          return o;
      }
  }
  return Done;
}

xcc_status Attachment::sendStale(Copies &copies) {
  for (const Used &u : used) {
    Entry &e = *u.entry;
    if (!u.sends || e.stale.empty())
      continue;
    Move shown(m.on, Move::ToDevice, e, e.stale.total(), "stale, ", m.place);
    const bool objects = std::any_of(
        e.addresses.begin(), e.addresses.end(),
        [&](const HeldAddress &a) { return e.stale.overlap(spanOf(a)); });
    if (!objects) {
      XCC_TRY(copies.add(e, e.stale, Copies::ToDevice));
    } else {
      // Earlier users have ended, so the old buffer is not being read.
      e.resent = std::make_unique<char[]>(e.allocated);
      for (const Span &s : e.stale)
        memcpy(e.resent.get() + s.offset, hostAt(e.begin) + s.offset, s.bytes);
      for (const HeldAddress &a : e.addresses)
        memcpy(e.resent.get() + a.offset, &a.sent, sizeof(a.sent));
      for (const Span &s : e.stale)
        XCC_TRY(m.queue.copy(memory.place(*e.block, e.device + s.offset),
                             {.at = e.resent.get() + s.offset}, s.bytes));
    }
    e.stale.clear();
  }
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Updates by the program
//===----------------------------------------------------------------------===//

/// Merges the addresses of an entry with those in `now`, which replace older
/// ones at the same place. An old address among the bytes that are sent stays
/// if the host's value is unchanged.
static std::vector<HeldAddress> merged(const Entry &e, const Spans &sent,
                                       const std::vector<HeldAddress> &now) {
  std::vector<HeldAddress> all;
  all.reserve(e.addresses.size() + now.size());
  auto next = now.begin();
  for (const HeldAddress &a : e.addresses) {
    for (; next != now.end() && next->offset + sizeof(a.host) <= a.offset;
         ++next)
      all.push_back(*next);
    if (next != now.end() && next->offset < a.offset + sizeof(a.host))
      continue;
    if (!sent.covers(a.offset, sizeof(a.host)) || a.isHost(e.begin))
      all.push_back(a);
  }
  all.insert(all.end(), next, now.end());
  return all;
}

/// Updates the addresses of each entry: reads those in the named ranges again,
/// and keeps the others.
xcc_status Attachment::refreshAddresses(bool &again) {
  std::vector<Entry *> entries = entryOf;
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  std::vector<std::vector<HeldAddress>> old(entries.size());
  auto swapAll = [&](bool isNew) {
    for (size_t i = 0; i != entries.size(); ++i) {
      std::swap(entries[i]->addresses, old[i]);
      entries[i]->isNew = isNew;
    }
  };
  swapAll(true);
  try {
    holdAddressesOf(entries);
  } catch (...) {
    swapAll(false);
    throw;
  }
  swapAll(false);
  auto &now = old;
  std::vector<Spans> sent(entries.size());
  for (size_t i = 0; i != m.ranges.size(); ++i) {
    auto e = std::lower_bound(entries.begin(), entries.end(), entryOf[i]);
    sent[size_t(e - entries.begin())].add(m.ranges[i].begin - (*e)->begin,
                                          m.ranges[i].bytes);
  }
  for (size_t i = 0; i != entries.size(); ++i) {
    const Entry &e = *entries[i];
    // Addresses of one object share a number, so use numbers above the old
    // ones.
    uint32_t first = 0;
    for (const HeldAddress &a : e.addresses)
      first = std::max(first, a.path + 1);
    for (HeldAddress &a : now[i]) {
      Outcome o =
          translate(a.host, {e.begin + a.offset, a.kind, a.path}, a.sent);
      if (o == Failed)
        return failure;
      if (o == Again) {
        again = true;
        return XCC_SUCCESS;
      }
      a.path += first;
    }
    now[i] = merged(e, sent[i], now[i]);
  }
  for (size_t i = 0; i != entries.size(); ++i)
    entries[i]->addresses = std::move(now[i]);
  return XCC_SUCCESS;
}

xcc_status Attachment::refresh(bool &again) {
  again = false;
  // The copies change, and the addresses in them.
  ++table.generation;
  XCC_TRY(refreshAddresses(again));
  if (again) {
    EntryOn first{&memory, std::exchange(blocking, nullptr)};
    drop();
    return copyBackEntry(first);
  }
  const MoveLines lines;
  for (size_t i = 0; i != m.ranges.size(); ++i) {
    const NamedRange &r = m.ranges[i];
    Entry &e = *entryOf[i];
    uint64_t offset = r.begin - e.begin;
    Move shown(m.on, Move::ToDevice, e, r.bytes, "update, ", m.place);
    if (!r.bytes)
      continue;
    e.stale.remove(offset, r.bytes);
    outdateElsewhere(memory, r.begin, r.bytes);
    if (e.addresses.empty()) {
      XCC_TRY(m.queue.copy(memory.place(*e.block, e.device + offset),
                           {.at = hostAt(r.begin)}, r.bytes));
      continue;
    }
    if (!e.block->staging)
      e.block->staging = std::make_unique<char[]>(e.block->used);
    char *copy = e.block->staging.get() + (e.device - e.block->memory);
    memcpy(copy + offset, hostAt(r.begin), r.bytes);
    for (const HeldAddress &a : e.addresses)
      memcpy(copy + a.offset, &a.sent, sizeof(a.sent));
    XCC_TRY(m.queue.copy(memory.place(*e.block, e.device + offset),
                         {.at = copy + offset}, r.bytes));
  }
  // A scope that holds an object also holds what its addresses lead to.
  for (Entry *e : entryOf)
    for (size_t i = 0; i != e->holdings.size(); ++i)
      if (xcc_scope *by = e->holdings[i].by)
        holdReached(*by);
  // Host and device now have the same bytes.
  for (size_t i = 0; i != m.ranges.size(); ++i)
    if (Entry &e = *entryOf[i]; e.uses.empty()) {
      e.back.remove(m.ranges[i].begin - e.begin, m.ranges[i].bytes);
      e.dirty &= !e.back.empty();
    }
  Busy busy(memory, entryOf);
  Unlocked meanwhile;
  m.queue.drain();
  return XCC_SUCCESS;
}

} // namespace xcc::rt
