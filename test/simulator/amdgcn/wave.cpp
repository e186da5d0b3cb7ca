// How a wave begins, and how it steps
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers that a wave starts with are those of the User Guide for AMDGPU
// Backend, "Initial Kernel Execution State". All others hold a pattern, so that
// code that reads what it never wrote is likely to give a wrong result.

#include "access.h"
#include "dispatch.h"
#include "test/simulator/common/checks.h"

#include <cinttypes>

namespace amdgcn {

Architecture Architecture::of(const std::string &target) {
  Architecture a;
  a.name = target.substr(0, target.find(':'));
  bool ecc = target.find("sramecc+") != target.npos;
  auto is = [&](const char *prefix) { return a.name.starts_with(prefix); };
  a.major = is("gfx12") ? 12 : is("gfx11") ? 11 : is("gfx10") ? 10 : 9;
  a.gfx940 = is("gfx94") || is("gfx95");
  a.gfx90a = a.gfx940 || is("gfx90a");
  a.packedIds = a.gfx90a || a.major >= 11;
  a.architectedScratch = a.gfx940 || a.major >= 11;
  a.keepsHalves = a.major >= 10;
  a.loadsKeepHalves = !ecc;
  return a;
}

const Architecture &archOf(const Wave &w) { return w.group.d.code.arch; }
void noteChange(Wave &w) {
  if (!w.isShadow())
    ++w.group.d.changes;
}

/// Bits of the descriptor's properties.
enum Property : unsigned {
  PrivateSegmentBuffer,
  DispatchPointer,
  QueuePointer,
  KernargPointer,
  DispatchId,
  FlatScratchInit,
  PrivateSegmentSize,
  Wavefront32 = 10
};

static constexpr uint32_t VectorPattern = 0x7fb5ca1f,
                          ScalarPattern = 0x5ca1a4ed;

Wave::Wave(Workgroup &group, unsigned number) : group(group), number(number) {
  Dispatch &d = group.d;
  const KernelDescriptor &k = d.kernel;
  const Architecture &arch = d.code.arch;
  lanes = d.lanes;
  full = lanes == 64 ? ~uint64_t(0) : 0xffffffff;

  unsigned granules = (k.rsrc1 & 63) + 1;
  vectors = granules * (arch.gfx90a || lanes == 32 ? 8 : 4);
  if (arch.gfx90a) {
    unsigned begin = ((k.rsrc3 & 63) + 1) * 4;
    accumulators = vectors > begin ? vectors - begin : 0;
    vectors = std::min(vectors, begin);
  } else if (arch.name == "gfx908") {
    accumulators = vectors;
  }
  vectors = std::min(vectors, 256u);
  accumulators = std::min(accumulators, 256u);
  size_t fileBytes = size_t(vectors + accumulators) * lanes * 4;
  file = d.kept.take(d.kept.files, fileBytes);
  auto *registers = reinterpret_cast<uint32_t *>(file.get());
  std::fill_n(registers, fileBytes / 4, VectorPattern);
  for (unsigned r = 0; r != vectors; ++r)
    rows[r] = registers + size_t(r) * lanes;
  for (unsigned r = 0; r != accumulators; ++r)
    rows[FirstAccumulator + r] = registers + size_t(vectors + r) * lanes;
  for (uint32_t &reg : s)
    reg = ScalarPattern;

  if (d.set.init)
    definedness = std::make_unique<Definedness>(*this);
  mode = (k.rsrc1 >> 12 & 0xff) | (k.rsrc1 >> 21 & 1) << 8 |
         (k.rsrc1 >> 23 & 1) << 9;
  scratchOffset = (group.index * 64 + number + 1) << 12 & 0xffffffff;
  if (d.privateSize)
    scratch_ = d.kept.take(d.kept.scratches, size_t(d.privateSize) * lanes);

  // Scalars, in the descriptor's order.
  unsigned next = 0;
  auto put = [&](uint64_t value, unsigned words) {
    for (unsigned i = 0; i != words; ++i)
      s[next++] = uint32_t(value >> (32 * i));
  };
  auto has = [&](Property p) { return (k.properties >> p & 1) != 0; };
  if (has(PrivateSegmentBuffer)) {
    put(ScratchMark | uint64_t(1) << 63, 2);
    put(0xffffffff | uint64_t(0x00e80000) << 32, 2);
  }
  if (has(DispatchPointer))
    put(reinterpret_cast<uintptr_t>(&d.packet), 2);
  if (has(QueuePointer))
    put(reinterpret_cast<uintptr_t>(d.queue), 2);
  if (has(KernargPointer))
    put(reinterpret_cast<uintptr_t>(d.packet.kernargAddress), 2);
  if (has(DispatchId))
    put(0, 2);
  if (has(FlatScratchInit))
    put(ScratchMark, 2);
  if (has(PrivateSegmentSize))
    put(d.privateSize, 1);
  unsigned preloaded = k.preload & 0x7f, preloadFrom = k.preload >> 7;
  for (unsigned i = 0; i != preloaded; ++i) {
    uint32_t word;
    memcpy(&word,
           static_cast<char *>(d.packet.kernargAddress) + (preloadFrom + i) * 4,
           4);
    put(word, 1);
  }
  unsigned user = k.rsrc2 >> 1 & 31;
  if (next > user && !preloaded)
    stop(Stop::Illegal, "the kernel descriptor asks for " +
                            std::to_string(next) + " user registers and has " +
                            std::to_string(user));
  next = std::max(next, user);
  if (arch.major >= 12) {
    s[Ttmp0 + 9] = group.id[0];
    s[Ttmp0 + 7] = group.id[1] | group.id[2] << 16;
    s[Ttmp0 + 8] = number << 25;
  } else {
    for (unsigned i = 0; i != 3; ++i)
      if (k.rsrc2 >> (7 + i) & 1)
        put(group.id[i], 1);
    if (k.rsrc2 >> 10 & 1)
      put(0, 1);
    if ((k.rsrc2 & 1) && !arch.architectedScratch)
      put(scratchOffset, 1);
  }

  // Lanes.
  uint64_t exec = 0;
  uint32_t all = group.size[0] * group.size[1] * group.size[2];
  unsigned ids = k.rsrc2 >> 11 & 3;
  const uint32_t first = number * lanes;
  uint32_t x = first % group.size[0], y = first / group.size[0] % group.size[1],
           z = first / group.size[0] / group.size[1];
  for (unsigned l = 0; l != lanes && first + l < all; ++l) {
    exec |= uint64_t(1) << l;
    if (arch.packedIds) {
      // What is not asked for is zero, and not masked by the code.
      rows[0][l] = x | (ids >= 1 ? y << 10 : 0) | (ids >= 2 ? z << 20 : 0);
    } else {
      rows[0][l] = x;
      if (ids >= 1)
        rows[1][l] = y;
      if (ids >= 2)
        rows[2][l] = z;
    }
    if (++x == group.size[0]) {
      x = 0;
      if (++y == group.size[1]) {
        y = 0;
        ++z;
      }
    }
  }
  s[ExecLo + 1] = 0;
  setMask(ExecLo, exec);
  s[M0] = ~0u;
  pc = d.kernelAt + uint64_t(k.entryOffset) + (preloaded ? 256 : 0);
}

Wave::~Wave() {
  group.d.kept.files.push_back(std::move(file));
  if (scratch_)
    group.d.kept.scratches.push_back(std::move(scratch_));
}

void Wave::stop(Stop::Kind k, std::string what, int lane) {
  throw Stop{k, std::move(what), 0, 0, lane};
}

const Instruction *Wave::fetch(uint64_t at) {
  const Instruction *i = group.d.code.at(at, lanes);
  if (!i) {
    char text[80];
    snprintf(text, sizeof(text), "a jump to %#" PRIx64 ", where is no code",
             at);
    throw Stop{Stop::MemoryFault, text, at, 4 /* not executable */, -1};
  }
  if (i->vectors > vectors || i->accumulators > accumulators) {
    current = i;
    stop(Stop::Illegal, "a vector register beyond those of the wave (" +
                            std::to_string(vectors) + " and " +
                            std::to_string(accumulators) + " accumulators)");
  }
  return i;
}

void Wave::jumpDirect(const Instruction &i) {
  pc = i.branchTarget();
  next = i.target.load(std::memory_order_acquire);
  if (!next || next->vectors > vectors || next->accumulators > accumulators) {
    next = fetch(pc);
    i.target.store(next, std::memory_order_release);
  }
}

void runIndexed(Wave &w, const Instruction &i); // vector_lanes.cpp

void Wave::run(uint64_t count) {
  slept = false;
  const bool traced = group.d.set.trace, raced = group.d.races != nullptr;
  Profile *const profile = group.d.profile.get();
  // In a wave of 32 lanes exec_hi must stay 0.
  const uint32_t upper = lanes == 32 ? ~0u : 0;
  // Most launches have none of these, so one look is enough.
  const bool watched = traced || raced || profile || definedness;
  while (count-- && !(unsigned(is) | slept)) {
    const Instruction *i = next ? next : fetch(pc);
    current = i;
    pc = i->pc + i->bytes;
    next = i->next.load(std::memory_order_acquire);
    if (!next || (next->vectors > vectors) |
                     (next->accumulators > accumulators)) [[unlikely]]
      next = follow(*i);
    ++retired;
    if (watched | (indexMode != 0)) [[unlikely]] {
      if (profile)
        profile->begin(*i, exec());
      if (definedness)
        definedness->track(*i);
      if (indexMode && i->mnemonic.starts_with("v_"))
        runIndexed(*this, *i);
      else
        i->run(*this, *i);
      if (raced && group.d.doubtful())
        group.d.settle();
      if (traced)
        trace(*this);
    } else {
      i->run(*this, *i);
    }
    if (s[ExecLo + 1] & upper) [[unlikely]]
      stop(Stop::Illegal, "exec_hi is not 0 in a wave of 32 lanes");
  }
}

const Instruction *Wave::follow(const Instruction &i) {
  const Instruction *behind = group.d.code.at(pc, lanes);
  if (!behind || behind->vectors > vectors ||
      behind->accumulators > accumulators)
    return nullptr;
  i.next.store(behind, std::memory_order_release);
  return behind;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint8_t *Wave::scratch(unsigned lane, uint64_t at, unsigned size) {
  if (isShadow()) [[unlikely]]
    return definedness->place(int(lane), at, size, Origin::Stack);
  uint32_t all = group.d.privateSize;
  if (at >= all || size > all - at) [[unlikely]]
    stop(Stop::Aperture,
         "scratch " + std::to_string(at) + " of " + std::to_string(all) +
             " bytes (" + std::to_string(size) + " bytes there)",
         int(lane));
  if (zones.on()) [[unlikely]]
    if (const size_t in = size_t(lane) * all + at; zones.touches(in, size))
      stop(Stop::Aperture,
           "scratch " + std::to_string(at) + ", " + zones.describe(in, size),
           int(lane));
  return scratch_.get() + size_t(lane) * all + at;
}

bool Wave::tellZones(const uint64_t *at, uint32_t word, bool flat,
                     bool shared) {
  if (!simulator::checksMemory() || isShadow())
    return false;
  const uint64_t all = group.d.privateSize;
  bool told = true;
  for (uint64_t m = exec(); m && told; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctzll(m));
    const bool ours = flat && at[l] >> 32 == PrivateBase >> 32,
               groups = flat && at[l] >> 32 == SharedBase >> 32;
    const uint64_t place = flat ? uint32_t(at[l]) : at[l];
    if (flat ? groups : shared)
      told = group.zones.told(group.lds.data(), group.lds.size(), place, word);
    else if (!flat || ours)
      told = place < all &&
             zones.told(scratch_.get(), all * lanes, l * all + place, word);
    else
      told = false;
  }
  return told;
}

uint8_t *Wave::lds(unsigned lane, uint64_t at, unsigned size, Access how) {
  if (isShadow()) [[unlikely]]
    return definedness->place(int(lane), at, size, Origin::Shared);
  size_t all = group.lds.size();
  if (at >= all || size > all - at) [[unlikely]]
    stop(Stop::Aperture,
         "shared memory " + std::to_string(at) + " of " + std::to_string(all) +
             " bytes (" + std::to_string(size) + " bytes there)",
         int(lane));
  if (group.zones.touches(at, size)) [[unlikely]]
    stop(Stop::Aperture,
         "shared memory " + std::to_string(at) + ", " +
             group.zones.describe(at, size),
         int(lane));
  if (group.d.races) [[unlikely]]
    group.d.checkSharedRace(*this, lane, at, size, how);
  else if (group.races.on()) [[unlikely]]
    group.d.checkRace(*this, lane, at, size, how);
  return group.lds.data() + at;
}

uint8_t *Wave::global(int lane, uint64_t at, unsigned size, Access how) {
  if (isShadow()) [[unlikely]]
    return definedness->place(lane, at, size, Origin::Device);
  uint8_t *found = group.d.memory.find(at, size, how);
  if (!found) [[unlikely]] {
    Stop s{Stop::MemoryFault, "", at, 0, lane};
    s.what = (how == Access::Read    ? "a load of "
              : how == Access::Write ? "a store of "
                                     : "an atomic access of ") +
             std::to_string(size) +
             " bytes: " + group.d.memory.explain(at, s.reason);
    throw s;
  }
  if (group.d.races) [[unlikely]]
    group.d.checkDeviceRace(*this, lane, at, found, size, how);
  return found;
}

uint8_t *Wave::flat(unsigned lane, uint64_t at, unsigned size, Access how) {
  if (at >> 32 == SharedBase >> 32)
    return lds(lane, uint32_t(at), size, how);
  if (at >> 32 == PrivateBase >> 32) {
    const Architecture &arch = archOf(*this);
    if (!arch.architectedScratch) {
      uint64_t has = arch.major >= 10 ? flatScratch : pair(FlatScratchLo);
      if (has != ScratchMark + scratchOffset)
        stop(Stop::Illegal, "flat_scratch is not set up", int(lane));
    }
    return scratch(lane, uint32_t(at), size);
  }
  return global(int(lane), at, size, how);
}

uint64_t Wave::hash() const {
  uint64_t h = pc * 0x9e3779b97f4a7c15 + scc;
  auto mix = [&](const void *data, size_t size) {
    auto *p = static_cast<const uint8_t *>(data);
    for (; size >= 8; size -= 8, p += 8) {
      uint64_t v;
      memcpy(&v, p, 8);
      h = (h ^ v) * 0x9e3779b97f4a7c15;
      h ^= h >> 29;
    }
  };
  mix(s, sizeof(s));
  mix(file.get(), size_t(vectors + accumulators) * lanes * 4);
  if (scratch_)
    mix(scratch_.get(), size_t(group.d.privateSize) * lanes);
  return h;
}

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

Workgroup::Workgroup(Dispatch &d, const uint32_t theId[3], uint64_t index)
    : d(d), index(index) {
  uint32_t all = 1;
  for (int i = 0; i != 3; ++i) {
    id[i] = theId[i];
    size[i] = std::min<uint32_t>(d.packet.workgroupSize[i],
                                 d.packet.gridSize[i] -
                                     id[i] * d.packet.workgroupSize[i]);
    all *= size[i];
  }
  lds.assign(d.packet.groupSegmentSize, 0xa7);
  if (d.set.notes || d.set.races)
    races.start(lds.size());
  if (d.set.init)
    written.assign(lds.size(), 0);
  unsigned count = (all + d.lanes - 1) / d.lanes;
  for (unsigned i = 0; i != count; ++i)
    waves.push_back(std::make_unique<Wave>(*this, i));
  alive = count;
}

void Workgroup::releaseIfAll() {
  if (!alive || waiting != alive)
    return;
  waiting = 0;
  ++phase;
  ++d.changes;
  d.barrier(*this);
  for (auto &w : waves) {
    w->loaded = false;
    if (w->is == Wave::AtBarrier)
      w->is = Wave::Running;
  }
}

void Workgroup::arrive(Wave &) {
  ++waiting;
  releaseIfAll();
}

void Workgroup::ended(Wave &) {
  --alive;
  ++d.changes;
  releaseIfAll();
}

} // namespace amdgcn
