// Translating addresses in mapped objects for the device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "mapping/attach.h"
#include "mapping/busy.h"
#include "mapping/settle.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace xcc::rt {

/// Stores the addresses that new entries hold, sorted by place.
void Attachment::holdAddressesOf(const std::vector<Entry *> &of) {
  if (of.empty())
    return;
  auto kernarg = reinterpret_cast<uintptr_t>(m.kernarg);
  Entry *e = nullptr;
  for (const NamedAddress &a : m.addresses) {
    if (a.at - kernarg < m.kernargSize)
      continue;
    if (!e || !e->holds(a.at))
      e = table.find(a.at);
    if (!e || !e->isNew || e->end() - a.at < sizeof(uint64_t))
      continue;
    uint64_t host;
    memcpy(&host, reinterpret_cast<const void *>(a.at), sizeof(host));
    e->addresses.push_back({a.at - e->begin, host, 0, a.kind, a.path});
  }
  for (Entry *e : of) {
    auto &list = e->addresses;
    // If several addresses are at one place, sort them in the order of naming.
    auto before = [](const HeldAddress &a, const HeldAddress &b) {
      bool aRoom = a.isRoom(), bRoom = b.isRoom();
      return std::tie(a.offset, aRoom, a.path) <
             std::tie(b.offset, bRoom, b.path);
    };
    if (!std::is_sorted(list.begin(), list.end(), before))
      std::sort(list.begin(), list.end(), before);
    // An address replaces a room for one at the same place.
    auto overlap = [](const HeldAddress &a, const HeldAddress &b) {
      return b.offset - a.offset < sizeof(a.host);
    };
    size_t n = 0;
    for (HeldAddress a : list) {
      for (;
           n && list[n - 1].isRoom() && !a.isRoom() && overlap(list[n - 1], a);
           --n)
        a.shared = true;
      if (!n || !overlap(list[n - 1], a))
        list[n++] = a;
      else if (a.isRoom())
        list[n - 1].shared = true;
    }
    list.resize(n);
  }
}

/// Does the kernel write all of an entry through this address, regardless of
/// the entry's contents?
bool Attachment::overwrites(KernelAccess::State state, uint64_t at,
                            const Entry &e) const {
  const uint64_t threads = uint64_t(m.config.grid[0]) * m.config.block[0];
  auto [from, to] =
      m.kernel->access.overwritten(state, m.kernarg, m.kernargSize, threads);
  if (from == to || e.held.empty())
    return false;
  return at + from <= e.begin + e.held.begin()->offset &&
         e.begin + e.held.last() <= at + to;
}

