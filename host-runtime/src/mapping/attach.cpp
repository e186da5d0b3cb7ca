// Making copies of named ranges on the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/attach.h"
#include "mapping/busy.h"
#include "mapping/copies.h"
#include "mapping/hidden.h"
#include "mapping/holdings.h"
#include "mapping/known.h"
#include "mapping/moves.h"
#include "mapping/returned.h"
#include "mapping/settle.h"
#include "rpc/services/mapped.h"
#include "services/host_services.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace xcc::rt {

/// Ranges up to this size share a block and a transfer, by way of a staging
/// copy.
static constexpr uint64_t SmallRange = 4096;
/// The same limit if the device gathers copies: it copies larger ranges from
/// their place. Smaller ones may lie on the program's stack, so the launch must
/// have read them when it returns.
static constexpr uint64_t TinyRange = 256;
/// Bytes between entries in the device's memory, so that an address one past an
/// entry is in no other.
static constexpr uint64_t Gap = 16;
/// Lists with a larger capacity are freed.
static constexpr size_t MostKept = 10'000;

void Attachment::Lists::clear() {
  auto empty = [](auto &list) {
    list.clear();
    if (list.capacity() > MostKept)
      list = {};
  };
  empty(entryOf);
  empty(fresh);
  empty(making);
  empty(used);
  empty(spans);
  empty(blocks);
  empty(unmatched);
  empty(steps);
  empty(done);
}

std::unique_ptr<Attachment::Lists> &Attachment::Lists::spare() {
  // Never freed: threads may launch until the process ends.
  static auto &lists = *new std::unique_ptr<Lists>;
  return lists;
}

std::unique_ptr<Attachment::Lists> Attachment::Lists::take() {
  return spare() ? std::move(spare()) : std::make_unique<Lists>();
}

void Attachment::Lists::recycle(std::unique_ptr<Lists> lists) {
  spare() = std::move(lists);
}

Attachment::~Attachment() {
  drop();
  Lists::recycle(std::move(own));
}

/// Takes back all that commit() has not kept.
void Attachment::drop() {
  if (enqueued)
    m.queue.drain(); // copies to the device may still read host memory
  enqueued = false;
  for (Entry *e : fresh) {
    table.erase(e);
    memory.freeEntry(e);
  }
  for (Block *b : blocks) {
    memory.recycle(*b);
    delete b;
  }
  lists.clear();
  metBusy = rereads = false;
  blocking = nullptr;
  elsewhere = {};
}

bool Attachment::writes(const NamedRange &r) const {
  return r.flags & XCC_MAP_OUT;
}

namespace {
/// Ranges that share a block.
struct SharedBlock {
  uint64_t bytes = 0, alignment = 64;
  uint64_t sent = 0; ///< bytes that are sent in one transfer
  Block *block = nullptr;
  /// The start of the next entry: at offset \p skew of its alignment, with \p
  /// front bytes before it.
  uint64_t next(uint64_t aligned, uint64_t skew, uint64_t front) const {
    return (bytes + front + aligned - 1) / aligned * aligned + skew;
  }
};
} // namespace

xcc_status Attachment::allocate() {
  if (fresh.empty())
    return XCC_SUCCESS;
  const bool gathers = m.on.gathers();
  SharedBlock staged, gathered;
  const bool hostHeap = m.on.usesHostHeap();
  auto sharedBy = [&](const Entry &e) -> SharedBlock * {
    if (e.owned && hostHeap)
      return nullptr;
    if (gathers && e.addresses.empty() && e.allocated > TinyRange)
      return e.allocated <= Copies::MostGathered ? &gathered : nullptr;
    return e.allocated <= SmallRange ? &staged : nullptr;
  };
  auto front = [](const Entry &e) -> uint64_t {
    return e.owned ? XCC_MAPPED_HEADER : 0;
  };
  // Place the entries that are sent before the others.
  std::vector<size_t> &order = lists.unmatched;
  order.clear();
  for (bool sent : {true, false})
    for (size_t i = 0; i != fresh.size(); ++i)
      if (isSent(*fresh[i]) == sent)
        order.push_back(i);
  for (size_t i : order)
    if (SharedBlock *t = sharedBy(*fresh[i])) {
      const NewEntry &how = making[i];
      t->alignment = std::max(t->alignment, how.alignment);
      t->bytes = t->next(how.alignment, how.skew, front(*fresh[i])) +
                 fresh[i]->allocated + Gap;
      if (isSent(*fresh[i]))
        t->sent = t->bytes;
    }
  blocks.reserve(fresh.size() + 2);
  for (SharedBlock *t : {&staged, &gathered})
    if (t->bytes) {
      blocks.push_back(t->block = new Block);
      XCC_TRY(memory.obtain(*t->block, t->bytes, t->alignment));
      t->block->sent = t->sent;
      t->bytes = 0;
    }
  for (size_t i : order) {
    Entry &e = *fresh[i];
    const NewEntry &how = making[i];
    SharedBlock *t = sharedBy(e);
    if (t) {
      e.block = t->block;
      e.device = e.block->memory + t->next(how.alignment, how.skew, front(e));
      t->bytes = uint64_t(e.device - e.block->memory) + e.allocated + Gap;
    } else if (e.owned && hostHeap) {
      blocks.push_back(new Block);
      XCC_TRY(memory.obtainSingle(*blocks.back(), e.allocated, e.owned,
                                  e.allocator));
      e.block = blocks.back();
      e.block->sent = e.block->used;
      e.device = e.block->memory;
    } else {
      blocks.push_back(new Block);
      const uint64_t at =
          (front(e) + how.alignment - 1) / how.alignment * how.alignment +
          how.skew;
      XCC_TRY(
          memory.obtain(*blocks.back(), at + e.allocated + Gap, how.alignment));
      e.block = blocks.back();
      e.block->sent = e.block->used;
      e.device = e.block->memory + at;
    }
    ++e.block->entries;
    if (!e.block->staging && (t == &staged || !e.addresses.empty()))
      e.block->staging = std::make_unique<char[]>(e.block->used);
  }
  return XCC_SUCCESS;
}

