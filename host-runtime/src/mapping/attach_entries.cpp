// Finding and making the entries of a launch's ranges
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/attach.h"
#include "mapping/known.h"
#include "mapping/returned.h"
#include "mapping/settle.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace xcc::rt {

/// The largest alignment that a copy keeps of its host address.
static constexpr uint64_t MostAlignment = 4096;

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

/// Notes an entry that must be waited for or settled before it is used. Returns
/// false if another thread works on it.
bool Attachment::isReady(Entry &e) {
  metBusy |= e.busy;
  if (!e.busy && mustSettle(e))
    blocking = &e;
  return !e.busy;
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
    return fail(XCC_ERROR_INVALID_VALUE, m.site(),
                "%s: a kernel that used %s has failed, so the contents are "
                "unknown; end the mapping of %s (%s:%u) first",
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
xcc_status Attachment::findPresent(Entry *&conflicting) {
  lists.unmatched.clear();
  entryOf.assign(m.ranges.size(), nullptr);
  for (size_t i = 0; i != m.ranges.size(); ++i) {
    const NamedRange &r = m.ranges[i];
    Entry *e = table.firstIn(r.begin, r.end());
    if (!e) {
      lists.unmatched.push_back(i);
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
    conflicting = e;
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
    if (again && (*again = hasOutdatedObjects(m)))
      return XCC_SUCCESS;
    Entry *conflicting = nullptr;
    XCC_TRY(findPresent(conflicting));
    if (!conflicting)
      break;
    // Entries found so far may be gone, so start again.
    XCC_TRY(settleEntry(memory, *conflicting));
  }
  for (size_t i = 0; i != m.ranges.size(); ++i)
    if (entryOf[i])
      use(entryOf[i], writes(m.ranges[i]), false,
          mayBeWritten(m.ranges[i].flags));
  makeEntries(lists.unmatched);
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
void Attachment::makeEntries(const std::vector<size_t> &unmatched) {
  for (size_t n = 0; n != unmatched.size();) {
    size_t first = n;
    uintptr_t begin = m.ranges[unmatched[n]].begin, end = begin;
    for (; n != unmatched.size() &&
           m.ranges[unmatched[n]].begin <= end + (n == first);
         ++n)
      end = std::max(end, m.ranges[unmatched[n]].end());
    if (fresh.size() == fresh.capacity())
      fresh.reserve(2 * fresh.size() + 1);
    if (making.size() == making.capacity())
      making.reserve(2 * making.size() + 1);
    std::unique_ptr<Entry> made(memory.newEntry());
    NewEntry how{first, n, {}, 1, 0};
    made->begin = begin;
    made->allocated = end - begin;
    made->single = true;
    made->place = m.place;
    made->namedBy = &m;
    made->path = m.ranges[unmatched[first]].path;
    for (size_t i = first; i != n; ++i) {
      const NamedRange &r = m.ranges[unmatched[i]];
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
      entryOf[unmatched[i]] = made.get();
    }
    how.skew = begin % how.alignment;
    table.insert(made.get());
    making.push_back(std::move(how));
    fresh.push_back(made.release());
    bool any = false, may = false;
    for (size_t i = first; i != n; ++i) {
      any |= writes(m.ranges[unmatched[i]]);
      may |= mayBeWritten(m.ranges[unmatched[i]].flags);
    }
    use(fresh.back(), any, false, may);
  }
}

} // namespace xcc::rt
