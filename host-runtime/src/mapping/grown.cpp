// Copying back memory that kernels allocated or freed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/grown.h"
#include "mapping/copy_back.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace xcc::rt {

static uint64_t number(const void *at) {
  return reinterpret_cast<uint64_t>(at);
}

static ErrorSite siteOf(const MappedMemory &memory, const Entry *e) {
  if (!e)
    return {nullptr, nullptr, 0, memory.on.ordinal()};
  return {e->wrote.info ? e->wrote.info->name : nullptr, e->place.file,
          e->place.line, memory.on.ordinal()};
}

/// Prefetches a later entry: there may be many, and they are not in the cache.
static void prefetch(const std::vector<Entry *> &entries, size_t i) {
  constexpr size_t Ahead = 8;
  if (i + Ahead >= entries.size())
    return;
  __builtin_prefetch(&entries[i + Ahead]->begin);
  __builtin_prefetch(&entries[i + Ahead]->grows);
}

Grown::Grown(MappedMemory &memory, Queue &in, FromDevice &addresses)
    : memory(memory), in(in), heap(memory.on, in, memory.heapCopy),
      addresses(addresses) {}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Finds an entry by a host or device address. \p past: or one that ends there.
Entry *Grown::entryOf(uint64_t at, uint64_t &offset, bool past) {
  if (heap.isWithin(at))
    return nullptr;
  if (Entry *e = memory.table.find(at)) {
    offset = at - e->begin;
    return e;
  }
  if (Entry *e = past ? memory.table.around(at).past : nullptr) {
    offset = at - e->begin;
    return e;
  }
  Entry *e = addresses.entryOf(at);
  if (!e)
    return nullptr;
  offset = at - number(e->device);
  return offset < e->allocated || past ? e : nullptr;
}

/// Translates an address of either side to the host's. Returns false if it is
/// not known yet: the end of one heap block may be the start of another, and
/// freed memory may be in another block by now. With \p last, all blocks are
/// known.
bool Grown::resolve(uint64_t value, uint64_t &out, bool last) {
  uint64_t offset;
  out = value;
  if (const DeviceBlock *b = blocks.around(value, /*past=*/false)) {
    out = number(b->host) + (value - b->device);
    return true;
  }
  if (Entry *e = entryOf(value, offset, last)) {
    if (e->mayBeFreed() && !e->alive && !e->reused && !last)
      return false;
    out = (e->reused ? number(e->device) : uint64_t(e->begin)) + offset;
    return true;
  }
  if (const DeviceBlock *b = blocks.around(value, last)) {
    out = number(b->host) + (value - b->device);
    return true;
  }
  auto *found = ofHost.atOrBefore(value);
  return found && value - found->key < blocks.find(found->value)->bytes + last;
}

/// Is an address of no entry and no block the same on the host?
bool Grown::isSame(uint64_t value) {
  uint64_t out;
  return heap.isHost() || (!heap.holds(value, 1) &&
                           addresses.find(value, out, /*isElement=*/false));
}

void *Grown::home(void *at) {
  uint64_t out;
  if (resolve(number(at), out))
    return reinterpret_cast<void *>(out);
  // The host may not access that memory.
  return isSame(number(at)) ? at : nullptr;
}

void Grown::address(const void *location, uint32_t kind) {
  uint64_t value, out;
  memcpy(&value, location, sizeof(value));
  // A visitor handles the contents of room by their type.
  if (!value || kind & XCC_ADDRESS_ROOM)
    return;
  auto *at = static_cast<char *>(const_cast<void *>(location));
  if (resolve(value, out)) {
    if (out != value)
      memcpy(at, &out, sizeof(out));
    return;
  }
  // It is in the host's heap, or in memory with the same address on both sides.
  if (!resolve(value, out, /*last=*/true) && isSame(value))
    return;
  // It may be in a block that is found later.
  unresolved.push_back({at, kind, mapping->pathHere()});
}

/// Finds the entry or block that contains a host object.
void Grown::findHolder(uint64_t host) {
  holder = {};
  if (const Entry *e = memory.table.find(host))
    holder = {e->begin, e->allocated, number(e->device)};
  else if (auto *found = ofHost.atOrBefore(host))
    holder = {found->key, blocks.find(found->value)->bytes, found->value};
}

