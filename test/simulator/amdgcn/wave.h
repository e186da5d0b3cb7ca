// A wave, its workgroup and its dispatch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_WAVE_H
#define XCC_TEST_SIMULATOR_AMDGCN_WAVE_H

#include "../races.h"
#include "definedness.h"
#include "instruction.h"
#include "memory.h"
#include "test/simulator/common/red_zones.h"

#include <cstring>
#include <memory>
#include <vector>

namespace amdgcn {

class Program;
struct Dispatch;
struct Workgroup;

/// What differs between processors beyond their instructions.
struct Architecture {
  std::string name;
  int major = 9;
  bool gfx90a = false; ///< and its successors gfx942, gfx950
  bool gfx940 = false; ///< gfx942, gfx950
  /// v0 holds all three work-item ids.
  bool packedIds = false;
  /// Scratch needs no set-up by the kernel.
  bool architectedScratch = false;
  /// A 16-bit result of the vector unit leaves the other half alone.
  bool keepsHalves = false;
  /// A 16-bit load leaves the other half alone; not with ECC.
  bool loadsKeepHalves = true;

  static Architecture of(const std::string &target);
};

/// What ends a dispatch other than its last wave.
struct Stop {
  enum Kind {
    Trap,        ///< s_trap
    MemoryFault, ///< an address the device does not reach
    Aperture,    ///< outside of LDS or scratch
    Illegal,     ///< an instruction that cannot be run
    Hang         ///< no progress
  } k;
  std::string what;
  uint64_t address = 0;
  uint32_t reason = 0; ///< hsa::FaultReason
  int lane = -1;
};

/// Where all of the LDS and of a lane's scratch lie in the flat address space.
constexpr uint64_t SharedBase = uint64_t(1) << 48, PrivateBase = uint64_t(2)
                                                                 << 48;
/// What private segment buffers and flat_scratch count from: no allocation has
/// such an address, and nothing but scratch instructions may use it.
constexpr uint64_t ScratchMark = uint64_t(0x0123) << 32;

using Bytes = std::unique_ptr<uint8_t[]>;

/// Memory of waves that have ended, for those that follow: it is large, and all
/// waves of a launch need as much.
struct KeptMemory {
  std::vector<Bytes> files, scratches;
  static Bytes take(std::vector<Bytes> &from, size_t size) {
    if (from.empty())
      return Bytes(new uint8_t[size]);
    Bytes last = std::move(from.back());
    from.pop_back();
    return last;
  }
};

class Wave {
public:
  Wave(Workgroup &group, unsigned number);
  ~Wave();

  // The scalar file holds VCC, M0 and EXEC under their numbers.
  alignas(8) uint32_t s[ScalarRegisters] = {};
  bool scc = false;
  uint32_t mode = 0; ///< HW_REG_MODE
  unsigned lanes = 64;
  uint64_t full = 0; ///< bits of all lanes
  /// Set by DPP: the lanes that a result is written for, within EXEC.
  uint64_t dppMask = ~uint64_t(0);

  uint64_t exec() const { return pair(ExecLo); }
  void setExec(uint64_t e) { setPair(ExecLo, e); }
  uint64_t vcc() const { return mask(VccLo); }
  uint64_t pair(unsigned reg) const {
    uint64_t v;
    memcpy(&v, &s[reg], 8);
    return v;
  }
  void setPair(unsigned reg, uint64_t v) { memcpy(&s[reg], &v, 8); }
  /// A bit for each lane: one register or two.
  uint64_t mask(unsigned reg) const {
    return lanes == 64 ? pair(reg) : uint64_t(s[reg]);
  }
  void setMask(unsigned reg, uint64_t v) {
    if (lanes == 64)
      setPair(reg, v);
    else
      s[reg] = uint32_t(v);
  }
  uint32_t *row(unsigned reg) { return rows[reg]; }

  /// Runs until it has to wait, it has ended, or so many instructions.
  void run(uint64_t count);

  void jump(uint64_t to) {
    pc = to;
    next = nullptr;
  }
  void jumpDirect(const Instruction &i);
  const Instruction *fetch(uint64_t at);
  [[noreturn]] void stop(Stop::Kind k, std::string what, int lane = -1);

  /// A lane's scratch; stops when the range is not within.
  uint8_t *scratch(unsigned lane, uint64_t at, unsigned size);
  uint8_t *lds(unsigned lane, uint64_t at, unsigned size, Access how);
  /// Whether stores of 32 bits tell of zones in scratch or shared memory, and are
  /// done. \p flat: the addresses are any.
  bool tellZones(const uint64_t *at, uint32_t word, bool flat, bool shared);
  /// Any address.
  uint8_t *flat(unsigned lane, uint64_t at, unsigned size, Access how);
  uint8_t *global(int lane, uint64_t at, unsigned size, Access how);

  enum State : uint8_t { Running = 0, AtBarrier, Halted, Ended } is = Running;
  bool slept = false;    ///< it waits for something: let others run
  bool signaled = false; ///< gfx12: it has signaled the barrier
  /// Since the last barrier or invalidation of caches; for checks of races.
  mutable bool loaded = false;
  uint32_t ordered = 0; ///< marks of operations by which its lanes are ordered
  bool atomic = false;  ///< a mark says that accesses are
  Workgroup &group;
  unsigned number; ///< within the workgroup
  uint64_t pc = 0;
  const Instruction *current = nullptr, *next = nullptr;
  unsigned vectors = 0, accumulators = 0;
  uint64_t scratchOffset = 0; ///< distinguishes waves' scratch
  /// gfx9's s_set_gpr_idx_on: which operands are indexed by M0, 0 when none.
  enum : unsigned { IndexSource = 1, IndexDestination = 8 };
  unsigned indexMode = 0;
  uint64_t flatScratch = 0; ///< the hardware register of gfx10
  /// Changes of memory by any wave; see Scheduler.
  uint64_t retired = 0;
  uint64_t loopHash = 0, loopPower = 1, loopCount = 0;
  bool cycles = false; ///< came back to a state that it had before

  uint64_t hash() const;
  simulator::RedZones zones;                ///< of all lanes' scratch
  std::unique_ptr<Definedness> definedness; ///< null if it is not looked for
  /// Whether an access is one of the bits that say what was written.
  bool isShadow() const { return definedness && definedness->shadowing; }

private:
  friend class Definedness;
  /// What lies behind an instruction; null if it may not run, which is an error
  /// only when it is reached.
  const Instruction *follow(const Instruction &i);
  Bytes file, scratch_;
  uint32_t *rows[VectorRegisters] = {};
};

/// The processor that a wave runs on.
const Architecture &archOf(const Wave &w);

struct Workgroup {
  Workgroup(Dispatch &d, const uint32_t id[3], uint64_t index);
  Dispatch &d;
  uint32_t id[3];
  uint64_t index;
  uint32_t size[3]; ///< work-items; the last may be smaller
  std::vector<uint8_t> lds;
  simulator::RedZones zones; ///< in it
  /// Bits of it that were written, if uninitialised values are looked for.
  std::vector<uint8_t> written;
  simulator::Races races; ///< in it, if notes are wanted
  std::vector<std::unique_ptr<Wave>> waves;
  unsigned alive = 0, waiting = 0;
  uint64_t phase = 0; ///< barriers that were completed

  void arrive(Wave &w);
  void ended(Wave &w);

private:
  void releaseIfAll();
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_WAVE_H