/// Looks for entries that must be waited for, or copied back, first.
void Attachment::findBlocking() {
  elsewhere = findOnOtherDevice(memory, used);
  if (elsewhere.entry)
    return;
  if (m.kernel && !findOutdated())
    rereads = readStale();
}

xcc_status Attachment::make(char *kernarg, bool *again) {
  arguments = kernarg;
  for (;;) {
    XCC_TRY(findEntries(again));
    if (again && *again)
      return XCC_SUCCESS;
    holdAddressesOf(fresh);
    if (m.kernel)
      XCC_TRY(checkHeld());
    followAccess();
    if (metBusy) {
      drop();
      waitForBusy(memory);
      continue;
    }
    if (!blocking)
      findBlocking();
    if (rereads) {
      drop();
      continue;
    }
    if (!blocking && !elsewhere.entry) {
      const size_t known = used.size();
      XCC_TRY(allocate());
      Outcome outcome = translateAll(kernarg);
      if (outcome == Failed)
        return failure;
      // The addresses may have led to more entries.
      if (outcome == Done && used.size() != known)
        findBlocking();
      if (rereads) {
        drop();
        continue;
      }
      if (outcome == Done && !blocking && !elsewhere.entry)
        return XCC_SUCCESS;
    }
    EntryOn first = std::exchange(elsewhere, {});
    if (!first.entry)
      first = {&memory, std::exchange(blocking, nullptr)};
    drop();
    XCC_TRY(copyBackEntry(first));
  }
}

void Attachment::findWritten() {
  auto add = [&](Entry &e, const Span &s) {
    e.returns.within(s, [&](const Span &part) { spans.push_back({&e, part}); });
  };
  for (size_t i = 0; i != m.ranges.size(); ++i)
    if (writes(m.ranges[i]) && used[entryOf[i]->mark].writes) {
      const NamedRange &r = m.ranges[i];
      add(*entryOf[i], {r.begin - entryOf[i]->begin, r.bytes});
    }
  for (const Used &u : used)
    if (u.anywhere && u.writes)
      for (const Span &s : u.entry->held)
        add(*u.entry, s);
}

void Attachment::commit() {
  findWritten();
  if (fresh.empty() && KnownLaunch::canKeep(m))
    keep();
  profileMapped(m.on, m.place, used);
  useEntries(memory, m.queue, m.place, used, spans, failures);
  if (m.kernel->usesHeap)
    for (const Used &u : used) {
      u.entry->grows = true;
      if (m.queue.heapFailures() != heapFailures)
        u.entry->abandon();
    }
  for (const Written &w : spans)
    outdateElsewhere(memory, w.entry->begin + w.span.offset, w.span.bytes);
  fresh.clear();
  blocks.clear();
  enqueued = false;
}

void Attachment::keep() try {
  if (KnownLaunch *k = memory.known->next(*m.kernel))
    k->keep(memory, m, arguments, used, spans);
} catch (const std::bad_alloc &) {
}

void Attachment::hold(xcc_scope *by) {
  ++table.generation;
  for (const Used &u : used) {
    u.entry->unsent.clear();
    if (!u.entry->isNew)
      continue;
    u.entry->words = u.entry->name(); // the mapping will be destroyed
    u.entry->namedBy = nullptr;
    u.entry->isNew = false;
  }
  for (size_t i = 0; i != m.ranges.size(); ++i) {
    const NamedRange &r = m.ranges[i];
    Entry &e = *entryOf[i];
    const uint64_t offset = r.begin - e.begin;
    const Span part{offset, std::min(r.allocated, e.allocated - offset)};
    const bool single = r.flags & XCC_MAP_SINGLE;
    std::string words = part.bytes == e.allocated ? "" : m.nameOf(r.path);
    if (by)
      holdPart(*by, e, part, single, std::move(words));
    else
      e.holdings.push_back({nullptr, part, single, std::move(words)});
    if (mayBeWritten(r.flags))
      e.returns.add(offset, r.bytes);
  }
  if (by)
    holdReached(*by);
  fresh.clear();
  blocks.clear();
  enqueued = false;
}

std::vector<Entry *> Attachment::allEntries() const {
  std::vector<Entry *> all;
  for (const Used &u : used)
    all.push_back(u.entry);
  return all;
}

} // namespace xcc::rt
