// The parts of entries that scopes hold
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/holdings.h"

#include <algorithm>

namespace xcc::rt {

static void addOnce(std::vector<Entry *> &list, Entry *e) {
  if (std::find(list.begin(), list.end(), e) == list.end())
    list.push_back(e);
}

void holdPart(xcc_scope &scope, Entry &e, const Span &part, bool single,
              std::string words) {
  const bool known =
      std::any_of(e.holdings.begin(), e.holdings.end(),
                  [&](const Holding &h) { return h.by == &scope; });
  if (!known)
    scope.entries.push_back(&e);
  e.holdings.push_back({&scope, part, single, std::move(words)});
}

/// Does the scope hold the byte at an offset? \p end: or a part that ends
/// there.
static bool holds(const xcc_scope &scope, const Entry &e, uint64_t offset,
                  bool end) {
  return std::any_of(e.holdings.begin(), e.holdings.end(),
                     [&](const Holding &h) {
                       return h.by == &scope && offset >= h.span.offset &&
                              (offset < h.span.end() ||
                               (end && !h.single && offset == h.span.end()));
                     });
}

void holdReached(xcc_scope &scope) {
  const PresentTable &table = scope.memory->table;
  // The list grows meanwhile. An entry is looked at again if more of it is
  // held.
  std::vector<Entry *> work = scope.entries;
  for (size_t i = 0; i != work.size(); ++i) {
    Entry &from = *work[i];
    for (const HeldAddress &a : from.addresses) {
      if (!a.host || a.isRoom() || !holds(scope, from, a.offset, false))
        continue;
      const Around around = table.around(a.host);
      Entry *to = around.in ? around.in : around.past;
      if (!to || !to->isHeld() || holds(scope, *to, a.host - to->begin, true))
        continue;
      holdPart(scope, *to, {0, to->allocated}, to->single);
      work.push_back(to);
    }
  }
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Does the offset lie inside an address?
static bool isWithinAddress(const Entry &e, uint64_t at) {
  return std::any_of(e.addresses.begin(), e.addresses.end(),
                     [&](const HeldAddress &a) {
                       return a.offset < at && at < a.offset + sizeof(a.host);
                     });
}

/// Divides holdings at an offset.
static void divide(const std::vector<Holding> &all, uint64_t at,
                   std::vector<Holding> &front, std::vector<Holding> &behind) {
  for (const Holding &h : all) {
    if (h.span.offset < at) {
      uint64_t end = std::min(h.span.end(), at);
      front.push_back(h);
      front.back().span.bytes = end - h.span.offset;
      front.back().single &= end == h.span.end();
    }
    if (h.span.end() > at) {
      uint64_t from = std::max(h.span.offset, at);
      behind.push_back(h);
      behind.back().span = {from - at, h.span.end() - from};
    }
  }
}

/// Is the address one past the end outside all holdings?
static bool isSingle(const std::vector<Holding> &holdings, uint64_t end) {
  return std::all_of(holdings.begin(), holdings.end(), [&](const Holding &h) {
    return h.single || h.span.end() != end;
  });
}

/// Cuts an entry in two at an offset; the second part becomes an entry of its
/// own. Nothing of it may be in flight.
static void cut(MappedMemory &memory, Entry &e, uint64_t at) {
  std::unique_ptr<Entry> made(memory.newEntry());
  Entry &r = *made;
  std::vector<Holding> front;
  divide(e.holdings, at, front, r.holdings);
  for (const Holding &h : r.holdings)
    if (h.by) {
      h.by->entries.reserve(h.by->entries.size() + 1);
      h.by->named.reserve(h.by->named.size() + 1);
    }
  r.begin = e.begin + at;
  r.allocated = e.allocated - at;
  r.device = e.device + at;
  r.block = e.block;
  for (Spans Entry::*spans : {&Entry::held, &Entry::returns, &Entry::back,
                              &Entry::unsent, &Entry::stale}) {
    r.*spans = (e.*spans).part(at, e.allocated);
    e.*spans = (e.*spans).part(0, at);
  }
  for (const HeldAddress &a : e.addresses)
    if (a.offset >= at) {
      r.addresses.push_back(a);
      r.addresses.back().offset -= at;
    }
  r.place = e.place;
  r.wrote = e.wrote;
  r.kept = e.kept;
  r.objects = e.objects;
  r.single = e.single;
  r.dirty = e.dirty;
  r.isNew = false;
  r.words = e.name();
  for (const Holding &h : r.holdings)
    if (!h.words.empty() && h.span.offset == 0)
      r.words = h.words;
  memory.table.insert(&r);
  ++made.release()->block->entries;
  // Nothing throws from here on, because the lists have room.
  for (const Holding &h : r.holdings)
    if (h.by) {
      addOnce(h.by->entries, &r);
      if (std::find(h.by->named.begin(), h.by->named.end(), &e) !=
          h.by->named.end())
        addOnce(h.by->named, &r);
    }
  for (const Holding &h : r.holdings)
    if (h.by && std::none_of(front.begin(), front.end(),
                             [&](const Holding &f) { return f.by == h.by; })) {
      std::erase(h.by->entries, &e);
      std::erase(h.by->named, &e);
    }
  std::erase_if(e.addresses,
                [&](const HeldAddress &a) { return a.offset >= at; });
  e.single = isSingle(front, at);
  e.holdings = std::move(front);
  memory.table.erase(&e);
  e.allocated = at;
  memory.table.insert(&e);
}

/// Makes the parts that other scopes hold entries of their own.
static void cutOut(MappedMemory &memory, const xcc_scope &scope, Entry &e) {
  Spans others;
  for (const Holding &h : e.holdings)
    if (h.by != &scope)
      others.add(h.span.offset, h.span.bytes);
  if (others.empty())
    return;
  for (const Span *s = others.end(); s-- != others.begin();)
    for (uint64_t at : {s->end(), s->offset})
      if (at && at < e.allocated && !isWithinAddress(e, at))
        cut(memory, e, at);
}

void releaseHoldings(xcc_scope &scope, std::vector<Entry *> &gone) {
  MappedMemory &memory = *scope.memory;
  for (Entry *e : std::vector<Entry *>(scope.entries))
    cutOut(memory, scope, *e);
  gone.reserve(scope.entries.size());
  ++memory.table.generation;
  for (Entry *e : scope.entries) {
    std::erase_if(e->holdings,
                  [&](const Holding &h) { return h.by == &scope; });
    if (e->holdings.empty())
      gone.push_back(e);
  }
}

} // namespace xcc::rt
