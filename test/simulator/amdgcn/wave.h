// A wave, its workgroup and its dispatch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_WAVE_H
#define XCC_TEST_SIMULATOR_AMDGCN_WAVE_H

#include "../races.h"
#include "instruction.h"
#include "memory.h"

#include <cstring>
#include <memory>
#include <vector>

namespace amdgcn {

class Program;
struct Dispatch;
struct Workgroup;

/// What differs between processors beyond their instructions.
struct Architecture {
  std::string Name;
  int Major = 9;
  bool Gfx90a = false; ///< and its successors gfx942, gfx950
  bool Gfx940 = false; ///< gfx942, gfx950
  /// v0 holds all three work-item ids.
  bool PackedIds = false;
  /// Scratch needs no set-up by the kernel.
  bool ArchitectedScratch = false;
  /// A 16-bit result of the vector unit leaves the other half alone.
  bool KeepsHalves = false;
  /// A 16-bit load leaves the other half alone; not with ECC.
  bool LoadsKeepHalves = true;

  static Architecture of(const std::string &Target);
};

/// What ends a dispatch other than its last wave.
struct Stop {
  enum Kind {
    Trap,        ///< s_trap
    MemoryFault, ///< an address the device does not reach
    Aperture,    ///< outside of LDS or scratch
    Illegal,     ///< an instruction that cannot be run
    Hang         ///< no progress
  } K;
  std::string What;
  uint64_t Address = 0;
  uint32_t Reason = 0; ///< hsa::FaultReason
  int Lane = -1;
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
  std::vector<Bytes> Files, Scratches;
  static Bytes take(std::vector<Bytes> &From, size_t Size) {
    if (From.empty())
      return Bytes(new uint8_t[Size]);
    Bytes Last = std::move(From.back());
    From.pop_back();
    return Last;
  }
};

class Wave {
public:
  Wave(Workgroup &Group, unsigned Number);
  ~Wave();

  // The scalar file holds VCC, M0 and EXEC under their numbers.
  alignas(8) uint32_t S[ScalarRegisters] = {};
  bool Scc = false;
  uint32_t Mode = 0; ///< HW_REG_MODE
  unsigned Lanes = 64;
  uint64_t Full = 0; ///< bits of all lanes
  /// Set by DPP: the lanes that a result is written for, within EXEC.
  uint64_t DppMask = ~uint64_t(0);

  uint64_t exec() const { return pair(ExecLo); }
  void setExec(uint64_t E) { setPair(ExecLo, E); }
  uint64_t vcc() const { return mask(VccLo); }
  uint64_t pair(unsigned Reg) const {
    uint64_t V;
    memcpy(&V, &S[Reg], 8);
    return V;
  }
  void setPair(unsigned Reg, uint64_t V) { memcpy(&S[Reg], &V, 8); }
  /// A bit for each lane: one register or two.
  uint64_t mask(unsigned Reg) const {
    return Lanes == 64 ? pair(Reg) : uint64_t(S[Reg]);
  }
  void setMask(unsigned Reg, uint64_t V) {
    if (Lanes == 64)
      setPair(Reg, V);
    else
      S[Reg] = uint32_t(V);
  }
  uint32_t *row(unsigned Reg) { return Rows[Reg]; }

  /// Runs until it has to wait, it has ended, or so many instructions.
  void run(uint64_t Count);

  void jump(uint64_t To) {
    Pc = To;
    Next = nullptr;
  }
  void jumpDirect(const Instruction &I);
  const Instruction *fetch(uint64_t At);
  [[noreturn]] void stop(Stop::Kind K, std::string What, int Lane = -1);

  /// A lane's scratch; stops when the range is not within.
  uint8_t *scratch(unsigned Lane, uint64_t At, unsigned Size);
  uint8_t *lds(unsigned Lane, uint64_t At, unsigned Size, Access How);
  /// Any address.
  uint8_t *flat(unsigned Lane, uint64_t At, unsigned Size, Access How);
  uint8_t *global(int Lane, uint64_t At, unsigned Size, Access How);

  enum State : uint8_t { Running, AtBarrier, Halted, Ended } Is = Running;
  bool Slept = false;    ///< it waits for something: let others run
  bool Signaled = false; ///< gfx12: it has signaled the barrier
  Workgroup &Group;
  unsigned Number; ///< within the workgroup
  uint64_t Pc = 0;
  const Instruction *Current = nullptr, *Next = nullptr;
  unsigned Vectors = 0, Accumulators = 0;
  uint64_t ScratchOffset = 0; ///< distinguishes waves' scratch
  /// gfx9's s_set_gpr_idx_on: which operands are indexed by M0, 0 when none.
  enum : unsigned { IndexSource = 1, IndexDestination = 8 };
  unsigned IndexMode = 0;
  uint64_t FlatScratch = 0; ///< the hardware register of gfx10
  /// Changes of memory by any wave; see Scheduler.
  uint64_t Retired = 0;
  uint64_t LoopHash = 0, LoopPower = 1, LoopCount = 0;
  bool Cycles = false; ///< came back to a state that it had before

  uint64_t hash() const;

private:
  Bytes File, Scratch;
  uint32_t *Rows[VectorRegisters] = {};
};

/// The processor that a wave runs on.
const Architecture &archOf(const Wave &W);

struct Workgroup {
  Workgroup(Dispatch &D, const uint32_t Id[3], uint64_t Index);
  Dispatch &D;
  uint32_t Id[3];
  uint64_t Index;
  uint32_t Size[3]; ///< work-items; the last may be smaller
  std::vector<uint8_t> Lds;
  simulator::Races Races; ///< in it, if notes are wanted
  std::vector<std::unique_ptr<Wave>> Waves;
  unsigned Alive = 0, Waiting = 0;
  uint64_t Phase = 0; ///< barriers that were completed

  void arrive(Wave &W);
  void ended(Wave &W);

private:
  void releaseIfAll();
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_WAVE_H
