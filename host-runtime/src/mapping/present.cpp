// Host memory that has a copy on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/present.h"
#include "mapping/known.h"
#include "records/launch_recorder.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace xcc::rt {

constinit std::mutex mappingMutex;
constinit std::atomic<bool> anyMapped{false};
constinit std::atomic<bool> objectsChange{false};

void Spans::add(uint64_t offset, uint64_t bytes) {
  if (covers(offset, bytes))
    return;
  Span s{offset, bytes};
  if (list.empty()) {
    if (!one.bytes || (one.offset <= s.end() && s.offset <= one.end())) {
      uint64_t end = one.bytes ? std::max(s.end(), one.end()) : s.end();
      one.offset = one.bytes ? std::min(s.offset, one.offset) : s.offset;
      one.bytes = end - one.offset;
      return;
    }
    list.push_back(one);
  }
  auto first =
      std::lower_bound(list.begin(), list.end(), s.offset,
                       [](const Span &a, uint64_t at) { return a.end() < at; });
  auto last = first;
  for (; last != list.end() && last->offset <= s.end(); ++last) {
    uint64_t end = std::max(s.end(), last->end());
    s.offset = std::min(s.offset, last->offset);
    s.bytes = end - s.offset;
  }
  if (first == last) {
    list.insert(first, s);
    return;
  }
  *first = s;
  list.erase(first + 1, last);
}

bool Spans::covers(uint64_t offset, uint64_t bytes) const {
  if (!bytes)
    return true;
  const Span *s =
      std::upper_bound(begin(), end(), offset, [](uint64_t at, const Span &a) {
        return at < a.offset;
      });
  if (s == begin())
    return false;
  --s;
  return offset + bytes <= s->end();
}

void Spans::remove(uint64_t offset, uint64_t bytes) {
  const uint64_t last = offset + bytes;
  Spans rest;
  for (const Span &s : *this) {
    if (s.offset < offset)
      rest.add(s.offset, std::min(s.end(), offset) - s.offset);
    if (s.end() > last)
      rest.add(std::max(s.offset, last), s.end() - std::max(s.offset, last));
  }
  *this = std::move(rest);
}

Spans Spans::part(uint64_t from, uint64_t to) const {
  Spans inside;
  within({from, to - from},
         [&](const Span &s) { inside.add(s.offset - from, s.bytes); });
  return inside;
}

uint64_t Spans::total() const {
  uint64_t sum = 0;
  for (const Span &s : *this)
    sum += s.bytes;
  return sum;
}

bool HeldAddress::isHost(uintptr_t begin) const {
  return memcmp(reinterpret_cast<const char *>(begin) + offset, &host,
                sizeof(host)) == 0;
}

const HeldAddress *Entry::addressAt(uint64_t offset) const {
  auto found = std::lower_bound(
      addresses.begin(), addresses.end(), offset,
      [](const HeldAddress &a, uint64_t o) { return a.offset < o; });
  return found != addresses.end() && found->offset == offset ? &*found
                                                             : nullptr;
}

void Entry::clear() {
  Entry fresh;
  held.clear();
  returns.clear();
  back.clear();
  unsent.clear();
  stale.clear();
  addresses.clear();
  holdings.clear();
  uses.clear();
  fresh.held = std::move(held);
  fresh.returns = std::move(returns);
  fresh.back = std::move(back);
  fresh.unsent = std::move(unsent);
  fresh.stale = std::move(stale);
  fresh.addresses = std::move(addresses);
  fresh.holdings = std::move(holdings);
  fresh.uses = std::move(uses);
  *this = std::move(fresh);
}

bool Entry::readStale() {
  bool changed = false;
  if (stale.empty())
    return false;
  for (HeldAddress &a : addresses)
    if (stale.overlap({a.offset, sizeof(a.host)}) && !a.isHost(begin)) {
      memcpy(&a.host, reinterpret_cast<const char *>(begin) + a.offset,
             sizeof(a.host));
      changed = true;
    }
  return changed;
}

size_t Entry::holders() const {
  size_t count = 0;
  for (auto h = holdings.begin(); h != holdings.end(); ++h)
    count += !h->by || std::none_of(holdings.begin(), h, [&](const Holding &o) {
      return o.by == h->by;
    });
  return count;
}

void Entry::has(Queue &by, bool needs, bool makes, uint64_t failedBefore) {
  if (unsent.empty() || (!needs && !makes))
    return;
  unsent.clear();
  // Later launches wait for the copy, as for a kernel's write.
  writer = &by;
  if (needs)
    return;
  maker = &by;
  failures = failedBefore;
}