/// Uses the compiler's analysis of the kernel: follows the addresses from the
/// arguments as the kernel does, and clears what it does not write or need.
/// Returns false if that cannot be known.
bool Attachment::follow() {
  const KernelAccess &access = m.kernel->access;
  Numbers<Step> &steps = lists.steps;
  steps.clear();
  enum Does : uint8_t {
    Reads = 1,
    Writes = 2,
    ByConst = 4,
    Overwrites = 8,
    Anywhere = 16
  };
  std::vector<uint8_t> &done = lists.done;
  done.clear();
  auto reach = [&](const Step &s, Entry *e) {
    const auto [state, isConst, isPlain, at] = s;
    if (!e || !isReady(*e))
      return;
    if (!isNamed(*e))
      use(e, true, true);
    done.resize(used.size());
    uint8_t &does = done[e->mark];
    if (access.reads(state))
      does |= Reads;
    if (!access.writes(state))
      return;
    does |= Writes;
    // A cast may remove const. Another range of the entry may be named
    // non-const.
    if (isConst)
      does |= ByConst | Anywhere;
    if (isPlain)
      does |= Anywhere;
    if (overwrites(state, at, *e))
      does |= Overwrites;
  };
  auto add = [&](KernelAccess::State state, uint64_t at, uint32_t kind) {
    if (!at)
      return;
    const Step s = {state, (kind & XCC_ADDRESS_CONST) != 0,
                    !(kind & XCC_ADDRESS_REFERENCE), at};
    if (!access.ends(state)) {
      steps.add(s);
      return;
    }
    // The address may be the end of one object and the start of another: use
    // both.
    const Around around = table.around(at);
    reach(s, around.in);
    reach(s, around.past);
  };
  auto first = reinterpret_cast<uintptr_t>(m.kernarg);
  for (const NamedAddress &a : m.addresses) {
    uint64_t offset = a.at - first, at;
    if (offset >= m.kernargSize)
      continue;
    memcpy(&at, m.kernarg + offset, sizeof(at));
    add(access.step(KernelAccess::Block, int64_t(offset)), at, a.kind);
  }
  for (size_t i = 0; i != steps.size(); ++i) {
    const Step s = steps[i];
    const Around around = table.around(s.at);
    for (Entry *e : {around.in, around.past}) {
      reach(s, e);
      if (!e || e->busy || e->addresses.empty())
        continue;
      // Kernels in flight may have changed the addresses.
      if (!e->isNew && e->dirty)
        return false;
      for (const HeldAddress &h : e->addresses)
        add(access.step(s.state, int64_t(e->begin + h.offset - s.at)), h.host,
            h.kind);
    }
  }
  done.resize(used.size());
  // If a kernel changes addresses, threads may write through different ones.
  bool addressesChange = false;
  for (size_t i = 0; i != used.size(); ++i)
    addressesChange |= done[i] & Writes && !used[i].entry->addresses.empty();
  for (size_t i = 0; i != used.size(); ++i) {
    Used &u = used[i];
    const bool changes = done[i] & Writes;
    u.byConst = done[i] & ByConst;
    // Named as const or in part, and also found by another path.
    u.anywhere |= changes && u.may && (!u.writes || done[i] & Anywhere);
    u.writes = changes && (u.writes || u.may);
    u.makes = done[i] & Overwrites && !(done[i] & Reads) && !addressesChange;
    u.needs = done[i] & (Reads | Writes) && !u.makes;
  }
  return true;
}

/// Checks that addresses in memory that a scope holds are unchanged: a vector
/// that was resized meanwhile has moved its elements.
xcc_status Attachment::checkHeld() {
  auto kernarg = reinterpret_cast<uintptr_t>(m.kernarg);
  const Entry *e = nullptr;
  for (const NamedAddress &a : m.addresses) {
    if (a.at - kernarg < m.kernargSize)
      continue;
    if (!e || !e->holds(a.at))
      e = table.find(a.at);
    if (!e || e->isNew || !e->isHeld())
      continue;
    const HeldAddress *h = e->addressAt(a.at - e->begin);
    if (h && e->stale.overlap({h->offset, sizeof(h->host)}))
      continue; // the address is read again
    if (h && !h->isRoom() && !h->isHost(e->begin))
      return fail(
          XCC_ERROR_INVALID_VALUE, m.site(),
          "%s on device %d (%s): the host changed what %s points to (as by "
          "resizing it) since it was mapped (%s:%u); end that mapping first, "
          "and map it again",
          m.subject().c_str(), m.on.ordinal(), m.on.id(),
          m.nameOf(a.path).c_str(), e->place.file ? e->place.file : "",
          e->place.line);
  }
  return XCC_SUCCESS;
}

void Attachment::followAccess() {
  if (!m.kernel)
    return;
  if (m.kernel->access.known() && follow())
    return;
  useAllReached();
}

/// Used without an analysis of the kernel, which then may write all memory to
/// which it has a non-const address.
void Attachment::useAllReached() {
  auto reach = [&](uint64_t at, uint32_t kind) {
    const Around around = table.around(at);
    for (Entry *e : {around.in, around.past})
      if (e && e->busy)
        metBusy = true;
      else if (e && mustSettle(*e))
        blocking = e;
      else if (e && !isNamed(*e))
        use(e, true, true);
      else if (e && !(kind & XCC_ADDRESS_CONST) && used[e->mark].may &&
               (!used[e->mark].writes || !(kind & XCC_ADDRESS_REFERENCE)))
        use(e, true, true);
  };
  auto first = reinterpret_cast<uintptr_t>(m.kernarg);
  for (const NamedAddress &a : m.addresses) {
    uint64_t offset = a.at - first, at;
    if (offset >= m.kernargSize)
      continue;
    memcpy(&at, m.kernarg + offset, sizeof(at));
    reach(at, a.kind);
  }
  for (Entry *e : fresh)
    for (const HeldAddress &h : e->addresses)
      reach(h.host, h.kind);
  // Addresses on the device may lead to any other mapped memory.
  bool leads = false;
  for (const Used &u : used)
    leads |= !u.entry->isNew && !u.entry->addresses.empty();
  if (leads)
    for (Entry *e : table.all()) {
      if (!isReady(*e))
        return;
      use(e, true, true);
    }
}

