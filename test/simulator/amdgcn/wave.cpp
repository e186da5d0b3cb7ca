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

#include <cinttypes>

namespace amdgcn {

Architecture Architecture::of(const std::string &Target) {
  Architecture A;
  A.Name = Target.substr(0, Target.find(':'));
  bool Ecc = Target.find("sramecc+") != Target.npos;
  auto Is = [&](const char *Prefix) { return A.Name.starts_with(Prefix); };
  A.Major = Is("gfx12") ? 12 : Is("gfx11") ? 11 : Is("gfx10") ? 10 : 9;
  A.Gfx940 = Is("gfx94") || Is("gfx95");
  A.Gfx90a = A.Gfx940 || Is("gfx90a");
  A.PackedIds = A.Gfx90a || A.Major >= 11;
  A.ArchitectedScratch = A.Gfx940 || A.Major >= 11;
  A.KeepsHalves = A.Major >= 10;
  A.LoadsKeepHalves = !Ecc;
  return A;
}

const Architecture &archOf(const Wave &W) { return W.Group.D.Code.Arch; }
void noteChange(Wave &W) { ++W.Group.D.Changes; }

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

Wave::Wave(Workgroup &Group, unsigned Number) : Group(Group), Number(Number) {
  Dispatch &D = Group.D;
  const KernelDescriptor &K = D.Kernel;
  const Architecture &Arch = D.Code.Arch;
  Lanes = D.Lanes;
  Full = Lanes == 64 ? ~uint64_t(0) : 0xffffffff;

  unsigned Granules = (K.Rsrc1 & 63) + 1;
  Vectors = Granules * (Arch.Gfx90a || Lanes == 32 ? 8 : 4);
  if (Arch.Gfx90a) {
    unsigned Begin = ((K.Rsrc3 & 63) + 1) * 4;
    Accumulators = Vectors > Begin ? Vectors - Begin : 0;
    Vectors = std::min(Vectors, Begin);
  } else if (Arch.Name == "gfx908") {
    Accumulators = Vectors;
  }
  Vectors = std::min(Vectors, 256u);
  Accumulators = std::min(Accumulators, 256u);
  size_t FileBytes = size_t(Vectors + Accumulators) * Lanes * 4;
  File = D.Kept.take(D.Kept.Files, FileBytes);
  auto *Registers = reinterpret_cast<uint32_t *>(File.get());
  std::fill_n(Registers, FileBytes / 4, VectorPattern);
  for (unsigned R = 0; R != Vectors; ++R)
    Rows[R] = Registers + size_t(R) * Lanes;
  for (unsigned R = 0; R != Accumulators; ++R)
    Rows[FirstAccumulator + R] = Registers + size_t(Vectors + R) * Lanes;
  for (uint32_t &Register : S)
    Register = ScalarPattern;

  Mode = (K.Rsrc1 >> 12 & 0xff) | (K.Rsrc1 >> 21 & 1) << 8 |
         (K.Rsrc1 >> 23 & 1) << 9;
  ScratchOffset = (Group.Index * 64 + Number + 1) << 12 & 0xffffffff;
  if (D.PrivateSize)
    Scratch = D.Kept.take(D.Kept.Scratches, size_t(D.PrivateSize) * Lanes);

  // Scalars, in the descriptor's order.
  unsigned Next = 0;
  auto Put = [&](uint64_t Value, unsigned Words) {
    for (unsigned I = 0; I != Words; ++I)
      S[Next++] = uint32_t(Value >> (32 * I));
  };
  auto Has = [&](Property P) { return (K.Properties >> P & 1) != 0; };
  if (Has(PrivateSegmentBuffer)) {
    Put(ScratchMark | uint64_t(1) << 63, 2);
    Put(0xffffffff | uint64_t(0x00e80000) << 32, 2);
  }
  if (Has(DispatchPointer))
    Put(reinterpret_cast<uintptr_t>(&D.Packet), 2);
  if (Has(QueuePointer))
    Put(reinterpret_cast<uintptr_t>(D.Queue), 2);
  if (Has(KernargPointer))
    Put(reinterpret_cast<uintptr_t>(D.Packet.kernargAddress), 2);
  if (Has(DispatchId))
    Put(0, 2);
  if (Has(FlatScratchInit))
    Put(ScratchMark, 2);
  if (Has(PrivateSegmentSize))
    Put(D.PrivateSize, 1);
  unsigned Preloaded = K.Preload & 0x7f, PreloadFrom = K.Preload >> 7;
  for (unsigned I = 0; I != Preloaded; ++I) {
    uint32_t Word;
    memcpy(&Word,
           static_cast<char *>(D.Packet.kernargAddress) + (PreloadFrom + I) * 4,
           4);
    Put(Word, 1);
  }
  unsigned User = K.Rsrc2 >> 1 & 31;
  if (Next > User && !Preloaded)
    stop(Stop::Illegal, "the kernel descriptor asks for " +
                            std::to_string(Next) + " user registers and has " +
                            std::to_string(User));
  Next = std::max(Next, User);
  if (Arch.Major >= 12) {
    S[Ttmp0 + 9] = Group.Id[0];
    S[Ttmp0 + 7] = Group.Id[1] | Group.Id[2] << 16;
    S[Ttmp0 + 8] = Number << 25;
  } else {
    for (unsigned I = 0; I != 3; ++I)
      if (K.Rsrc2 >> (7 + I) & 1)
        Put(Group.Id[I], 1);
    if (K.Rsrc2 >> 10 & 1)
      Put(0, 1);
    if ((K.Rsrc2 & 1) && !Arch.ArchitectedScratch)
      Put(ScratchOffset, 1);
  }

  // Lanes.
  uint64_t Exec = 0;
  uint32_t All = Group.Size[0] * Group.Size[1] * Group.Size[2];
  unsigned Ids = K.Rsrc2 >> 11 & 3;
  for (unsigned L = 0; L != Lanes; ++L) {
    uint32_t Flat = Number * Lanes + L;
    if (Flat >= All)
      break;
    Exec |= uint64_t(1) << L;
    uint32_t X = Flat % Group.Size[0], Y = Flat / Group.Size[0] % Group.Size[1],
             Z = Flat / Group.Size[0] / Group.Size[1];
    if (Arch.PackedIds) {
      Rows[0][L] = X | Y << 10 | Z << 20;
    } else {
      Rows[0][L] = X;
      if (Ids >= 1)
        Rows[1][L] = Y;
      if (Ids >= 2)
        Rows[2][L] = Z;
    }
  }
  S[ExecLo + 1] = 0;
  setMask(ExecLo, Exec);
  S[M0] = ~0u;
  Pc = reinterpret_cast<uintptr_t>(&K) + uint64_t(K.EntryOffset) +
       (Preloaded ? 256 : 0);
}

Wave::~Wave() {
  Group.D.Kept.Files.push_back(std::move(File));
  if (Scratch)
    Group.D.Kept.Scratches.push_back(std::move(Scratch));
}

void Wave::stop(Stop::Kind K, std::string What, int Lane) {
  throw Stop{K, std::move(What), 0, 0, Lane};
}

const Instruction *Wave::fetch(uint64_t At) {
  const Instruction *I = Group.D.Code.at(At, Lanes);
  if (!I) {
    char Text[80];
    snprintf(Text, sizeof(Text), "a jump to %#" PRIx64 ", where is no code",
             At);
    throw Stop{Stop::MemoryFault, Text, At, 4 /* not executable */, -1};
  }
  if (I->Vectors > Vectors || I->Accumulators > Accumulators) {
    Current = I;
    stop(Stop::Illegal, "a vector register beyond those of the wave (" +
                            std::to_string(Vectors) + " and " +
                            std::to_string(Accumulators) + " accumulators)");
  }
  return I;
}

void Wave::jumpDirect(const Instruction &I) {
  Pc = I.branchTarget();
  Next = I.Target.load(std::memory_order_acquire);
  if (!Next || Next->Vectors > Vectors || Next->Accumulators > Accumulators) {
    Next = fetch(Pc);
    I.Target.store(Next, std::memory_order_release);
  }
}

void runIndexed(Wave &W, const Instruction &I); // vector_lanes.cpp

void Wave::run(uint64_t Count) {
  Slept = false;
  const bool Trace = Group.D.Set.Trace;
  while (Count-- && Is == Running && !Slept) {
    const Instruction *I = Next ? Next : fetch(Pc);
    Current = I;
    Pc = I->Pc + I->Bytes;
    Next = I->Next.load(std::memory_order_acquire);
    if (!Next || Next->Vectors > Vectors || Next->Accumulators > Accumulators)
        [[unlikely]] {
      Next = Group.D.Code.at(Pc, Lanes);
      // Past the end of the code it is an error only when it is reached.
      if (Next &&
          (Next->Vectors > Vectors || Next->Accumulators > Accumulators))
        Next = nullptr;
      else if (Next)
        I->Next.store(Next, std::memory_order_release);
    }
    ++Retired;
    if (IndexMode && I->Mnemonic.starts_with("v_")) [[unlikely]]
      runIndexed(*this, *I);
    else
      I->Run(*this, *I);
    if (Trace) [[unlikely]]
      trace(*this);
    if (Lanes == 32 && S[ExecLo + 1]) [[unlikely]]
      stop(Stop::Illegal, "exec_hi is not 0 in a wave of 32 lanes");
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint8_t *Wave::scratch(unsigned Lane, uint64_t At, unsigned Size) {
  uint32_t All = Group.D.PrivateSize;
  if (At >= All || Size > All - At) [[unlikely]]
    stop(Stop::Aperture,
         "scratch " + std::to_string(At) + " of " + std::to_string(All) +
             " bytes (" + std::to_string(Size) + " bytes there)",
         int(Lane));
  return Scratch.get() + size_t(Lane) * All + At;
}

uint8_t *Wave::lds(unsigned Lane, uint64_t At, unsigned Size, Access How) {
  size_t All = Group.Lds.size();
  if (At >= All || Size > All - At) [[unlikely]]
    stop(Stop::Aperture,
         "shared memory " + std::to_string(At) + " of " + std::to_string(All) +
             " bytes (" + std::to_string(Size) + " bytes there)",
         int(Lane));
  if (Group.Races.on()) [[unlikely]]
    Group.D.checkRace(*this, Lane, At, Size, How);
  return Group.Lds.data() + At;
}

uint8_t *Wave::global(int Lane, uint64_t At, unsigned Size, Access How) {
  if (!Group.D.Memory.allows(At, Size, How)) [[unlikely]] {
    Stop S{Stop::MemoryFault, "", At, 0, Lane};
    S.What = (How == Access::Read    ? "a load of "
              : How == Access::Write ? "a store of "
                                     : "an atomic access of ") +
             std::to_string(Size) +
             " bytes: " + Group.D.Memory.explain(At, S.Reason);
    throw S;
  }
  return reinterpret_cast<uint8_t *>(At);
}

uint8_t *Wave::flat(unsigned Lane, uint64_t At, unsigned Size, Access How) {
  if (At >> 32 == SharedBase >> 32)
    return lds(Lane, uint32_t(At), Size, How);
  if (At >> 32 == PrivateBase >> 32) {
    const Architecture &Arch = archOf(*this);
    if (!Arch.ArchitectedScratch) {
      uint64_t Has = Arch.Major >= 10 ? FlatScratch : pair(FlatScratchLo);
      if (Has != ScratchMark + ScratchOffset)
        stop(Stop::Illegal, "flat_scratch is not set up", int(Lane));
    }
    return scratch(Lane, uint32_t(At), Size);
  }
  return global(int(Lane), At, Size, How);
}

uint64_t Wave::hash() const {
  uint64_t H = Pc * 0x9e3779b97f4a7c15 + Scc;
  auto Mix = [&](const void *Data, size_t Size) {
    auto *P = static_cast<const uint8_t *>(Data);
    for (; Size >= 8; Size -= 8, P += 8) {
      uint64_t V;
      memcpy(&V, P, 8);
      H = (H ^ V) * 0x9e3779b97f4a7c15;
      H ^= H >> 29;
    }
  };
  Mix(S, sizeof(S));
  Mix(File.get(), size_t(Vectors + Accumulators) * Lanes * 4);
  if (Scratch)
    Mix(Scratch.get(), size_t(Group.D.PrivateSize) * Lanes);
  return H;
}

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

Workgroup::Workgroup(Dispatch &D, const uint32_t TheId[3], uint64_t Index)
    : D(D), Index(Index) {
  uint32_t All = 1;
  for (int I = 0; I != 3; ++I) {
    Id[I] = TheId[I];
    Size[I] = std::min<uint32_t>(D.Packet.workgroupSize[I],
                                 D.Packet.gridSize[I] -
                                     Id[I] * D.Packet.workgroupSize[I]);
    All *= Size[I];
  }
  Lds.assign(D.Packet.groupSegmentSize, 0xa7);
  if (D.Set.Notes)
    Races.start(Lds.size());
  unsigned Count = (All + D.Lanes - 1) / D.Lanes;
  for (unsigned I = 0; I != Count; ++I)
    Waves.push_back(std::make_unique<Wave>(*this, I));
  Alive = Count;
}

void Workgroup::releaseIfAll() {
  if (!Alive || Waiting != Alive)
    return;
  Waiting = 0;
  ++Phase;
  ++D.Changes;
  Races.barrier();
  for (auto &W : Waves)
    if (W->Is == Wave::AtBarrier)
      W->Is = Wave::Running;
}

void Workgroup::arrive(Wave &) {
  ++Waiting;
  releaseIfAll();
}

void Workgroup::ended(Wave &) {
  --Alive;
  ++D.Changes;
  releaseIfAll();
}

} // namespace amdgcn
