// Lanes that wait for each other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *.sync instruction is done when all lanes of its mask that have not exited
// are at one of the same kind with the same mask, wherever that is; a barrier
// when all threads of the block that have not exited have come to it, or as
// many as it says.

#include "sync.h"
#include "machine.h"

namespace ptx {

using xcc::rt::cuda::LaunchFailed;

/// Lanes at the same place, in the same call, with the same meetings before
/// them are one group.
void Warp::mergeWith(Group *First) {
  for (Group &G : Groups)
    if (&G != First && G.Is == Group::Ready && G.Pc == First->Pc &&
        G.At == First->At && G.Next == First->Next) {
      First->Lanes |= G.Lanes;
      G = {};
    }
}

void Warp::waitForLanes(const Inst &I, uint32_t Lanes, const uint32_t *Masks) {
  Group *G = Now;
  uint32_t At = G->Pc - 1;
  if (Lanes != G->Lanes) {
    // Guarded: the others go on behind it.
    splitOff(*G, G->Lanes & ~Lanes, G->Pc, G->Next);
    Stopped = true;
  }
  uint32_t Left = Lanes;
  while (Left) {
    uint32_t Mask = Masks[__builtin_ctz(Left)], Part = 0;
    for (uint32_t M = Left; M; M &= M - 1)
      if (Masks[__builtin_ctz(M)] == Mask)
        Part |= M & -M;
    if (Part & ~Mask) {
      char Text[160];
      snprintf(Text, sizeof(Text),
               "executed by lanes that its mask %#x does not name", Mask);
      fault(LaunchFailed, Text, Part & ~Mask);
    }
    Left &= ~Part;
    // The usual case: all are here.
    if (Part == G->Lanes && !((Mask & Live) & ~Part)) {
      I.Sync->Gather(*this, I, Part);
      I.Sync->Finish(*this, I, Part, Part);
      ++Synced;
      return;
    }
    Group *Waits = G;
    if (Part != G->Lanes) {
      Waits = newGroup();
      Group Copy = *G;
      *Waits = Copy;
      Waits->Lanes = Part;
      G->Lanes &= ~Part;
    }
    Waits->Is = Group::AtSync;
    Waits->SyncMask = Mask;
    Waits->Pc = At;
  }
  Stopped = true;
  trySyncs();
}

/// Are there waiting groups whose lanes are all there now?
void Warp::trySyncs() {
  for (unsigned N = 0; N != WarpSize; ++N) {
    Group &G = Groups[N];
    if (G.Is != Group::AtSync)
      continue;
    const SyncOperation *Kind = G.At->Of->Insts[G.Pc].Sync;
    Group *Waiting[WarpSize];
    unsigned Count = 0;
    uint32_t Here = 0;
    for (Group &Other : Groups)
      if (Other.Is == Group::AtSync && Other.SyncMask == G.SyncMask &&
          Other.At->Of->Insts[Other.Pc].Sync == Kind) {
        Waiting[Count++] = &Other;
        Here |= Other.Lanes;
      }
    if (!(G.SyncMask & Live & ~Here))
      complete(Here, Waiting, Count);
  }
}

void Warp::complete(uint32_t Mask, Group **Waiting, unsigned Count) {
  Group *Was = Now;
  const Inst *WasDoing = Doing;
  for (unsigned N = 0; N != Count; ++N) {
    enter(*Waiting[N]);
    Doing = &Running->Insts[Waiting[N]->Pc];
    Doing->Sync->Gather(*this, *Doing, Waiting[N]->Lanes);
  }
  for (unsigned N = 0; N != Count; ++N) {
    enter(*Waiting[N]);
    Doing = &Running->Insts[Waiting[N]->Pc];
    Doing->Sync->Finish(*this, *Doing, Waiting[N]->Lanes, Mask);
  }
  ++Synced;
  for (unsigned N = 0; N != Count; ++N) {
    Waiting[N]->Is = Group::Ready;
    ++Waiting[N]->Pc;
  }
  for (unsigned N = 0; N != Count; ++N)
    if (Waiting[N]->Is == Group::Ready)
      mergeWith(Waiting[N]);
  Doing = WasDoing;
  Now = Was;
  if (Was->At) {
    Running = Was->At->Of;
    Data = Was->At->Data;
    Pool = Running->Pool.data();
  }
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Warp::waitAtBarrier(int Number, uint32_t Lanes) {
  Group *G = Now;
  if (Lanes != G->Lanes)
    splitOff(*G, G->Lanes & ~Lanes, G->Pc, G->Next);
  --G->Pc;
  G->Is = Group::AtBarrier;
  G->Barrier = Number;
  Block::Barrier &B = In.Barriers[Number];
  B.Arrived[Index] |= Lanes;
  B.Waiting = true;
  In.BarriersChanged = true;
  Stopped = true;
}

/// Lanes of one warp that came to an aligned barrier on different ways.
void Block::checkAligned(int Number) {
  for (unsigned N = 0; N != Count; ++N) {
    Warp &W = *Warps[N];
    Group *First = nullptr;
    for (Group &G : W.Groups) {
      if (G.Is != Group::AtBarrier || G.Barrier != Number)
        continue;
      const Inst &I = G.At->Of->Insts[G.Pc];
      if (!First)
        First = &G;
      const Inst &Other = First->At->Of->Insts[First->Pc];
      if (&I != &Other && (I.Aligned || Other.Aligned)) {
        Running = &W;
        W.Now = &G;
        W.Doing = &I;
        throw Fault{
            LaunchFailed,
            "an aligned barrier for which threads of one warp wait at another "
            "place: " +
                place(In, Other) +
                "; ptxas takes a branch that leads to one for uniform, so "
                "behaviour is undefined (barrier.sync has no such rule)",
            G.Lanes};
      }
      if (I.Aligned && &G != First)
        In.note(W, "an aligned barrier that parts of a warp come to one after "
                   "the other");
    }
  }
}

void Block::tryBarriers() {
  BarriersChanged = false;
  for (int Number = 0; Number != 16; ++Number) {
    Barrier &B = Barriers[Number];
    if (!B.Waiting)
      continue;
    uint64_t Here = B.Passing;
    bool All = true, True = true, Any = false;
    uint64_t Threads = 0;
    for (unsigned N = 0; N != Count; ++N) {
      uint32_t Lanes = B.Arrived[N] & Warps[N]->Live;
      All &= Lanes == Warps[N]->Live;
      if (Lanes && Lanes == Warps[N]->Live)
        Here += WarpSize; // counted by warps
      uint32_t Said = Warps[N]->BarrierTrue & Lanes;
      True &= Said == Lanes;
      Any |= Said != 0;
      Threads += unsigned(__builtin_popcount(Said));
    }
    if (B.Expected ? Here < B.Expected : !All)
      continue;
    checkAligned(Number);
    for (unsigned N = 0; N != Count; ++N) {
      Warp &W = *Warps[N];
      for (Group &G : W.Groups) {
        if (G.Is != Group::AtBarrier || G.Barrier != Number)
          continue;
        const Inst &I = G.At->Of->Insts[G.Pc];
        finishBarrier(W, G, I, uint32_t(Threads), True, Any);
        G.Is = Group::Ready;
        ++G.Pc;
      }
      for (Group &G : W.Groups)
        if (G.Is == Group::Ready)
          W.mergeWith(&G);
      W.BarrierTrue = 0;
      B.Arrived[N] = 0;
    }
    B.Waiting = false;
    B.Passing = 0;
    B.Expected = 0;
    Races.barrier();
  }
}

} // namespace ptx