Entry *Attachment::entryAround(uintptr_t at) const {
  for (size_t i = 0; i != m.ranges.size(); ++i)
    if (const NamedRange &r = m.ranges[i];
        at - r.begin < r.allocated + !(r.flags & XCC_MAP_SINGLE))
      return entryOf[i];
  return nullptr;
}

std::string Attachment::nameOfAddress(const NamedAddress &a) const {
  const Entry *e = a.path == NoPath ? table.find(a.at) : nullptr;
  return e ? e->name() : m.nameAt(a.at, a.path);
}

Attachment::Outcome Attachment::unmapped(uint64_t value,
                                         const NamedAddress &a) {
  failure =
      fail(XCC_ERROR_INVALID_VALUE, m.site(),
           "%s on device %d (%s): %s points to host memory that is not mapped "
           "(%#llx); pass a std::span or a container, hold the memory in an "
           "xcc::map, or use xcc::buffer",
           m.subject().c_str(), m.on.ordinal(), m.on.id(),
           nameOfAddress(a).c_str(), static_cast<unsigned long long>(value));
  return Failed;
}

/// Is the entry one of this mapping's ranges? Then more is known about it.
bool Attachment::isNamed(const Entry &e) const {
  return e.mark < used.size() && used[e.mark].entry == &e;
}

/// Translates an address of a constant: the device has a copy of all constants
/// around it. Returns false if the address is not of a constant, or if
/// `failure` is set.
bool Attachment::translateConstant(uint64_t value, const NamedAddress &a,
                                   uint64_t &out) {
  const ConstantSegment *s = findConstants(value);
  if (!s || (s->fixed && !(a.kind & XCC_ADDRESS_NUMBERS)))
    return false;
  m.repeats &= s->stays;
  failure = memory.constants.translate(memory, *s, value, m.place, out);
  return failure == XCC_SUCCESS;
}

Attachment::Outcome Attachment::translate(uint64_t value, const NamedAddress &a,
                                          uint64_t &out) {
  out = value;
  if (!value || a.kind & XCC_ADDRESS_NONE)
    return Done;
  if (a.kind & XCC_ADDRESS_CONSTANT) {
    if (translateConstant(value, a, out))
      return Done;
    if (failure != XCC_SUCCESS)
      return Failed;
  }
  const bool room = a.kind & XCC_ADDRESS_ROOM;
  auto [in, past] = table.around(value);
  if (a.kind & XCC_ADDRESS_REFERENCE || (room && in))
    past = nullptr;
  else if (a.kind & XCC_ADDRESS_END && past)
    in = nullptr;
  for (Entry *e : {in, past})
    // A scope must not hold memory that comes back when work in flight ends.
    if (e && (e->busy || mustSettle(*e) ||
              (!m.kernel && !e->isNew && !e->isHeld()))) {
      blocking = e;
      return Again;
    }
  if (in && past && past->device + past->allocated != in->device) {
    // The address is the end of one object and the start of another. If both
    // are in one copy, they also touch on the device.
    if (in->isHeld() || past->isHeld()) {
      failure = fail(
          XCC_ERROR_INVALID_VALUE, m.site(),
          "%s on device %d (%s): %s points to the end of %s, where %s begins; "
          "map both in one xcc::map",
          m.subject().c_str(), m.on.ordinal(), m.on.id(),
          nameOfAddress(a).c_str(), past->name().c_str(), in->name().c_str());
      return Failed;
    }
    // Settle the one that an earlier launch mapped, so that both are made anew
    // as one entry.
    blocking = in->isNew ? past : in;
    return Again;
  }
  Entry *e = in ? in : past;
  if (e) {
    if (!isNamed(*e))
      use(e, true, true);
    out = reinterpret_cast<uintptr_t>(e->device) + (value - e->begin);
    return Done;
  }
  // The address is in the unmapped part of an allocation, as a vector's spare
  // room.
  if ((e = entryAround(value))) {
    out = reinterpret_cast<uintptr_t>(e->device) + (value - e->begin);
    return Done;
  }
  auto pointer = reinterpret_cast<void *>(value);
  FoundAllocation found;
  if (findAllocation(pointer, found) && isVisible(found, m.on)) {
    if (!isLocked(found.kind))
      return Done;
    void *seen;
    failure = m.on.seenAt(reinterpret_cast<void *>(found.begin), seen);
    if (failure != XCC_SUCCESS)
      return Failed;
    out = reinterpret_cast<uintptr_t>(seen) + (value - found.begin);
    return Done;
  }
  if (room || m.isEmptyRange(value))
    return Done;
  if (m.on.reaches(pointer)) {
    m.repeats = false; // the device may lose access without notice
    return Done;
  }
  return unmapped(value, a);
}

