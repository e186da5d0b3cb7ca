// Where an address leads to, if a thread may go there
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "handlers.h"
#include "test/simulator/common/checks.h"
#include "test/simulator/common/findings.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace ptx {

using namespace xcc::rt::cuda;

const Windows &windows() {
  static const Windows w = [] {
    // Addresses of our own that nothing else gets.
    auto at = reinterpret_cast<uint64_t>(
        mmap(nullptr, 5 * Windows::Size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (at == ~uint64_t(0))
      abort();
    at = (at + Windows::Size - 1) & ~(Windows::Size - 1);
    return Windows{at, at + Windows::Size, at + 2 * Windows::Size,
                   at + 3 * Windows::Size};
  }();
  return w;
}

static const char *nameOf(Space s) {
  switch (s) {
  case Space::Global:
    return "global ";
  case Space::Const:
    return "constant ";
  case Space::Shared:
    return "shared ";
  case Space::Local:
    return "local ";
  case Space::Param:
    return "parameter ";
  case Space::Generic:
    return "";
  }
  return "";
}

void Warp::misaligned(uint64_t address, unsigned bytes, unsigned lane) {
  char text[120];
  snprintf(text, sizeof(text), "%#llx is not aligned for an access of %u bytes",
           (unsigned long long)address, bytes);
  fault(MisalignedAddress, text, uint32_t(1) << lane);
}

void Warp::badAddress(uint64_t address, unsigned bytes, Space s, bool write,
                      unsigned lane) {
  const Windows &win = windows();
  char text[160];
  snprintf(text, sizeof(text),
           "%s of %u bytes of %smemory at %#llx: ", write ? "write" : "read",
           bytes, nameOf(s), (unsigned long long)address);
  std::string why = text;
  auto local = [&](uint64_t raw) {
    if (raw >= sp[lane] && raw + bytes <= LocalTop)
      return zones.describe(stack * lane + (raw - (LocalTop - stack)), bytes);
    if (raw >= LocalTop)
      return std::string("beyond the thread's stack");
    if (LocalTop - raw <= stack)
      return "below the thread's stack pointer, by " +
             std::to_string(sp[lane] - raw) +
             " bytes: of a function that has returned?";
    return std::string("below the thread's stack of ") + std::to_string(stack) +
           " bytes";
  };
  auto shared = [&](uint64_t at) {
    const Grid &g = block.grid;
    if (const SharedVariable *v = g.p.gapAt(g.k, at, bytes)) {
      const bool behind = at >= g.k.sharedAt[size_t(v - g.p.shared.data())];
      return (behind ? "behind" : "in front of") +
             (" the shared variable '" +
              simulator::demangled(std::string(v->name))) +
             "' of " + std::to_string(v->size) + " bytes";
    }
    return "the block has " + std::to_string(g.sharedBytes - g.k.sharedGaps) +
           " bytes of shared memory";
  };
  if (s == Space::Local)
    why += local(address);
  else if (s == Space::Shared)
    why += shared(address);
  else if (s == Space::Generic && address - win.local < Windows::Size)
    why += "local memory, " + local(address - win.local);
  else if (address - win.shared < Windows::Size)
    why += s == Space::Generic
               ? "shared memory at " + std::to_string(address - win.shared) +
                     ", and " + shared(address - win.shared)
               : "an address of shared memory";
  else if (address - win.local < Windows::Size)
    why += "an address of local memory";
  else if (address - win.param < Windows::Size)
    why += "an address of the kernel's parameters";
  else if (address - win.functions < Windows::Size)
    why += "an address of a function";
  else
    why += block.grid.mem.describe(address);
  fault(IllegalAddress, why, uint32_t(1) << lane);
}

char *Warp::reachLocal(uint64_t raw, unsigned bytes, unsigned lane) {
  // Below the stack pointer is what functions that have returned had.
  if (raw < sp[lane] || raw + bytes > LocalTop)
    return nullptr;
  const uint64_t at = stack * lane + (raw - (LocalTop - stack));
  return zones.touches(at, bytes) ? nullptr : local + at;
}

bool Warp::tellsZone(uint64_t address, Space s, uint32_t word, unsigned lane) {
  const uint64_t raw = s == Space::Generic ? address - localWindow : address;
  if ((s != Space::Generic && s != Space::Local) ||
      !simulator::checksMemory() || raw < sp[lane] || raw + 4 > LocalTop)
    return false;
  return zones.told(local, stack * WarpSize,
                    stack * lane + (raw - (LocalTop - stack)), word);
}

void Warp::forgetOldRanges() {
  uint64_t version = block.grid.mem.version.load(std::memory_order_acquire);
  if (version != knownVersion) [[unlikely]] {
    for (Range &r : known)
      r = {};
    knownVersion = version;
  }
}

char *Warp::reachGlobal(uint64_t address, unsigned bytes, bool write) {
  forgetOldRanges();
  for (Range &r : known)
    if (address - r.begin < r.size && bytes <= r.size - (address - r.begin) &&
        !(write && r.constant))
      return reinterpret_cast<char *>(address + r.shift);
  Range found;
  if (!block.grid.mem.find(address, found))
    return nullptr;
  // Atomics of one and two bytes are the word's that they are in, which memory of
  // a device holds: it begins and ends at such.
  const uint64_t size =
      bytes == 4 ? (found.size + 3) & ~uint64_t(3) : found.size;
  if (bytes > size - (address - found.begin) || (write && found.constant))
    return nullptr;
  known[knownNext++ % 4] = found;
  return reinterpret_cast<char *>(address + found.shift);
}

char *Warp::reachDevice(uint64_t address, unsigned bytes, bool write,
                        unsigned lane) {
  char *found = reachGlobal(address, bytes, write);
  if (block.grid.profile) [[unlikely]]
    block.grid.profile->touch(Space::Global, address, bytes, lane);
  // Memory of the host's has no shift: the host may order accesses there.
  if (block.grid.races && found && found != reinterpret_cast<char *>(address))
      [[unlikely]]
    block.checkDeviceRace(*this, address, bytes, write, lane);
  return found;
}

/// Whether an access at one of the addresses plus \p offset is misaligned or does
/// not begin between first and last.
static bool anyOutside(const uint64_t *addresses, uint64_t offset,
                       unsigned bytes, uint64_t first, uint64_t last,
                       uint32_t lanes) {
  return bitsOfAny(lanes, [=, mask = uint64_t(bytes - 1)](unsigned l) {
    uint64_t at = addresses[l] + offset;
    return (at & mask) | uint64_t(at - first > last - first);
  });
}
static bool anyOutsideStack(const uint64_t *addresses, uint64_t offset,
                            unsigned bytes, const uint64_t *first,
                            uint64_t last, uint32_t lanes) {
  return bitsOfAny(lanes, [=, mask = uint64_t(bytes - 1)](unsigned l) {
    uint64_t at = addresses[l] + offset;
    return (at & mask) | uint64_t(at < first[l]) | uint64_t(at > last);
  });
}

bool Warp::reachAll(const uint64_t *a, const Inst &i, unsigned bytes,
                    bool write, uint32_t lanes, Reached &out) {
  if (write ? writesMatter : eachMatters)
    return false;
  uint64_t offset = i.imm;
  const uint64_t some = a[__builtin_ctz(lanes)] + offset;
  Space s = i.in;
  if (s == Space::Generic) {
    const Windows &win = windows();
    s = Space::Global;
    if (some - win.local < Windows::Size) {
      s = Space::Local;
      offset -= win.local;
    } else if (some - win.shared < Windows::Size) {
      s = Space::Shared;
      offset -= win.shared;
    }
  }
  if (s == Space::Local) {
    if (zones.on() ||
        anyOutsideStack(a, offset, bytes, sp, LocalTop - bytes, lanes))
      return false;
    out = {offset + reinterpret_cast<uint64_t>(local) - (LocalTop - stack),
           stack};
    return true;
  }
  if (s == Space::Shared) {
    const uint64_t first = block.grid.k.sharedBase,
                   end = block.grid.sharedBytes;
    if (end < first + bytes || block.grid.k.sharedGaps ||
        anyOutside(a, offset, bytes, first, end - bytes, lanes))
      return false;
    out = {offset + reinterpret_cast<uint64_t>(block.shared.data()), 0};
    return true;
  }
  if (s == Space::Param)
    return false;
  forgetOldRanges();
  for (const Range &r : known)
    if (some - r.begin < r.size && bytes <= r.size) {
      if ((write && r.constant) || anyOutside(a, offset, bytes, r.begin,
                                              r.begin + r.size - bytes, lanes))
        return false;
      out = {offset + r.shift, 0};
      return true;
    }
  return false;
}

template <bool Write>
char *Warp::reachAny(uint64_t address, unsigned bytes, Space s, unsigned lane) {
  if (address & (bytes - 1)) [[unlikely]]
    misaligned(address, bytes, lane);
  const Windows &win = windows();
  char *found = nullptr;
  switch (s) {
  case Space::Generic:
    if (address - win.local < Windows::Size)
      found = reachLocal(address - win.local, bytes, lane);
    else if (address - win.shared < Windows::Size)
      return reachAny<Write>(address - win.shared, bytes, Space::Shared, lane);
    else if (!Write && address - win.param < Windows::Size)
      return reachAny<Write>(address - win.param -
                                 parameterBase(block.grid.p.capability),
                             bytes, Space::Param, lane);
    else
      found = reachDevice(address, bytes, Write, lane);
    break;
  case Space::Global:
  case Space::Const:
    found = reachDevice(address, bytes, Write, lane);
    break;
  case Space::Shared:
    if (address >= block.grid.k.sharedBase &&
        address + bytes <= block.grid.sharedBytes &&
        !block.grid.p.gapAt(block.grid.k, address, bytes))
      found = block.shared.data() + address;
    if (block.grid.profile) [[unlikely]]
      block.grid.profile->touch(Space::Shared, address, bytes, lane);
    if (found && block.races.on()) [[unlikely]]
      block.checkRace(*this, address, bytes, Write, lane);
    break;
  case Space::Local:
    found = reachLocal(address, bytes, lane);
    break;
  case Space::Param:
    if (!Write && address + bytes <= block.grid.kernarg.size())
      found = const_cast<char *>(block.grid.kernarg.data()) + address;
    break;
  }
  if (!found) [[unlikely]]
    badAddress(address, bytes, s, Write, lane);
  if (Write && block.grid.watch.on() && !isOwn(found)) [[unlikely]]
    block.grid.watch.writes(found, bytes);
  return found;
}
/// Volatile accesses are as good as atomic ones here.
void Block::checkRace(Warp &w, uint64_t at, unsigned bytes, bool write,
                      unsigned lane) {
  using simulator::Races;
  Races::Race found;
  bool strong = w.doing && w.doing->strong;
  Races::Kind how = write    ? strong ? Races::Atomic : Races::Write
                    : strong ? Races::AtomicRead
                             : Races::Read;
  uint32_t thread = w.index * WarpSize + lane;
  const bool is = this->races.touch(
      at, bytes, how, {thread, w.index, w.synced, w.doing}, found);
  // It may order anything, as a fence may.
  if (strong)
    order();
  // LLVM makes loops of some atomic operations, which begin with a plain load:
  // worth a note alone.
  const bool besideAtomic =
      !settings().notes &&
      ((how == Races::Read && found.otherKind == Races::Atomic) ||
       (how == Races::Atomic && found.otherKind == Races::Read));
  if (!is || besideAtomic || !grid.raced.insert(w.doing).second)
    return;
  std::string text = "a race: thread " + std::to_string(found.other.thread) +
                     " " + simulator::done(found.otherKind);
  if (found.other.place)
    text += ", at " +
            place(grid, *static_cast<const Inst *>(found.other.place)) + ",";
  text += " shared memory that thread " + std::to_string(thread) + " " +
          simulator::does(how) + " with no barrier in between";
  grid.tell(w, "races", text);
}

void Block::checkDeviceRace(Warp &w, uint64_t at, unsigned bytes, bool write,
                            unsigned lane) {
  using simulator::Races;
  const bool strong = w.doing && w.doing->strong;
  const Races::Kind how = write    ? strong ? Races::Atomic : Races::Write
                          : strong ? Races::AtomicRead
                                   : Races::Read;
  const uint32_t thread = w.index * WarpSize + lane;
  simulator::DeviceRaces::Race found;
  if (!grid.races->touch(at, bytes, how,
                         {uint32_t(number), thread, w.index, w.synced, w.doing},
                         found) ||
      !grid.raced.insert(w.doing).second)
    return;
  auto who = [](uint32_t t, uint32_t b) {
    return "thread " + std::to_string(t) + " of block " + std::to_string(b);
  };
  std::string text = "a race: " + who(found.other.thread, found.other.block) +
                     " " + simulator::done(found.otherKind);
  if (found.other.place)
    text += ", at " +
            place(grid, *static_cast<const Inst *>(found.other.place)) + ",";
  text += " " + grid.mem.owner(at) + ", which " +
          who(thread, uint32_t(number)) + " " + simulator::does(how) +
          (found.other.block == number
               ? " with no barrier or atomic operation in between"
               : " with no atomic operations in between");
  grid.tell(w, "races", text);
}

template char *Warp::reachAny<true>(uint64_t, unsigned, Space, unsigned);
template char *Warp::reachAny<false>(uint64_t, unsigned, Space, unsigned);

} // namespace ptx
