// What went wrong, and where
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"
#include "sync.h"

#include <cstdio>

namespace ptx {

std::string place(const Grid &G, const Inst &I) {
  std::string Out = "PTX line " + std::to_string(I.Line) + ", '" +
                    std::string(G.P.Source->line(I.Line)) + "'";
  auto File = G.P.Source->Files.find(I.From.File);
  if (I.From.Line && File != G.P.Source->Files.end())
    Out += " (" + File->second + ":" + std::to_string(I.From.Line) + ")";
  return Out;
}

/// "lanes 0-7, 12".
static std::string lanes(uint32_t Mask) {
  if (Mask == AllLanes)
    return "all lanes";
  std::string Out = __builtin_popcount(Mask) == 1 ? "lane " : "lanes ";
  const char *Between = "";
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(Mask >> L & 1))
      continue;
    unsigned Last = L;
    while (Last + 1 < WarpSize && Mask >> (Last + 1) & 1)
      ++Last;
    Out += Between + std::to_string(L);
    if (Last != L)
      Out += "-" + std::to_string(Last);
    Between = ", ";
    L = Last;
  }
  return Out;
}

static std::string triple(uint32_t X, uint32_t Y, uint32_t Z) {
  return "(" + std::to_string(X) + ", " + std::to_string(Y) + ", " +
         std::to_string(Z) + ")";
}

static const char *nameOf(Result R) {
  switch (R) {
  case xcc::rt::cuda::IllegalAddress:
    return "illegal address";
  case xcc::rt::cuda::MisalignedAddress:
    return "misaligned address";
  case xcc::rt::cuda::InvalidPc:
    return "invalid program counter";
  case xcc::rt::cuda::LaunchTimeout:
    return "the launch was stopped";
  default:
    return "launch failed";
  }
}

std::string describe(const Grid &G, const Block &B, const Fault &F) {
  std::string Out = "simulator: kernel " + G.Name + ", block " +
                    triple(B.At[0], B.At[1], B.At[2]);
  if (F.Text.starts_with("DEADLOCK"))
    return Out + ": " + F.Text;
  const Warp *W = B.Running;
  uint32_t Mask = F.Lanes;
  if (W && W->Now && !Mask)
    Mask = W->Now->Lanes;
  if (W && Mask) {
    const uint32_t *Dim = G.Shape.Block;
    uint32_t T = W->Index * WarpSize + uint32_t(__builtin_ctz(Mask));
    Out += ", thread " +
           triple(T % Dim[0], T / Dim[0] % Dim[1], T / Dim[0] / Dim[1]);
    if (__builtin_popcount(Mask) > 1)
      Out += " and others (" + lanes(Mask) + " of warp " +
             std::to_string(W->Index) + ")";
  }
  Out += ": " + std::string(nameOf(F.Code)) + ": " + F.Text + "\n";
  if (W && W->Doing)
    Out += "  at " + place(G, *W->Doing) + "\n";
  if (W && W->Now && W->Now->At) {
    int Depth = 0;
    for (const Frame *At = W->Now->At; At; At = At->Caller, ++Depth) {
      if (Depth == 12) {
        Out += "  ...\n";
        break;
      }
      Out += "  in " + std::string(At->Of->Of->Name);
      if (At->Caller)
        Out +=
            ", called at " + place(G, At->Caller->Of->Insts[At->ReturnTo - 1]);
      Out += "\n";
    }
  }
  return Out;
}

/// What each lane of the block waits for.
std::string describeDeadlock(const Block &B) {
  std::string Out = "DEADLOCK: every thread waits for another\n";
  unsigned Told = 0;
  for (unsigned N = 0; N != B.Count; ++N) {
    const Warp &W = *B.Warps[N];
    if (W.done())
      continue;
    if (++Told > 8) {
      Out += "  ... and other warps\n";
      break;
    }
    std::string Name = "  warp " + std::to_string(N) + ", ";
    uint32_t Left = W.Live;
    for (const Group &G : W.Groups) {
      if (G.Is == Group::Free)
        continue;
      Left &= ~G.Lanes;
      const Inst &I = G.At->Of->Insts[G.Pc];
      Out += Name + lanes(G.Lanes);
      if (G.Is == Group::AtSync) {
        char Mask[16];
        snprintf(Mask, sizeof(Mask), "%#x", G.SyncMask);
        uint32_t Missing = G.SyncMask & W.Live & ~G.Lanes;
        Out += ": wait at " + place(B.In, I) + " for the mask " + Mask +
               "; missing: " + lanes(Missing) + "\n";
      } else {
        Out += ": wait at barrier " + std::to_string(G.Barrier) + ", " +
               place(B.In, I) + "\n";
      }
    }
    // The others wait at meetings, which hang on those that do not come.
    std::set<const Meeting *> Seen;
    for (const Group &G : W.Groups)
      for (const Meeting *M = G.Is == Group::Free ? nullptr : G.Next; M;
           M = M->Outer) {
        if (!Seen.insert(M).second || !(M->Arrived & Left))
          continue;
        const Code &C = *(M->Return ? M->At->Caller : M->At)->Of;
        Out += Name + lanes(M->Arrived & Left) + ": wait for " +
               lanes(M->Expected & ~M->Arrived) +
               (M->Return ? " to return from the call at "
                          : " to come out of the branch at ") +
               place(B.In, C.Insts[M->MadeAt]) + "\n";
        Left &= ~M->Arrived;
      }
  }
  return Out;
}

} // namespace ptx