/// The device address of a host object; 0 if the device has none.
uint64_t Grown::deviceOf(uint64_t host) {
  // It is mostly the next element of the same container.
  if (host - holder.begin >= holder.bytes)
    findHolder(host);
  const uint64_t offset = host - holder.begin;
  return offset < holder.bytes ? holder.device + offset : 0;
}

void Grown::within(void *location, const void *object, uint64_t bytes) {
  const uint64_t own = number(object), device = deviceOf(own);
  uint64_t word;
  memcpy(&word, location, sizeof(word));
  if (!device || device == own || word - device >= bytes)
    return;
  word += own - device;
  memcpy(location, &word, sizeof(word));
}

bool Grown::isAway(const void *object, uint64_t bytes) {
  auto *at = static_cast<const char *>(object);
  for (uint64_t place = 0; place + sizeof(uint64_t) <= bytes && !heap.isHost();
       place += sizeof(uint64_t)) {
    uint64_t word, out;
    memcpy(&word, at + place, sizeof(word));
    if (word && !resolve(word, out) && heap.holds(word, 1))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Copies the bytes of an entry that copyBack left out, because an object owns
/// it.
xcc_status Grown::fetch(Entry &e) {
  if (!heap.isHost())
    return scatter(memory, addresses, e,
                   e.block->staging.get() + (e.device - e.block->memory),
                   /*grown=*/true);
  std::vector<char> copy(e.allocated);
  for (const Span &s : e.back)
    XCC_TRY(in.copy({.at = copy.data() + s.offset},
                    memory.place(*e.block, e.device + s.offset), s.bytes));
  in.drain();
  return scatter(memory, addresses, e, copy.data(), /*grown=*/true);
}

/// Handles the range at the start of an entry. Returns true if a visitor must
/// look at its elements.
bool Grown::known(Entry &e, uint64_t bytes, uint32_t flags) {
  if (!(flags & (XCC_MAP_OWNED | XCC_MAP_PART)) || !e.grows || e.alive)
    return false;
  e.alive = true;
  // No kernel is known to have written it, but one may have freed it and got
  // the same memory for an object of the same size.
  if (e.mayBeFreed() && !e.later) {
    e.later = e.compared = true;
    e.back.add(0, e.allocated);
  }
  if (std::exchange(e.later, false))
    keep(fetch(e));
  if (bytes > e.held.last() && bytes <= e.allocated)
    keep(fetchAdded(memory, in, {&e, bytes}));
  return true;
}

/// The error for memory of an allocator that has a state.
xcc_status Grown::foreign(const std::string &name) {
  return fail(XCC_ERROR_LAUNCH_FAILED, siteOf(memory, from),
              "a kernel on device %d (%s) allocated or freed memory of %s, "
              "which has a stateful allocator: only memory of std::allocator "
              "or another stateless allocator is copied back; use such an "
              "allocator, or let kernels use the elements that exist",
              memory.on.ordinal(), memory.on.id(), name.c_str());
}

/// Adds memory that a kernel allocated. Returns true if a visitor must look at
/// its elements.
bool Grown::newBlock(uint64_t at, uint64_t bytes, uint64_t allocated,
                     uint32_t flags) {
  if (blocks.find(at) || (!heap.isWithin(at) && ofHost.find(at)) ||
      !heap.holds(at, allocated))
    return false;
  const auto *allocator =
      flags & XCC_MAP_FOREIGN ? mapping->allocator : nullptr;
  if (flags & XCC_MAP_FOREIGN && !allocator) {
    keep(foreign(mapping->nameOf(mapping->pathHere())));
    return false;
  }
  if (flags & XCC_MAP_UNMADE) {
    keep(fail(XCC_ERROR_LAUNCH_FAILED, siteOf(memory, from),
              "a kernel on device %d (%s) made the object that %s shares, and "
              "its virtual functions are the device's: make it on the host",
              memory.on.ordinal(), memory.on.id(),
              mapping->nameOf(mapping->pathHere()).c_str()));
    return false;
  }
  DeviceBlock b{at, allocated, nullptr};
  if (heap.isHost()) {
    b.host = reinterpret_cast<char *>(at);
  } else {
    b.host = static_cast<char *>(allocateOwned(allocated, flags, allocator));
    keep(heap.read(b.host, at, bytes));
  }
  if (!heap.isHost())
    ofHost.add(number(b.host), at);
  blocks.add(b);
  return true;
}

bool Grown::range(const void *begin, uint64_t bytes, uint64_t allocated,
                  uint32_t flags) {
  uint64_t offset;
  if (!begin || !allocated || status != XCC_SUCCESS)
    return false;
  Entry *e = entryOf(number(begin), offset, /*past=*/false);
  // It is a new block inside an entry that the kernel freed.
  if (e && offset && e->mayBeFreed() && !e->alive && flags & XCC_MAP_OWNED)
    return newBlock(number(begin), bytes, allocated, flags);
  if (e && offset == 0) {
    // The kernel freed the entry and got the same memory for something else.
    if (!e->mayBeFreed() || allocated == e->allocated ||
        !(flags & XCC_MAP_OWNED))
      return known(*e, bytes, flags);
    e->reused = true;
    return !blocks.find(number(e->device)) &&
           newBlock(number(e->device), bytes, allocated, flags);
  }
  return !e && flags & XCC_MAP_OWNED &&
         newBlock(number(begin), bytes, allocated, flags);
}

//===----------------------------------------------------------------------===//
// Copying everything back
//===----------------------------------------------------------------------===//

/// Resolves the addresses that were unknown when they were found.
void Grown::resolveRest() {
  for (const Unresolved &u : unresolved) {
    uint64_t value, out;
    memcpy(&value, u.at, sizeof(value));
    if (!resolve(value, out) &&
        ((u.kind & XCC_ADDRESS_REFERENCE && !heap.isHost()) ||
         !resolve(value, out, /*last=*/true))) {
      const Entry *e = memory.table.find(number(u.at));
      if (const HeldAddress *a =
              e ? e->addressAt(number(u.at) - e->begin) : nullptr)
        memcpy(u.at, &a->host, sizeof(a->host));
      keep(fail(
          XCC_ERROR_LAUNCH_FAILED, siteOf(memory, from),
          "a kernel on device %d (%s) stored an address in %s that refers to "
          "nothing on the host (%#llx): memory that a kernel allocates is "
          "copied back only if a container or a std::unique_ptr owns it",
          memory.on.ordinal(), memory.on.id(), mapping->nameOf(u.path).c_str(),
          static_cast<unsigned long long>(value)));
      continue;
    }
    memcpy(u.at, &out, sizeof(out));
  }
}

void Grown::visit(const Entry &e) {
  // Remove the quotes.
  std::string name = e.name();
  if (name.size() > 2 && name.front() == '\'')
    name = name.substr(1, name.size() - 2);
  names.push_back(std::move(name));
  mapping->enter(names.back().c_str(), 0);
  for (const Visited &v : e.visited)
    v.visitor(mapping, reinterpret_cast<char *>(e.begin) + v.offset, v.bytes);
  mapping->leave();
}

xcc_status Grown::bring(const std::vector<Entry *> &entries) {
  mapping = xcc_mapping::make(memory.on, in);
  if (!mapping)
    throw std::bad_alloc();
  mapping->visit.end();
  mapping->grown = this;
  // There may be many entries, and each access is a cache miss, so look at them
  // only once.
  std::vector<Entry *> roots, foreignEntries, shared;
  try {
    for (size_t i = 0; i != entries.size(); ++i) {
      Entry *e = entries[i];
      prefetch(entries, i);
      e->alive = false;
      if (!e->grows || e->lost)
        continue;
      if (e->owned & XCC_MAP_FOREIGN && !e->allocator)
        foreignEntries.push_back(e);
      if (!e->owned)
        roots.push_back(e);
      if (e->owned & XCC_MAP_UNMADE)
        shared.push_back(e);
    }
    const FromDevice::HeapRange &met = addresses.metInHeap();
    if (met.count)
      keep(memory.returns.ask(memory.on, in));
    keep(heap.expect(met.first, met.last, met.count));
    blocks.reserve(heap.isHost() ? entries.size() : met.count);
    for (Entry *e : roots) {
      from = e;
      visit(*e);
    }
    // Control blocks that no mapped object owns any more. On a GPU a kernel
    // cannot free one that the host made.
    for (Entry *e : shared)
      if (!e->alive && (!heap.isHost() || e->sharedOutside) &&
          known(*e, e->allocated, XCC_MAP_OWNED)) {
        from = e;
        visit(*e);
      }
    // What a kernel did not use still owns its memory, even if the kernel used
    // that memory through an iterator.
    if (std::any_of(entries.begin(), entries.end(), [](const Entry *e) {
          return e->grows && e->owned && !e->alive && !e->lost;
        }))
      for (Entry *e : entries)
        if (!e->grows && !e->lost && !e->visited.empty()) {
          from = e;
          visit(*e);
        }
    heap.flush();
    if (status == XCC_SUCCESS)
      resolveRest();
    for (const Entry *e : foreignEntries)
      if (status == XCC_SUCCESS && !e->alive)
        keep(foreign(e->name()));
    keep(mapping->checkRejected());
  } catch (...) {
    mapping->grown = nullptr;
    xcc_mapping::release(mapping);
    throw;
  }
  mapping->grown = nullptr;
  xcc_mapping::release(mapping);
  if (status != XCC_SUCCESS)
    addresses.restore();
  return status;
}

void Grown::keepOriginal(Entry &e) {
  if (!heap.isHost() && status == XCC_SUCCESS && std::exchange(e.later, false))
    keep(fetch(e));
}

xcc_status Grown::recycle() {
  if (heap.isHost() || blocks.empty())
    return XCC_SUCCESS;
  for (const DeviceBlock &b : blocks.all())
    memory.returns.add(b.device);
  return memory.returns.post(memory.on, in);
}

/// Are all objects that such kernels used among the entries that end now?
static bool isComplete(const MappedMemory &memory,
                       const std::vector<Entry *> &entries) {
  if (memory.table.all().size() == entries.size())
    return true;
  auto count = [](const std::vector<Entry *> &of) {
    return std::count_if(of.begin(), of.end(), [](const Entry *e) {
      return e->grows && !e->visited.empty();
    });
  };
  return count(memory.table.all()) == count(entries);
}

/// The addresses that objects of these entries held when they were mapped.
static std::vector<uint64_t> heldBy(const std::vector<Entry *> &entries) {
  std::vector<uint64_t> held;
  for (const Entry *e : entries)
    if (e->grows)
      for (const HeldAddress &a : e->addresses)
        held.push_back(a.host);
  std::sort(held.begin(), held.end());
  return held;
}

xcc_status copyBackAllocations(MappedMemory &memory,
                               const std::vector<Entry *> &entries,
                               Queue *queue, FromDevice &addresses,
                               FreedMemory &freed) {
  if (std::none_of(entries.begin(), entries.end(),
                   [](const Entry *e) { return e->grows; }))
    return XCC_SUCCESS;
  Queue *in = queue;
  if (!in)
    XCC_TRY(memory.on.defaultQueue(&in));
  Grown grown(memory, *in, addresses);
  xcc_status status = grown.bring(entries);
  if (status == XCC_SUCCESS)
    status = grown.recycle();
  const bool complete = status == XCC_SUCCESS && isComplete(memory, entries),
             hostHeap = memory.on.usesHostHeap();
  if (complete)
    freed.reserve(entries.size());
  // The owner of memory may have been removed before the kernel ran.
  std::optional<std::vector<uint64_t>> owners;
  if (complete && memory.ownersGone)
    owners = heldBy(entries);
  for (size_t i = 0; i != entries.size(); ++i) {
    Entry *e = entries[i];
    prefetch(entries, i);
    if (!e->grows || !e->owned || e->alive || e->lost)
      continue;
    if (complete && (!owners || std::binary_search(owners->begin(),
                                                   owners->end(), e->begin)))
      freed.add(*e);
    else
      grown.keepOriginal(*e);
    if (hostHeap && e->block->single)
      e->block->whole = nullptr; // the kernel freed it
  }
  return status;
}

} // namespace xcc::rt
