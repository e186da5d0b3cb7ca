// Races on AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects do not say which accesses are atomic, beyond operations such as
// global_atomic_add. So some races are not found, rather than a program accused
// that has none:
//
//  * a load that goes past a cache (glc, sc1, scope:), and one that an
//    invalidation of caches follows, count as atomic, and as an acquire;
//  * a store may be atomic: it is no race beside atomic accesses, nor beside a
//    store of the same value or by the same instruction, as in an election of
//    one thread. Every access of a block counts as released when
//    another block acquires.
//
// The instructions of a wave are done in order: its lanes race within one
// instruction alone.
//
// Code with marks (formats/race_marks.h) says which accesses are atomic, and what
// orders the lanes of a wave. There all is as on NVIDIA GPUs.

#include "dispatch.h"
#include "formats/race_marks.h"
#include "test/simulator/common/checks.h"
#include "test/simulator/common/device_memory.h"

#include <cstdio>

namespace amdgcn {

using simulator::Races;

static bool invalidatesCaches(const Instruction &i) {
  const std::string_view name = i.mnemonic;
  return name.starts_with("buffer_gl") || name.starts_with("buffer_inv") ||
         name.starts_with("buffer_wbinv") || name.starts_with("global_inv") ||
         name.starts_with("global_wbinv");
}

static bool goesPastCaches(const Instruction &i) {
  if (!(i.modifiers & ModCache))
    return false;
  for (const char *how : {" glc", " sc1", "scope:SCOPE_DEV", "scope:SCOPE_SYS"})
    if (i.text.find(how) != std::string::npos)
      return true;
  return false;
}

/// Whether a load may be atomic.
bool Dispatch::mayBeAtomic(const Instruction &load) {
  auto [known, isNew] = atomicLoads.try_emplace(&load, false);
  if (!isNew)
    return known->second;
  bool is = goesPastCaches(load);
  // Waits come between, and other loads.
  uint64_t at = load.pc + load.bytes;
  for (unsigned n = 0; n != 8 && !is; ++n) {
    const Instruction *next = code.at(at, lanes);
    if (!next || next->mnemonic.starts_with("s_cbranch") ||
        next->mnemonic.starts_with("s_branch") ||
        next->mnemonic.starts_with("s_barrier") ||
        next->mnemonic.starts_with("s_endpgm"))
      break;
    is = invalidatesCaches(*next);
    at += next->bytes;
  }
  return known->second = is;
}

/// Whether a mark is among the kernel's first instructions.
bool Dispatch::hasMarks() {
  uint64_t at = kernelAt + uint64_t(kernel.entryOffset);
  for (unsigned n = 0; n != 1000; ++n) {
    const Instruction *i = code.at(at, lanes);
    if (!i || i->mnemonic == "s_endpgm")
      return false;
    if (i->mnemonic == "s_setprio" &&
        uint16_t(i->simm16) == xcc::rt::marks::Kernel)
      return true;
    at += i->bytes;
  }
  return false;
}

/// By it accesses of a wave's lanes are ordered.
uint32_t Dispatch::turnOf(const Wave &w) {
  return w.group.d.marked ? w.ordered : uint32_t(w.retired);
}

Races::Kind Dispatch::kindOfAccess(const Wave &w, Access how) {
  const bool isRead = how == Access::Read;
  if (how == Access::Atomic || (marked && w.atomic && !isRead))
    return Races::Atomic;
  if (isRead && (marked ? w.atomic : mayBeAtomic(*w.current)))
    return Races::AtomicRead;
  return isRead ? Races::Read : Races::Write;
}

void Dispatch::invalidate(const Wave &w) {
  // Without a load it acquires nothing: it belongs to a barrier. In code with
  // marks it belongs to an atomic operation or a fence.
  if (!races || !w.loaded || marked)
    return;
  w.loaded = false;
  races->acquire(uint32_t(w.group.index));
  w.group.races.barrier();
}

void Dispatch::barrier(Workgroup &g) {
  g.races.barrier();
  if (races)
    races->barrier(uint32_t(g.index));
}

void Dispatch::tellRace(const Doubt &doubt) {
  if (!raced.insert(doubt.second).second)
    return;
  std::string text = "a race: " + doubt.first;
  if (doubt.other)
    text += ", at " + place(*doubt.other) + ",";
  text += " " + doubt.text + ": " + place(*doubt.second);
  notes += text + "\n";
  simulator::tellFinding(finding(doubt.second, "races", text));
}

std::string Dispatch::place(const Instruction &i) const {
  return "'" + i.text + "' in " + code.describe(i.pc);
}

/// Two stores of the same value are none; those of one instruction may be atomic.
void Dispatch::found(Doubt doubt, bool areStores, const uint8_t *where,
                     unsigned size) {
  if (!areStores || marked)
    return tellRace(doubt);
  if (doubt.other == doubt.second)
    return;
  doubt.where = where;
  doubt.size = size;
  memcpy(doubt.before, where, size);
  doubts.push_back(std::move(doubt));
}

void Dispatch::settle() {
  for (const Doubt &d : doubts)
    if (memcmp(d.where, d.before, d.size) != 0)
      tellRace(d);
  doubts.clear();
}

static std::string who(uint32_t thread, uint64_t block) {
  return "thread " + std::to_string(thread) + " of block " +
         std::to_string(block);
}

void Dispatch::checkDeviceRace(const Wave &w, int lane, uint64_t at,
                               const uint8_t *where, unsigned size,
                               Access how) {
  simulator::Allocation owner;
  if (!simulator::findAllocation(at, owner))
    return; // the host's: it may order accesses
  w.loaded |= how != Access::Write;
  const Races::Kind kind = kindOfAccess(w, how);
  const uint32_t thread = w.number * w.lanes + uint32_t(lane < 0 ? 0 : lane);
  const auto block = uint32_t(w.group.index);
  simulator::DeviceRaces::Race race;
  if (!races->touch(at, size, kind,
                    {block, thread, w.number, turnOf(w), w.current, lane < 0},
                    race) ||
      raced.count(w.current))
    return;
  Doubt doubt;
  doubt.second = w.current;
  doubt.other = static_cast<const Instruction *>(race.other.place);
  doubt.first = who(race.other.thread, race.other.block) + " " +
                simulator::done(race.otherKind);
  doubt.text = "byte " + std::to_string(at - owner.begin) +
               " of an allocation of " + std::to_string(owner.bytes) +
               " bytes, which " + who(thread, block) + " " +
               simulator::does(kind) +
               (race.other.block == block
                    ? " with no barrier or atomic operation in between"
                    : " with no atomic operations in between");
  found(std::move(doubt),
        kind == Races::Write && race.otherKind == Races::Write, where, size);
}

void Dispatch::checkSharedRace(const Wave &w, unsigned lane, uint64_t at,
                               unsigned size, Access how) {
  w.loaded |= how != Access::Write;
  const Races::Kind kind = kindOfAccess(w, how);
  if (kind == Races::Atomic || kind == Races::AtomicRead) {
    barrier(w.group);
    return;
  }
  const uint32_t thread = w.number * w.lanes + lane;
  Races::Race race;
  if (!w.group.races.touch(at, size, kind,
                           {thread, w.number, turnOf(w), w.current}, race) ||
      raced.count(w.current))
    return;
  Doubt doubt;
  doubt.second = w.current;
  doubt.other = static_cast<const Instruction *>(race.other.place);
  doubt.first = who(race.other.thread, w.group.index) + " " +
                simulator::done(race.otherKind);
  doubt.text = "shared memory that " + who(thread, w.group.index) + " " +
               simulator::does(kind) + " with no barrier in between";
  found(std::move(doubt),
        kind == Races::Write && race.otherKind == Races::Write,
        w.group.lds.data() + at, size);
}

} // namespace amdgcn