void Entry::use(Queue &by) {
  for (Use &u : uses)
    if (u.queue == &by) {
      u.last = by.mappedLaunches;
      return;
    }
  uses.push_back({&by, by.mappedLaunches});
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

size_t PresentTable::upper(uintptr_t at) const {
  // Addresses come in the order of objects: those of one vector, then the
  // next's.
  size_t n = begins.size();
  for (size_t i = latest; i <= n && i <= latest + 1; ++i)
    if ((!i || begins[i - 1] <= at) && (i == n || at < begins[i]))
      return latest = i;
  return latest = search(at);
}

size_t PresentTable::search(uintptr_t at) const {
  // No branches that depend on the data, and three independent loads at a time.
  const uintptr_t *first = begins.data();
  size_t n = begins.size();
  while (n > 3) {
    size_t quarter = n / 4;
    size_t below = size_t(first[quarter - 1] <= at) +
                   size_t(first[2 * quarter - 1] <= at) +
                   size_t(first[3 * quarter - 1] <= at);
    first += below * quarter;
    n = below == 3 ? n - 3 * quarter : quarter;
  }
  size_t below = 0;
  for (size_t i = 0; i != n; ++i)
    below += first[i] <= at;
  return size_t(first - begins.data()) + below;
}

Entry *PresentTable::find(uintptr_t at) const {
  size_t i = upper(at);
  return i && at < ends[i - 1] ? entries[i - 1] : nullptr;
}

Around PresentTable::around(uintptr_t at) const {
  size_t i = upper(at);
  Around found{};
  if (i && at < ends[i - 1])
    found.in = entries[i - 1];
  // Entries have at least one byte, so one that ends here began before.
  if (i && begins[i - 1] == at)
    --i;
  if (i && ends[i - 1] == at && !entries[i - 1]->single)
    found.past = entries[i - 1];
  return found;
}

Entry *PresentTable::firstIn(uintptr_t begin, uintptr_t end) const {
  size_t i = upper(begin);
  if (i && ends[i - 1] > begin)
    return entries[i - 1];
  return i != entries.size() && begins[i] < end ? entries[i] : nullptr;
}

void PresentTable::insert(Entry *e) {
  ++generation;
  size_t i = upper(e->begin);
  if (entries.size() == entries.capacity()) {
    // Reserve first, so that no call below throws.
    size_t room = std::max<size_t>(64, 2 * entries.size());
    begins.reserve(room);
    ends.reserve(room);
    entries.reserve(room);
  }
  begins.insert(begins.begin() + ptrdiff_t(i), e->begin);
  ends.insert(ends.begin() + ptrdiff_t(i), e->end());
  entries.insert(entries.begin() + ptrdiff_t(i), e);
}

void PresentTable::erase(Entry *e) {
  ++generation;
  size_t i = upper(e->begin);
  if (!i || entries[i - 1] != e)
    return;
  begins.erase(begins.begin() + ptrdiff_t(i - 1));
  ends.erase(ends.begin() + ptrdiff_t(i - 1));
  entries.erase(entries.begin() + ptrdiff_t(i - 1));
}

void PresentTable::eraseMarked() {
  ++generation;
  size_t stay = 0;
  for (size_t i = 0; i != entries.size(); ++i) {
    if (entries[i]->gone)
      continue;
    begins[stay] = begins[i];
    ends[stay] = ends[i];
    entries[stay++] = entries[i];
  }
  begins.resize(stay);
  ends.resize(stay);
  entries.resize(stay);
}

//===----------------------------------------------------------------------===//
// Memory of the device
//===----------------------------------------------------------------------===//

/// Freed blocks may take one part in so many of the device's memory.
static constexpr uint64_t KeptShare = 8;
/// The alignment of every block.
static constexpr uint64_t Alignment = 64;
/// Large blocks begin at different offsets in their pages. Allocators give each
/// the same offset. A kernel that walks many arrays in step would then have
/// them in the same cache lines, and loads would wait for stores with similar
/// addresses.
static constexpr uint64_t Page = 4096, LargeBlock = 64 * 1024;
static constexpr uint64_t Stagger = 128, Places = Page / Stagger;

MappedMemory::MappedMemory(Device &on)
    : on(on), known(std::make_unique<KnownLaunches>()) {
  kept.reserve(MostKept);
}

xcc_status MappedMemory::obtain(Block &b, uint64_t bytes, uint64_t alignment) {
  uint64_t slack = alignment > Alignment ? alignment : 0;
  if (bytes >= LargeBlock)
    slack += Page;
  uint64_t wanted = std::max<uint64_t>((bytes + slack + 255) / 256 * 256, 256);
  auto best = kept.end();
  for (auto k = kept.begin(); k != kept.end(); ++k)
    if (k->capacity >= wanted && k->capacity / 2 <= wanted + 4096 &&
        (best == kept.end() || k->capacity < best->capacity))
      best = k;
  if (best != kept.end()) {
    b.whole = best->memory;
    b.capacity = best->capacity;
    b.place = best->place;
    keptBytes -= best->capacity;
    kept.erase(best);
  } else {
    void *memory = nullptr;
    xcc_status status = on.allocate(wanted, &memory);
    if (status == XCC_ERROR_OUT_OF_MEMORY && trim())
      status = on.allocate(wanted, &memory);
    XCC_TRY(status);
    b.whole = static_cast<char *>(memory);
    b.capacity = wanted;
    b.place = uint32_t(nextPlace++ * 5 % Places);
    records::note(on, memory, wanted);
  }
  auto at = reinterpret_cast<uintptr_t>(b.whole);
  if (bytes >= LargeBlock)
    at += b.place * Stagger;
  b.memory = b.whole + ((at + alignment - 1) / alignment * alignment -
                        reinterpret_cast<uintptr_t>(b.whole));
  b.used = bytes;
  return XCC_SUCCESS;
}

void MappedMemory::release(void *memory) {
  records::forget(memory);
  (void)on.release(memory);
}

xcc_status
MappedMemory::obtainSingle(Block &b, uint64_t bytes, uint32_t owned,
                           const xcc_mapping_allocator_functions *allocator) {
  void *memory;
  try {
    memory = allocateOwned(bytes, owned, allocator);
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, on.ordinal()},
                "out of memory for mapping what a launch refers to");
  }
  b.whole = b.memory = static_cast<char *>(memory);
  b.capacity = b.used = bytes;
  b.single = owned;
  b.allocator = allocator;
  return XCC_SUCCESS;
}

