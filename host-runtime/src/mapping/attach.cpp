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
/// The largest alignment that a copy keeps of its host address.
static constexpr uint64_t MostAlignment = 4096;

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
  empty(loose);
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

void Attachment::Lists::giveBack(std::unique_ptr<Lists> lists) {
  spare() = std::move(lists);
}

Attachment::~Attachment() {
  drop();
  Lists::giveBack(std::move(own));
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
    memory.giveBack(*b);
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

//===----------------------------------------------------------------------===//
// Finding entries
//===----------------------------------------------------------------------===//

void Attachment::use(Entry *e, bool writes, bool anywhere, bool may) {
  if (e->mark < used.size() && used[e->mark].entry == e) {
    used[e->mark].writes |= writes;
    used[e->mark].anywhere |= anywhere;
    used[e->mark].may |= may;
    return;
  }
  e->mark = uint32_t(used.size());
  used.push_back({e, writes, anywhere, may});
}

/// Shall a new entry's copy be filled from the host? Always if it holds
/// addresses, because these must be the device's.
bool Attachment::isSent(const Entry &e) const {
  return used[e.mark].needs || !e.addresses.empty() || e.owned;
}

/// Must the entry be settled first? Memory that a failed kernel should have
/// written is lost, and a scope must not hold memory that may become lost.
bool Attachment::mustSettle(const Entry &e) const {
  return e.lost || (e.maker && !m.kernel);
}

/// Does the entry have all that the range names?
bool Attachment::suffices(const Entry &e, const NamedRange &r) const {
  uint64_t offset = r.begin - e.begin;
  if (offset > e.allocated)
    return false;
  // If kernels may free the memory, its copy must allow that.
  if (!e.isHeld() && mayGrow() && !e.owned && isFreeable(r, e))
    return false;
  // XCC_MAP_KEEP alone copied nothing from the host.
  if (!e.isHeld() && e.kept && r.flags & (XCC_MAP_IN | XCC_MAP_OUT))
    return false;
  return e.held.covers(offset, r.bytes);
}

xcc_status Attachment::tooSmall(const Entry &e, const NamedRange &r) {
  if (e.lost)
    return fail(
        XCC_ERROR_INVALID_VALUE, m.site(),
        "%s: a kernel that used %s has failed, and nobody knows what it "
        "left there; end the mapping of %s (%s:%u) first",
        m.subject().c_str(), e.name().c_str(), e.name().c_str(),
        e.place.file ? e.place.file : "", e.place.line);
  return fail(
      XCC_ERROR_INVALID_VALUE, m.site(),
      "%s: %s is %llu bytes at %#zx, of which only a part is mapped: %s was "
      "mapped with %llu bytes at %#zx (%s:%u); map all of it, or end that "
      "mapping first",
      m.subject().c_str(), m.nameOf(r.path).c_str(),
      static_cast<unsigned long long>(r.bytes), size_t(r.begin),
      e.name().c_str(), static_cast<unsigned long long>(e.held.total()),
      size_t(e.begin), e.place.file ? e.place.file : "", e.place.line);
}

/// Finds the entries that exist; or sets one that has to be settled first.
xcc_status Attachment::findPresent(Entry *&inTheWay) {
  lists.loose.clear();
  entryOf.assign(m.ranges.size(), nullptr);
  for (size_t i = 0; i != m.ranges.size(); ++i) {
    const NamedRange &r = m.ranges[i];
    Entry *e = table.firstIn(r.begin, r.end());
    if (!e) {
      lists.loose.push_back(i);
      continue;
    }
    if (!e->busy && !mustSettle(*e) && e->begin <= r.begin && suffices(*e, r)) {
      entryOf[i] = e;
      if (r.end() == e->end() && !(r.flags & XCC_MAP_SINGLE))
        e->single = false;
      // A held entry keeps the flags of its scope.
      if (!e->isHeld() && mayBeWritten(r.flags))
        e->returns.add(r.begin - e->begin, r.bytes);
      e->constant |= (r.flags & XCC_MAP_CONST) != 0;
      continue;
    }
    if (!e->busy && e->isHeld())
      return tooSmall(*e, r);
    inTheWay = e;
    return XCC_SUCCESS;
  }
  return XCC_SUCCESS;
}

xcc_status Attachment::findEntries(bool *again) {
  std::sort(m.ranges.begin(), m.ranges.end(),
            [](const NamedRange &a, const NamedRange &b) {
              return a.begin != b.begin ? a.begin < b.begin
                                        : a.allocated > b.allocated;
            });
  while (true) {
    if (again && (*again = sawOlderObjects(m)))
      return XCC_SUCCESS;
    Entry *inTheWay = nullptr;
    XCC_TRY(findPresent(inTheWay));
    if (!inTheWay)
      break;
    // Entries found so far may be gone, so start again.
    XCC_TRY(settleEntry(memory, *inTheWay));
  }
  for (size_t i = 0; i != m.ranges.size(); ++i)
    if (entryOf[i])
      use(entryOf[i], writes(m.ranges[i]), false,
          mayBeWritten(m.ranges[i].flags));
  makeEntries(lists.loose);
  if (mayGrow())
    noteVisitors();
  return XCC_SUCCESS;
}

/// Is the entry an allocation that an object owns and that kernels may free?
bool Attachment::isFreeable(const NamedRange &r, const Entry &e) const {
  return r.flags & XCC_MAP_OWNED && r.begin == e.begin &&
         r.allocated == e.allocated && r.begin % (2 * sizeof(void *)) == 0;
}

/// Finds control blocks that have owners outside the mapping. Each owner holds
/// the block's address once, and is counted in the block.
void Attachment::countOwners() {
  std::unordered_map<uint64_t, int> owners; // mapped owners, by block
  for (size_t i = 0; i != m.ranges.size(); ++i)
    if (const Entry &e = *entryOf[i]; e.isNew && e.owned & XCC_MAP_UNMADE)
      owners[e.begin] = 0;
  if (owners.empty())
    return;
  for (const NamedAddress &a : m.addresses) {
    uint64_t word;
    memcpy(&word, reinterpret_cast<const void *>(a.at), sizeof(word));
    const bool isArgument =
        a.at - reinterpret_cast<uintptr_t>(m.kernarg) < m.kernargSize;
    if (auto found = owners.find(word); found != owners.end() && !isArgument)
      ++found->second;
  }
  for (size_t i = 0; i != m.ranges.size(); ++i) {
    Entry &e = *entryOf[i];
    auto found = owners.find(e.begin);
    if (found == owners.end() || !(e.owned & XCC_MAP_UNMADE))
      continue;
    // The counts follow the virtual table (std::_Sp_counted_base). All owners
    // together count as one watcher.
    int counts[2];
    memcpy(counts, reinterpret_cast<const char *>(e.begin) + sizeof(void *),
           sizeof(counts));
    e.sharedOutside = counts[0] + counts[1] - (counts[0] != 0) > found->second;
  }
}

/// Records what is needed when kernels that allocate or free memory have ended.
void Attachment::noteVisitors() {
  for (size_t i = 0; i != m.ranges.size(); ++i) {
    const NamedRange &r = m.ranges[i];
    Entry &e = *entryOf[i];
    if (e.isNew && isFreeable(r, e)) {
      e.owned = r.flags & (XCC_MAP_OWNED | XCC_MAP_ARRAY | XCC_MAP_FOREIGN |
                           XCC_MAP_UNMADE);
      e.allocator = r.allocator;
    }
    if (!r.visitor)
      continue;
    const Visited v{r.begin - e.begin, r.bytes, r.visitor};
    if (std::none_of(e.visited.begin(), e.visited.end(), [&](const Visited &o) {
          return o.offset == v.offset && o.visitor == v.visitor;
        }))
      e.visited.push_back(v);
  }
  countOwners();
}

/// Makes entries. Ranges that overlap or touch become one entry, so that
/// distances between their addresses are the same on the device.
void Attachment::makeEntries(const std::vector<size_t> &loose) {
  for (size_t n = 0; n != loose.size();) {
    size_t first = n;
    uintptr_t begin = m.ranges[loose[n]].begin, end = begin;
    for (; n != loose.size() && m.ranges[loose[n]].begin <= end + (n == first);
         ++n)
      end = std::max(end, m.ranges[loose[n]].end());
    if (fresh.size() == fresh.capacity())
      fresh.reserve(2 * fresh.size() + 1);
    if (making.size() == making.capacity())
      making.reserve(2 * making.size() + 1);
    std::unique_ptr<Entry> made(memory.newEntry());
    Making how{first, n, {}, 1, 0};
    made->begin = begin;
    made->allocated = end - begin;
    made->single = true;
    made->place = m.place;
    made->namedBy = &m;
    made->path = m.ranges[loose[first]].path;
    for (size_t i = first; i != n; ++i) {
      const NamedRange &r = m.ranges[loose[i]];
      // An object inside the entry keeps its own alignment.
      how.alignment = std::max(
          how.alignment,
          std::min(MostAlignment, uint64_t(1) << std::countr_zero(r.begin)));
      uint64_t offset = r.begin - begin;
      made->held.add(offset, r.bytes);
      made->kept |= !(r.flags & (XCC_MAP_IN | XCC_MAP_OUT));
      if (mayBeWritten(r.flags))
        made->returns.add(offset, r.bytes);
      if (r.flags & XCC_MAP_IN)
        how.in.add(offset, r.bytes);
      made->objects |= (r.flags & XCC_MAP_OBJECTS) != 0;
      made->constant |= (r.flags & XCC_MAP_CONST) != 0;
      if (r.end() == end && !(r.flags & XCC_MAP_SINGLE))
        made->single = false;
      entryOf[loose[i]] = made.get();
    }
    how.skew = begin % how.alignment;
    table.insert(made.get());
    making.push_back(std::move(how));
    fresh.push_back(made.release());
    bool any = false, may = false;
    for (size_t i = first; i != n; ++i) {
      any |= writes(m.ranges[loose[i]]);
      may |= mayBeWritten(m.ranges[loose[i]].flags);
    }
    use(fresh.back(), any, false, may);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

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
  std::vector<size_t> &order = lists.loose;
  order.clear();
  for (bool sent : {true, false})
    for (size_t i = 0; i != fresh.size(); ++i)
      if (isSent(*fresh[i]) == sent)
        order.push_back(i);
  for (size_t i : order)
    if (SharedBlock *t = sharedBy(*fresh[i])) {
      const Making &how = making[i];
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
    const Making &how = making[i];
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
void Attachment::findInTheWay() {
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
      findInTheWay();
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
        findInTheWay();
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

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Writes the headers that device code finds before copies that it may free.
xcc_status Attachment::sendHeaders() {
  uint64_t &low = memory.freeable[0], &past = memory.freeable[1];
  for (Entry *e : fresh) {
    if (!e->owned)
      continue;
    const auto at = reinterpret_cast<uint64_t>(e->device);
    e->header[0] = at ^ XCC_MAPPED_LIVE;
    e->header[1] = e->allocated;
    low = std::min(low, at);
    past = std::max(past, at + 1);
    char *there = e->device - sizeof(e->header);
    if (e->block->staging)
      memcpy(e->block->staging.get() + (there - e->block->memory), e->header,
             sizeof(e->header));
    else
      XCC_TRY(m.queue.copy(memory.place(*e->block, there), {.at = e->header},
                           sizeof(e->header)));
  }
  if (std::equal(memory.freeable, memory.freeable + 2, memory.freeableSent))
    return XCC_SUCCESS;
  uint64_t base = 0, end = 0;
  deviceHeap(m.on, base, end);
  if (base == end)
    return XCC_SUCCESS;
  std::copy_n(memory.freeable, 2, memory.freeableSent);
  auto *heap = reinterpret_cast<char *>(base);
  return m.queue.copy(
      {.at = heap + XCC_MAPPED_BOUNDS, .owner = &m.on, .allocation = heap},
      {.at = memory.freeableSent}, sizeof(memory.freeableSent));
}

xcc_status Attachment::copyIn() {
  const MoveLines lines;
  enqueued = true;
  failures = m.queue.failures();
  heapFailures = m.queue.heapFailures();
  if (logs(LogCategory::Map)) [[unlikely]]
    for (size_t i = 0; i != m.ranges.size(); ++i)
      if (!entryOf[i]->isNew && (!i || entryOf[i] != entryOf[i - 1]))
        showPresent(m.on, m.nameOf(m.ranges[i].path), m.ranges[i].bytes,
                    *entryOf[i], m.place);
  auto host = [](uintptr_t at) { return reinterpret_cast<char *>(at); };
  Copies copies(memory, m.queue);
  // Send what earlier launches did not need.
  for (const Used &u : used) {
    const Entry &e = *u.entry;
    if (e.isNew || !u.needs || e.unsent.empty())
      continue;
    Move shown(m.on, Move::ToDevice, e, e.unsent.total(), "needed now, ",
               m.place);
    XCC_TRY(copies.add(e, e.unsent, Copies::ToDevice));
  }
  XCC_TRY(sendStale(copies));
  for (size_t i = 0; i != fresh.size(); ++i) {
    Entry &e = *fresh[i];
    if (!isSent(e)) {
      e.unsent = std::move(making[i].in);
      Move shown(m.on, Move::ToDevice, e, 0,
                 used[e.mark].makes ? "new, overwritten by "
                                    : "new, not used by ",
                 m.place);
      // For tests: make a kernel notice if it reads the memory nevertheless.
      if (m.on.hidesOriginals())
        XCC_TRY(m.queue.fillBytes(memory.place(*e.block, e.device), HiddenByte,
                                  e.allocated));
      continue;
    }
    Move shown(m.on, Move::ToDevice, e, making[i].in.total(), "new, ", m.place);
    if (!e.block->staging) {
      XCC_TRY(copies.add(e, making[i].in, Copies::ToDevice));
      continue;
    }
    char *copy = e.block->staging.get() + (e.device - e.block->memory);
    for (const Span &s : making[i].in)
      memcpy(copy + s.offset, host(e.begin) + s.offset, s.bytes);
    for (const HeldAddress &a : e.addresses)
      memcpy(copy + a.offset, &a.sent, sizeof(a.sent));
  }
  if (!m.on.usesHostHeap())
    XCC_TRY(sendHeaders());
  if (copies.entries()) {
    Move shown(m.on, Move::ToDevice, copies.bytes(), copies.entries());
    XCC_TRY(copies.end());
  }
  for (Block *b : blocks)
    if (b->staging && b->sent) {
      Move shown(m.on, Move::ToDevice, b->sent, b->entries);
      XCC_TRY(m.queue.copy(memory.place(*b, b->memory),
                           {.at = b->staging.get()}, b->sent));
    }
  return XCC_SUCCESS;
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
