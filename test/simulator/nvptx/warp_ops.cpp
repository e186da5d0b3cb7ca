// Operations among the lanes of a warp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.7.9.6 (shfl), 9.7.13.9 and following (vote, match, activemask,
// redux, elect) and 9.7.13.2 (bar.warp.sync).

#include "handlers.h"
#include "sync.h"

#include <algorithm>

namespace ptx {
namespace {

constexpr Type Word32{Type::U, 1, 32};

/// All *.sync instructions begin so; the masks are operand C.
void together(Warp &W, const Inst &I, uint32_t Lanes) {
  W.waitForLanes(I, Lanes, W.in<uint32_t>(I.C));
}
Inst &emitSync(Decoder &D, const SyncOperation &Kind, size_t MaskAt) {
  int32_t Mask = D.in(MaskAt, Word32);
  Inst &N = D.emit(together);
  N.C = Mask, N.Sync = &Kind;
  return N;
}

void gatherNothing(Warp &, const Inst &, uint32_t) {}
void finishNothing(Warp &, const Inst &, uint32_t, uint32_t) {}

//===--- shfl -------------------------------------------------------------===//

enum Mode { Up, Down, Butterfly, Index };

void gatherShuffle(Warp &W, const Inst &I, uint32_t Lanes) {
  const uint32_t *A = W.in<uint32_t>(I.A), *B = W.in<uint32_t>(I.B),
                 *C = W.in<uint32_t>(int32_t(I.Imm));
  each(Lanes, [&](unsigned L) {
    W.Exchange.Value[L] = A[L];
    W.Exchange.Lane[L] = B[L];
    W.Exchange.Clamp[L] = C[L];
  });
}
template <Mode How>
void finishShuffle(Warp &W, const Inst &I, uint32_t Lanes, uint32_t All) {
  uint32_t *D = W.out<uint32_t>(I.D), In = 0, Absent = 0;
  uint32_t Out[WarpSize];
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    uint32_t B = W.Exchange.Lane[L] & 31, C = W.Exchange.Clamp[L] & 31,
             Segment = W.Exchange.Clamp[L] >> 8 & 31;
    uint32_t Most = (L & Segment) | (C & ~Segment), Least = L & Segment;
    int32_t From = How == Up          ? int32_t(L - B)
                   : How == Down      ? int32_t(L + B)
                   : How == Butterfly ? int32_t(L ^ B)
                                      : int32_t(Least | (B & ~Segment));
    bool Valid = How == Up ? From >= int32_t(Most) : From <= int32_t(Most);
    if (Valid)
      In |= M & -M;
    else
      From = int32_t(L);
    if (!(All >> From & 1)) {
      // What the register of a lane elsewhere holds is undefined.
      Absent |= M & -M;
      Out[L] = 0xA5A5A5A5;
    } else {
      Out[L] = uint32_t(W.Exchange.Value[From]);
    }
  }
  each(Lanes, [&](unsigned L) { D[L] = Out[L]; });
  if (I.P >= 0)
    W.setPredicate(I.P, In, Lanes);
  if (Absent)
    W.In.In.note(W, "a shuffle from lanes that take no part in it");
}
constexpr SyncOperation Shuffles[] = {
    {"shfl.sync.up", gatherShuffle, finishShuffle<Up>},
    {"shfl.sync.down", gatherShuffle, finishShuffle<Down>},
    {"shfl.sync.bfly", gatherShuffle, finishShuffle<Butterfly>},
    {"shfl.sync.idx", gatherShuffle, finishShuffle<Index>}};

void shfl(Decoder &D) {
  if (!D.has("sync"))
    D.refuse("'.sync' is missing");
  int How = D.oneOf({"up", "down", "bfly", "idx"});
  if (How < 0 || D.type().bits() != 32)
    D.refuse("a mode or type that the instruction does not have");
  int32_t To = D.out(0, 4), P = D.second(0), A = D.in(1, Word32),
          B = D.in(2, Word32), C = D.in(3, Word32);
  Inst &N = emitSync(D, Shuffles[How], 4);
  N.D = To, N.P = P, N.A = A, N.B = B, N.Imm = uint64_t(int64_t(C));
}

//===--- vote, match, redux -----------------------------------------------===//

void gatherPredicate(Warp &W, const Inst &I, uint32_t Lanes) {
  uint32_t P = W.predicate(I.A, I.Small & 1);
  W.Exchange.True = (W.Exchange.True & ~Lanes) | (P & Lanes);
}
enum Vote { VoteAll, VoteAny, VoteUniform, Ballot };
template <Vote How>
void finishVote(Warp &W, const Inst &I, uint32_t Lanes, uint32_t All) {
  uint32_t True = W.Exchange.True & All;
  if (How == Ballot) {
    uint32_t *D = W.out<uint32_t>(I.D);
    each(Lanes, [=](unsigned L) { D[L] = True; });
    return;
  }
  bool Is = How == VoteAll   ? True == All
            : How == VoteAny ? True != 0
                             : True == All || !True;
  W.setPredicate(I.D, Is ? AllLanes : 0, Lanes);
}
constexpr SyncOperation Votes[] = {
    {"vote.sync.all", gatherPredicate, finishVote<VoteAll>},
    {"vote.sync.any", gatherPredicate, finishVote<VoteAny>},
    {"vote.sync.uni", gatherPredicate, finishVote<VoteUniform>},
    {"vote.sync.ballot", gatherPredicate, finishVote<Ballot>}};
void vote(Decoder &D) {
  if (!D.has("sync"))
    D.refuse("'.sync' is missing");
  int How = D.oneOf({"all", "any", "uni", "ballot"});
  D.type();
  if (How < 0)
    D.refuse("the kind of vote is missing");
  bool Not;
  int32_t To = How == Ballot ? D.out(0, 4) : D.outPredicate(D.operand(0).Index),
          A = D.inPredicate(1, Not);
  Inst &N = emitSync(D, Votes[How], 2);
  N.D = To, N.A = A, N.Small = Not;
}

template <class T> void gatherValue(Warp &W, const Inst &I, uint32_t Lanes) {
  const T *A = W.in<T>(I.A);
  each(Lanes, [&](unsigned L) { W.Exchange.Value[L] = A[L]; });
}
void finishMatchAny(Warp &W, const Inst &I, uint32_t Lanes, uint32_t All) {
  uint32_t *D = W.out<uint32_t>(I.D);
  for (uint32_t M = Lanes; M; M &= M - 1) {
    unsigned L = unsigned(__builtin_ctz(M));
    uint32_t Same = 0;
    for (uint32_t N = All; N; N &= N - 1)
      if (W.Exchange.Value[__builtin_ctz(N)] == W.Exchange.Value[L])
        Same |= N & -N;
    D[L] = Same;
  }
}
void finishMatchAll(Warp &W, const Inst &I, uint32_t Lanes, uint32_t All) {
  uint32_t *D = W.out<uint32_t>(I.D);
  bool Same = true;
  for (uint32_t N = All; N; N &= N - 1)
    Same &= W.Exchange.Value[__builtin_ctz(N)] ==
            W.Exchange.Value[__builtin_ctz(All)];
  each(Lanes, [=](unsigned L) { D[L] = Same ? All : 0; });
  if (I.P >= 0)
    W.setPredicate(I.P, Same ? AllLanes : 0, Lanes);
}
constexpr SyncOperation Matches[] = {
    {"match.any.sync.b32", gatherValue<uint32_t>, finishMatchAny},
    {"match.any.sync.b64", gatherValue<uint64_t>, finishMatchAny},
    {"match.all.sync.b32", gatherValue<uint32_t>, finishMatchAll},
    {"match.all.sync.b64", gatherValue<uint64_t>, finishMatchAll}};
void match(Decoder &D) {
  int How = D.oneOf({"any", "all"});
  if (How < 0 || !D.has("sync"))
    D.refuse("'.any' or '.all' and '.sync' are needed");
  Type T = D.type();
  int32_t To = D.out(0, 4), P = How ? D.second(0) : -1, A = D.in(1, T);
  Inst &N = emitSync(D, Matches[How * 2 + (T.bits() == 64)], 2);
  N.D = To, N.P = P, N.A = A;
}

enum Reduction { RAdd, RMin, RMax, RAnd, ROr, RXor };
template <Reduction How, class T>
void finishReduction(Warp &W, const Inst &I, uint32_t Lanes, uint32_t All) {
  T Out = T(W.Exchange.Value[__builtin_ctz(All)]);
  for (uint32_t N = All & (All - 1); N; N &= N - 1) {
    T V = T(W.Exchange.Value[__builtin_ctz(N)]);
    Out = How == RAdd   ? T(uint32_t(Out) + uint32_t(V))
          : How == RMin ? std::min(Out, V)
          : How == RMax ? std::max(Out, V)
          : How == RAnd ? T(Out & V)
          : How == ROr  ? T(Out | V)
                        : T(Out ^ V);
  }
  T *D = W.out<T>(I.D);
  each(Lanes, [=](unsigned L) { D[L] = Out; });
}
constexpr SyncOperation Reductions[2][6] = {
    {{"redux.sync.add", gatherValue<uint32_t>, finishReduction<RAdd, uint32_t>},
     {"redux.sync.min", gatherValue<uint32_t>, finishReduction<RMin, uint32_t>},
     {"redux.sync.max", gatherValue<uint32_t>, finishReduction<RMax, uint32_t>},
     {"redux.sync.and", gatherValue<uint32_t>, finishReduction<RAnd, uint32_t>},
     {"redux.sync.or", gatherValue<uint32_t>, finishReduction<ROr, uint32_t>},
     {"redux.sync.xor", gatherValue<uint32_t>,
      finishReduction<RXor, uint32_t>}},
    {{"redux.sync.add", gatherValue<uint32_t>, finishReduction<RAdd, int32_t>},
     {"redux.sync.min", gatherValue<uint32_t>, finishReduction<RMin, int32_t>},
     {"redux.sync.max", gatherValue<uint32_t>, finishReduction<RMax, int32_t>},
     {"redux.sync.and", gatherValue<uint32_t>, finishReduction<RAnd, int32_t>},
     {"redux.sync.or", gatherValue<uint32_t>, finishReduction<ROr, int32_t>},
     {"redux.sync.xor", gatherValue<uint32_t>,
      finishReduction<RXor, int32_t>}}};
void redux(Decoder &D) {
  bool Sync = D.has("sync");
  int How = D.oneOf({"add", "min", "max", "and", "or", "xor"});
  Type T = D.type();
  if (!Sync || How < 0 || !isInteger(T) || T.bits() != 32)
    D.refuse("a form that is not supported");
  if (D.P.Capability < 80)
    D.refuse("sm_" + std::to_string(D.P.Capability) + " does not have it");
  int32_t To = D.out(0, 4), A = D.in(1, Word32);
  Inst &N = emitSync(D, Reductions[T.Of == Type::S][How], 2);
  N.D = To, N.A = A;
}

//===--- Others -----------------------------------------------------------===//

void runActive(Warp &W, const Inst &I, uint32_t Lanes) {
  uint32_t *D = W.out<uint32_t>(I.D);
  each(Lanes, [=](unsigned L) { D[L] = Lanes; });
}
void activemask(Decoder &D) {
  D.type();
  int32_t To = D.out(0, 4);
  Inst &N = D.emit(runActive);
  N.D = To;
}

void finishElect(Warp &W, const Inst &I, uint32_t Lanes, uint32_t All) {
  unsigned Leader = unsigned(__builtin_ctz(All));
  if (I.Small) {
    uint32_t *D = W.out<uint32_t>(I.D);
    each(Lanes, [=](unsigned L) { D[L] = Leader; });
  }
  if (I.P >= 0)
    W.setPredicate(I.P, 1u << Leader, Lanes);
}
constexpr SyncOperation Elect{"elect.sync", gatherNothing, finishElect};
void elect(Decoder &D) {
  if (!D.has("sync"))
    D.refuse("'.sync' is missing");
  bool Drops = D.operand(0).Is == Operand::Sink;
  int32_t To = Drops ? 0 : D.out(0, 4), P = D.second(0);
  Inst &N = emitSync(D, Elect, 1);
  N.D = To, N.P = P, N.Small = !Drops;
}

constexpr SyncOperation WarpBarrier{"bar.warp.sync", gatherNothing,
                                    finishNothing};

//===--- Barriers of the block --------------------------------------------===//

enum BarrierForm : uint8_t { Sync, Arrive, Popc, RedAnd, RedOr };

uint32_t same(Warp &W, int32_t Offset, uint32_t Lanes, const char *What) {
  const uint32_t *A = W.in<uint32_t>(Offset);
  uint32_t V = A[__builtin_ctz(Lanes)];
  for (uint32_t M = Lanes; M; M &= M - 1)
    if (A[__builtin_ctz(M)] != V)
      W.fault(xcc::rt::cuda::LaunchFailed,
              std::string("threads of a warp give different ") + What);
  return V;
}

void barrierLanes(Warp &W, const Inst &I, uint32_t Lanes) {
  uint32_t Number = same(W, I.A, Lanes, "barriers");
  if (Number > 15)
    W.fault(xcc::rt::cuda::LaunchFailed,
            "barrier " + std::to_string(Number) + " of 16");
  uint32_t Threads = I.Imm ? same(W, I.B, Lanes, "counts of threads") : 0;
  if (Threads % WarpSize || (I.Imm && !Threads))
    W.fault(xcc::rt::cuda::LaunchFailed,
            "a barrier for " + std::to_string(Threads) +
                " threads, which are no whole warps");
  Block::Barrier &B = W.In.Barriers[Number];
  if (B.Waiting && B.Expected != Threads)
    W.fault(xcc::rt::cuda::LaunchFailed,
            "a barrier for " + std::to_string(Threads) +
                " threads, at which others wait for " +
                std::to_string(B.Expected) + " (0: all)");
  B.Expected = Threads;
  if (I.Small == Arrive) {
    B.Passing += WarpSize;
    B.Waiting = true;
    W.In.BarriersChanged = true;
    return;
  }
  if (I.Small >= Popc) {
    uint32_t P = W.predicate(I.C, I.Count & 2);
    W.BarrierTrue = (W.BarrierTrue & ~Lanes) | (P & Lanes);
  }
  W.waitAtBarrier(int(Number), Lanes);
}

void decodeBarrier(Decoder &D, bool Aligned) {
  D.ignore({"cta"});
  int How = D.oneOf({"sync", "arrive", "red"});
  if (How < 0)
    D.refuse("a form that is not supported");
  size_t At = 0;
  int32_t To = 0, C = 0;
  bool Not = false;
  int Form = How;
  if (How == 2) {
    Form = Popc + D.oneOf({"popc", "and", "or"});
    if (Form < Popc)
      D.refuse("the reduction is missing");
    D.type();
    To = Form == Popc ? D.out(0, 4) : D.outPredicate(D.operand(0).Index);
    At = 1;
  }
  size_t Last = D.operands() - (How == 2);
  int32_t A = D.in(At, Word32), B = 0;
  bool Counted = At + 1 < Last;
  if (Counted)
    B = D.in(At + 1, Word32);
  if (How == 2)
    C = D.inPredicate(Last, Not);
  Inst &N = D.emit(barrierLanes);
  N.D = To, N.A = A, N.B = B, N.C = C, N.Imm = Counted;
  N.Small = uint8_t(Form);
  N.Count = uint8_t(1 | Not << 1);
  N.Aligned = Aligned;
  D.step().Barrier = Aligned;
}

void bar(Decoder &D) {
  if (D.has("warp")) {
    if (!D.has("sync"))
      D.refuse("'.sync' is missing");
    emitSync(D, WarpBarrier, 0);
    return;
  }
  decodeBarrier(D, true);
}
void barrier(Decoder &D) {
  bool Aligned = D.has("aligned");
  decodeBarrier(D, Aligned);
}

PTX_OPCODES({"shfl", shfl}, {"vote", vote}, {"match", match}, {"redux", redux},
            {"activemask", activemask}, {"elect", elect}, {"bar", bar},
            {"barrier", barrier})

} // namespace

void finishBarrier(Warp &W, const Group &G, const Inst &I, uint32_t Threads,
                   bool All, bool Any) {
  if (I.Small == Popc) {
    auto *D = reinterpret_cast<uint32_t *>(G.At->Data + I.D);
    each(G.Lanes, [=](unsigned L) { D[L] = Threads; });
  } else if (I.Small == RedAnd || I.Small == RedOr) {
    auto *P = reinterpret_cast<uint32_t *>(G.At->Data + I.D);
    bool Is = I.Small == RedAnd ? All : Any;
    *P = (*P & ~G.Lanes) | (Is ? G.Lanes : 0);
  }
  (void)W;
}

} // namespace ptx