void *allocateOwned(uint64_t bytes, uint32_t owned,
                    const xcc_mapping_allocator_functions *allocator) {
  if (!allocator)
    return owned & XCC_MAP_ARRAY ? ::operator new[](bytes)
                                 : ::operator new(bytes);
  if (void *memory = allocator->allocate(bytes))
    return memory;
  throw std::bad_alloc();
}

void freeOwned(void *memory, uint64_t bytes, uint32_t owned,
               const xcc_mapping_allocator_functions *allocator) {
  if (allocator)
    allocator->deallocate(memory, bytes);
  else if (owned & XCC_MAP_ARRAY)
    ::operator delete[](memory);
  else
    ::operator delete(memory);
}

void MappedMemory::recycle(Block &b) {
  if (!b.whole)
    return;
  if (b.single) {
    if (!b.abandoned)
      freeOwned(b.whole, b.capacity, b.single, b.allocator);
    b.whole = b.memory = nullptr;
    return;
  }
  if (!mostBytes) {
    xcc_device_properties p{};
    on.properties(p);
    mostBytes = std::max<uint64_t>(p.total_memory / KeptShare, 1);
  }
  const uint64_t most = mostBytes;
  while (!kept.empty() &&
         (kept.size() >= MostKept || keptBytes + b.capacity > most)) {
    release(kept.front().memory);
    keptBytes -= kept.front().capacity;
    kept.erase(kept.begin());
  }
  if (b.capacity <= most) {
    kept.push_back({b.whole, b.capacity, b.place});
    keptBytes += b.capacity;
  } else {
    release(b.whole);
  }
  b.whole = b.memory = nullptr;
}

bool MappedMemory::trim() {
  bool some = !kept.empty();
  for (Kept &k : kept)
    release(k.memory);
  kept.clear();
  keptBytes = 0;
  return some;
}

/// The most entries that are kept for reuse.
static constexpr size_t MostUnused = 256;

Entry *MappedMemory::newEntry() {
  if (unused.empty()) {
    unused.reserve(MostUnused);
    return new Entry;
  }
  Entry *e = unused.back().release();
  unused.pop_back();
  return e;
}

void MappedMemory::freeEntry(Entry *e) {
  std::unique_ptr<Entry> freed(e);
  if (unused.size() >= unused.capacity() || e->addresses.capacity() > 1024)
    return;
  e->clear();
  unused.push_back(std::move(freed));
}

void MappedMemory::remove(Entry *e) {
  table.erase(e);
  drop(e);
}

void MappedMemory::remove(const std::vector<Entry *> &gone) {
  // Removing entries one by one moves all later ones each time.
  constexpr size_t few = 4;
  if (gone.size() > few) {
    for (Entry *e : gone)
      e->gone = true;
    table.eraseMarked();
  } else {
    for (Entry *e : gone)
      table.erase(e);
  }
  ownersGone =
      !table.all().empty() &&
      (ownersGone || std::any_of(gone.begin(), gone.end(), [](const Entry *e) {
         return !e->visited.empty();
       }));
  for (Entry *e : gone)
    drop(e);
}

/// Frees an entry that is not in the table.
void MappedMemory::drop(Entry *e) {
  Block *b = e->block;
  freeEntry(e);
  if (b && --b->entries == 0) {
    recycle(*b);
    delete b;
  }
}

static std::vector<MappedMemory *> &list() {
  // Never freed: threads may launch until the process ends.
  static auto &all = *new std::vector<MappedMemory *>;
  return all;
}

const std::vector<MappedMemory *> &allMapped() { return list(); }

MappedMemory *mappedMemory(Device &on) {
  MappedMemory *m = on.mapped.load(std::memory_order_acquire);
  if (m)
    return m;
  try {
    list().reserve(list().size() + 1);
    m = new MappedMemory(on);
    list().push_back(m);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
  on.mapped.store(m, std::memory_order_release);
  anyMapped.store(true, std::memory_order_release);
  return m;
}

} // namespace xcc::rt
