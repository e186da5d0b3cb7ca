// What the host has now, on a device that has it already
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes keep copies for a while. Parts of them are sent again: when the program
// asks for it (to_device), and before a launch uses what is stale (Entry::stale).

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
// What is stale
//===----------------------------------------------------------------------===//

/// Is what the device was given still the translation of what the host has?
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
  // What it pointed to is no longer mapped; else it is memory that the device
  // reaches.
  FoundAllocation found;
  return a.sent == a.host ||
         (findAllocation(reinterpret_cast<void *>(a.host), found) &&
          isVisible(found, memory.on));
}

/// Marks as stale what no longer leads where the host's does: what it points to
/// went with another scope, or with another stream's work. True when an entry has
/// to be brought home first: kernels may have changed addresses there, or it is
/// in flight and has to be mapped anew.
bool Attachment::findOutdated() {
  for (const Used &u : used) {
    Entry &e = *u.entry;
    if (e.isNew || e.addresses.empty() || e.verified == table.generation)
      continue;
    bool right = true;
    for (const HeldAddress &a : e.addresses) {
      // A change of the host without to_device is not sent.
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

/// Reads stale addresses anew; true when one is another now.
bool Attachment::readStale() {
  bool changed = false;
  for (const Used &u : used)
    changed |= u.entry->readStale();
  return changed;
}

Attachment::Outcome Attachment::translateStale() {
  // Translations may add to what is used.
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
      // Whatever used it before has ended: nothing is read from the last one.
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
// When the program asks for it
//===----------------------------------------------------------------------===//

/// Addresses of an entry in order, of which those in `now` replace older ones at
/// the same place. An old one in bytes that are sent again is one still where
/// the host has not changed it.
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

/// The addresses of each entry as they are now: those in the ranges that are
/// named are read anew, the others stay.
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
    // Those that one object holds have a number in common, which is no other's.
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
  // What the host has there now, addresses too.
  ++table.generation;
  XCC_TRY(refreshAddresses(again));
  if (again) {
    EntryOn first{&memory, std::exchange(blocking, nullptr)};
    drop();
    return bringHome(first);
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
  // Who holds an object holds what it points to.
  for (Entry *e : entryOf)
    for (size_t i = 0; i != e->holdings.size(); ++i)
      if (xcc_scope *by = e->holdings[i].by)
        holdReached(*by);
  // The host and the device have the same.
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