/// If a kernel argument is a reference to one object and the kernel uses memory
/// beside it: the bytes of the object. Else 0.
uint64_t Attachment::usedAround(uint64_t offset, uint64_t value,
                                const NamedAddress &a) const {
  if (!(a.kind & XCC_ADDRESS_REFERENCE) || !m.kernel)
    return 0;
  uint64_t bytes = 0;
  for (const NamedRange &r : m.ranges)
    if (r.begin == value && r.flags & XCC_MAP_SINGLE)
      // The named range may be the first member of the object.
      bytes = std::max<uint64_t>(bytes, r.bytes);
  const KernelAccess &access = m.kernel->access;
  bool beside = access.usesMoreThan(int64_t(offset), bytes) ||
                (a.kind & XCC_ADDRESS_SCALAR &&
                 access.usesVariableOffset(int64_t(offset)));
  return beside ? bytes : 0;
}

/// Checks that the memory beside an object is mapped, because the kernel uses
/// it through a reference to the object.
xcc_status Attachment::checkAround(uint64_t value, uint64_t bytes,
                                   const NamedAddress &a) const {
  for (const NamedRange &r : m.ranges)
    if (r.begin <= value && value < r.end() &&
        !(r.begin == value && r.flags & XCC_MAP_SINGLE))
      return XCC_SUCCESS; // it is an element of a named range
  const Entry *e = table.find(value);
  if (!e)
    return XCC_SUCCESS;
  for (const Holding &h : e->holdings)
    if (uint64_t at = value - e->begin;
        h.span.offset <= at && at < h.span.end() && h.span.bytes != bytes)
      return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE, m.site(),
              "%s on device %d (%s): the kernel uses memory outside %s, of "
              "which only %llu bytes at %#llx are mapped; refer to the "
              "container or array that contains it, or pass a std::span",
              m.subject().c_str(), m.on.ordinal(), m.on.id(),
              nameOfAddress(a).c_str(), static_cast<unsigned long long>(bytes),
              static_cast<unsigned long long>(value));
}

Attachment::Outcome Attachment::translateAll(char *kernarg) {
  for (Entry *e : fresh)
    for (HeldAddress &h : e->addresses) {
      NamedAddress a{e->begin + h.offset, h.kind, h.path};
      if (Outcome o = translate(h.host, a, h.sent); o != Done)
        return o;
    }
  if (m.kernel)
    if (Outcome o = translateStale(); o != Done)
      return o;
  auto first = reinterpret_cast<uintptr_t>(m.kernarg);
  for (const NamedAddress &a : m.addresses) {
    uint64_t offset = a.at - first;
    if (offset >= m.kernargSize)
      continue;
    uint64_t value;
    memcpy(&value, m.kernarg + offset, sizeof(value));
    if (uint64_t bytes = usedAround(offset, value, a)) {
      failure = checkAround(value, bytes, a);
      if (failure != XCC_SUCCESS)
        return Failed;
      // Copy back also what the kernel writes beside the object.
      if (Entry *e = table.find(value); e && isNamed(*e))
        used[e->mark].anywhere |= used[e->mark].writes;
    }
    if (Outcome o = translate(value, a, value); o != Done)
      return o;
    memcpy(kernarg + offset, &value, sizeof(value));
  }
  return Done;
}

} // namespace xcc::rt
