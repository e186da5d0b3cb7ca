// Groups of lanes: they part, meet, call and end
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace ptx {

/// Every byte of memory that nobody has written yet.
static constexpr int Unwritten = 0xA5;

/// Stacks are large and launches many: they are kept for the next warp.
static std::mutex StacksMutex;
static auto &Stacks = *new std::map<uint64_t, std::vector<char *>>;

static char *takeStack(uint64_t Bytes) {
  std::lock_guard Lock(StacksMutex);
  std::vector<char *> &Kept = Stacks[Bytes];
  if (Kept.empty()) {
    auto *New = static_cast<char *>(malloc(Bytes ? Bytes : 1));
    // Large ones are for recursion, which mostly does not come.
    if (Bytes <= 4096 * WarpSize)
      memset(New, Unwritten, Bytes);
    return New;
  }
  char *Old = Kept.back();
  Kept.pop_back();
  return Old;
}
static void keepStack(char *Old, uint64_t Bytes) {
  std::lock_guard Lock(StacksMutex);
  if (Old)
    Stacks[Bytes].push_back(Old);
}

Warp::~Warp() {
  keepStack(Local, Stack * WarpSize);
  for (Frame *F : AllFrames) {
    free(F->Data);
    delete F;
  }
  for (Meeting *M : AllMeetings)
    delete M;
}

void Warp::start(unsigned Number, uint32_t Lanes) {
  Index = Number;
  Live = Lanes;
  for (Group &G : Groups)
    G = {};
  // All that the last block had is free again; a fault ends the whole grid.
  FreeFrames.resize(In.In.P.Codes.size());
  if (!Local || Stack != In.In.Stack) {
    keepStack(Local, Stack * WarpSize);
    Stack = In.In.Stack;
    Local = takeStack(Stack * WarpSize);
  }
  for (uint64_t &S : Sp)
    S = LocalTop;
  LastGroup = 0;
  Executed = 0;
  BarrierTrue = 0;
  Group &G = Groups[0];
  G.Is = Group::Ready;
  G.Lanes = Lanes;
  Now = &G;
  Doing = nullptr;
  G.At = newFrame(*In.In.K.Entry, Lanes);
}

//===----------------------------------------------------------------------===//
// Frames and meetings
//===----------------------------------------------------------------------===//

Frame *Warp::newFrame(const Code &Of, uint32_t Lanes) {
  auto &Free = FreeFrames[size_t(Of.Number)];
  Frame *F;
  if (Free.empty()) {
    F = new Frame;
    F->Of = &Of;
    size_t Bytes = (Of.FrameBytes + 63) / 64 * 64 + 64;
    F->Data = static_cast<char *>(aligned_alloc(64, Bytes));
    memset(F->Data, Unwritten, Bytes);
    AllFrames.push_back(F);
  } else {
    F = Free.back();
    Free.pop_back();
  }
  F->Caller = nullptr;
  F->Site = nullptr;
  memcpy(F->SpBefore, Sp, sizeof(Sp));
  if (Of.LocalBytes)
    for (uint32_t M = Lanes; M; M &= M - 1) {
      unsigned L = unsigned(__builtin_ctz(M));
      uint64_t Base = (Sp[L] - Of.LocalBytes) & ~uint64_t(Of.LocalAlign - 1);
      if (LocalTop - Base > Stack) {
        Free.push_back(F);
        fault(xcc::rt::cuda::IllegalAddress,
              "stack overflow: '" + std::string(Of.Of->Name) + "' needs " +
                  std::to_string(Of.LocalBytes) + " bytes, and of " +
                  std::to_string(Stack) + " bytes for each thread " +
                  std::to_string(Stack - (LocalTop - Sp[L])) + " are left",
              uint32_t(1) << L);
      }
      Sp[L] = Base;
    }
  for (const Preset &P : Of.Presets) {
    auto *R = reinterpret_cast<uint64_t *>(F->Data + P.Register);
    if (P.SharedVariable < 0)
      for (unsigned L = 0; L != WarpSize; ++L)
        R[L] = Sp[L] + P.Plus;
    else
      for (unsigned L = 0; L != WarpSize; ++L)
        R[L] = In.In.K.SharedAt[size_t(P.SharedVariable)];
  }
  return F;
}

void Warp::freeFrame(Frame *F) {
  FreeFrames[size_t(F->Of->Number)].push_back(F);
}

Meeting *Warp::newMeeting() {
  if (FreeMeetings.empty()) {
    AllMeetings.push_back(new Meeting);
    FreeMeetings.push_back(AllMeetings.back());
  }
  Meeting *M = FreeMeetings.back();
  FreeMeetings.pop_back();
  *M = {};
  return M;
}

void Warp::freeMeeting(Meeting *M) { FreeMeetings.push_back(M); }

Group *Warp::newGroup() {
  for (Group &G : Groups)
    if (G.Is == Group::Free) {
      G = {};
      G.Is = Group::Ready;
      return &G;
    }
  abort(); // there are no more groups than lanes
}

/// All that were expected have come: they go on together.
void Warp::release(Meeting *M) {
  Frame *At = M->At;
  uint32_t Pc = M->Pc;
  if (M->Return) {
    At = M->At->Caller;
    freeFrame(M->At);
  }
  if (M->Expected) {
    Group *G = newGroup();
    G->Lanes = M->Expected;
    G->Pc = Pc;
    G->At = At;
    G->Next = M->Outer;
  }
  freeMeeting(M);
}

void Warp::arriveAt(Meeting *M, uint32_t Lanes) {
  M->Arrived |= Lanes;
  if (M->Arrived == M->Expected)
    release(M);
}

/// Lanes that will not come to the meetings of that chain, up to the one behind
/// the call of a frame (exclusive), or all.
void Warp::leave(Meeting *Chain, uint32_t Lanes, const Frame *Within) {
  for (Meeting *M = Chain, *Outer; M; M = Outer) {
    Outer = M->Outer;
    if (Within && M->Return && M->At == Within)
      return;
    M->Expected &= ~Lanes;
    if (M->Arrived == M->Expected)
      release(M);
  }
}

/// Is this where the group waits for others?
bool Warp::arrive(Group &G) {
  bool Arrived = false;
  while (Meeting *M = G.Next) {
    if (M->Return || M->At != G.At || M->Pc != G.Pc)
      break;
    G.Is = Group::Free;
    arriveAt(M, G.Lanes);
    Arrived = true;
    break;
  }
  return Arrived;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Lanes of a group go on elsewhere. \p Next is the meeting of both parts.
void Warp::splitOff(Group &G, uint32_t Lanes, uint32_t Pc, Meeting *Next) {
  G.Lanes &= ~Lanes;
  Group *New = newGroup();
  New->Lanes = Lanes;
  New->Pc = Pc;
  New->At = G.At;
  New->Next = Next;
}

void Warp::jump(const Inst &I, uint32_t Lanes, uint32_t To) {
  Group &G = *Now;
  if (Lanes == G.Lanes) {
    G.Pc = To;
    return;
  }
  uint32_t To2[WarpSize];
  for (unsigned L = 0; L != WarpSize; ++L)
    To2[L] = Lanes >> L & 1 ? To : G.Pc;
  branchMany(I, G.Lanes, To2);
}

/// Each lane has a place of its own to go to.
void Warp::branchMany(const Inst &I, uint32_t Lanes, const uint32_t *To) {
  Group &G = *Now;
  uint32_t Rest = G.Lanes & ~Lanes; // by a guard
  uint32_t First = To[__builtin_ctz(Lanes)], Same = 0;
  for (uint32_t M = Lanes; M; M &= M - 1)
    if (To[__builtin_ctz(M)] == First)
      Same |= M & -M;
  if (Same == G.Lanes) {
    G.Pc = First;
    return;
  }
  Meeting *Next = G.Next;
  if (I.Meeting != Nowhere && !In.In.Independent &&
      !(Next && !Next->Return && Next->At == G.At && Next->Pc == I.Meeting)) {
    Next = newMeeting();
    Next->At = G.At;
    Next->Pc = I.Meeting;
    Next->Expected = G.Lanes;
    Next->Outer = G.Next;
    Next->MadeAt = uint32_t(&I - Running->Insts.data());
    G.Next = Next;
  }
  // The group goes on with those who stay, or with the last.
  uint32_t Left = Lanes;
  uint32_t Fall = G.Pc;
  while (Left) {
    uint32_t Target = To[__builtin_ctz(Left)], Part = 0;
    for (uint32_t M = Left; M; M &= M - 1)
      if (To[__builtin_ctz(M)] == Target)
        Part |= M & -M;
    Left &= ~Part;
    if (Target == Fall && !Rest) {
      Rest = Part; // stays in this group
      continue;
    }
    if (!Left && !Rest) {
      G.Pc = Target;
      break;
    }
    splitOff(G, Part, Target, Next);
  }
  Stopped = true;
}

//===----------------------------------------------------------------------===//
// Calls and ends
//===----------------------------------------------------------------------===//

void Warp::call(const Inst &I, uint32_t Lanes) {
  const CallSite &Site = Running->Calls[I.Extra];
  Group *G = Now;
  uint32_t ReturnTo = G->Pc;
  if (Lanes != G->Lanes) {
    // A guarded call: the others go on behind it, and wait if they are to.
    Group *Others = newGroup();
    *Others = *G;
    Others->Lanes = G->Lanes & ~Lanes;
    G->Lanes = Lanes;
  }
  const uint64_t *Address = Site.To ? nullptr : in<uint64_t>(Site.Register);
  Meeting *Together = nullptr;
  uint32_t Left = Lanes;
  while (Left) {
    const Code *To = Site.To;
    uint32_t Part = Left;
    if (!To) {
      unsigned First = unsigned(__builtin_ctz(Left));
      To = In.In.P.functionAt(Address[First]);
      for (uint32_t M = Left & (Left - 1); M; M &= M - 1)
        if (Address[__builtin_ctz(M)] != Address[First])
          Part &= ~(M & -M);
      if (!To || !To->Of->Defined) {
        char Text[100];
        snprintf(Text, sizeof(Text), "call of %#llx, which is no function",
                 (unsigned long long)Address[First]);
        fault(xcc::rt::cuda::InvalidPc, Text, Part);
      }
    }
    if (To->Takes.size() != Site.Arguments.size() ||
        To->Returns.size() != Site.Results.size())
      fault(xcc::rt::cuda::LaunchFailed,
            "call of '" + std::string(To->Of->Name) +
                "' with a number of parameters that it does not have",
            Part);
    Left &= ~Part;
    if (Left && !Together && !In.In.Independent) {
      // Several functions: their lanes meet behind the call.
      Together = newMeeting();
      Together->At = G->At;
      Together->Pc = ReturnTo;
      Together->Expected = Lanes;
      Together->Outer = G->Next;
      Together->MadeAt = ReturnTo - 1;
      G->Next = Together;
    }
    Group *Calls = G;
    if (Left) {
      Calls = newGroup();
      Group Copy = *G;
      *Calls = Copy;
      Calls->Lanes = Part;
      G->Lanes &= ~Part;
    }
    Frame *F = newFrame(*To, Part);
    F->Caller = G->At;
    F->Site = &Site;
    F->ReturnTo = ReturnTo;
    for (size_t N = 0; N != Site.Arguments.size(); ++N) {
      const Passed &From = Site.Arguments[N], &Into = To->Takes[N];
      if (From.Size != Into.Size)
        fault(xcc::rt::cuda::LaunchFailed,
              "call of '" + std::string(To->Of->Name) + "' with " +
                  std::to_string(From.Size) + " bytes for parameter " +
                  std::to_string(N + 1) + ", which has " +
                  std::to_string(Into.Size),
              Part);
      memcpy(F->Data + Into.At, G->At->Data + From.At,
             From.stride() * WarpSize);
    }
    for (const Spilled &S : To->Spills)
      for (uint32_t M = Part; M; M &= M - 1) {
        unsigned L = unsigned(__builtin_ctz(M));
        memcpy(Local + Stack * L + (Sp[L] + S.To - (LocalTop - Stack)),
               F->Data + S.From.At + S.From.stride() * L, S.From.Size);
      }
    Meeting *M = newMeeting();
    M->At = F;
    M->Pc = ReturnTo;
    M->Expected = Part;
    M->Outer = Calls->Next;
    M->Return = true;
    M->MadeAt = ReturnTo - 1;
    Calls->Next = M;
    Calls->At = F;
    Calls->Pc = 0;
  }
  Stopped = true;
}

void Warp::returnValues(Frame *F, uint32_t Lanes) {
  for (size_t N = 0; N != F->Site->Results.size(); ++N) {
    const Passed &Into = F->Site->Results[N], &From = F->Of->Returns[N];
    if (From.Size != Into.Size)
      fault(xcc::rt::cuda::LaunchFailed,
            "return of " + std::to_string(From.Size) +
                " bytes to a call that expects " + std::to_string(Into.Size),
            Lanes);
    uint32_t Stride = From.stride();
    for (uint32_t M = Lanes; M; M &= M - 1) {
      unsigned L = unsigned(__builtin_ctz(M));
      memcpy(F->Caller->Data + Into.At + Stride * L,
             F->Data + From.At + Stride * L, Stride);
    }
  }
}

/// ret: back to the caller, where the lanes of a call meet.
void Warp::giveBack(uint32_t Lanes) {
  Group &G = *Now;
  Frame *F = G.At;
  if (!F->Caller)
    return exit(Lanes);
  returnValues(F, Lanes);
  for (uint32_t M = Lanes; M; M &= M - 1)
    Sp[__builtin_ctz(M)] = F->SpBefore[__builtin_ctz(M)];
  Meeting *Chain = G.Next, *Back = Chain;
  while (!(Back->Return && Back->At == F))
    Back = Back->Outer;
  G.Lanes &= ~Lanes;
  if (!G.Lanes)
    G.Is = Group::Free;
  leave(Chain, Lanes, F);
  if (!In.In.Independent) {
    arriveAt(Back, Lanes);
  } else {
    Group *On = newGroup();
    On->Lanes = Lanes;
    On->Pc = F->ReturnTo;
    On->At = F->Caller;
    On->Next = Back->Outer;
    Back->Expected &= ~Lanes;
    if (!Back->Expected)
      release(Back);
  }
  Stopped = true;
}

void Warp::exit(uint32_t Lanes) {
  Group &G = *Now;
  Live &= ~Lanes;
  G.Lanes &= ~Lanes;
  if (!G.Lanes)
    G.Is = Group::Free;
  leave(G.Next, Lanes, nullptr);
  if (G.Lanes == 0)
    G.Next = nullptr;
  trySyncs();
  In.BarriersChanged = true;
  Stopped = true;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

bool Warp::ready() const {
  for (const Group &G : Groups)
    if (G.Is == Group::Ready)
      return true;
  return false;
}

Group *Warp::choose() {
  unsigned Start = LastGroup + 1;
  if (In.In.Random)
    Start = unsigned(In.In.Dice());
  for (unsigned N = 0; N != WarpSize; ++N) {
    Group &G = Groups[(Start + N) % WarpSize];
    if (G.Is == Group::Ready) {
      LastGroup = (Start + N) % WarpSize;
      return &G;
    }
  }
  return nullptr;
}

/// Makes the group the one whose instructions follow.
void Warp::enter(Group &G) {
  Now = &G;
  Running = G.At->Of;
  Data = G.At->Data;
  Pool = Running->Pool.data();
}

uint64_t Warp::run(uint64_t Budget) {
  uint64_t Before = Executed, Turn = 0;
  Group *G = nullptr;
  while (Executed - Before < Budget) {
    // A group goes on until it waits or ends, or its turn does.
    if (!G || G->Is != Group::Ready || G->Rested || !Turn) {
      G = choose();
      Turn = In.In.Random ? 1 + In.In.Dice() % 64 : 5000;
    }
    if (!G)
      break;
    enter(*G);
    Stopped = false;
    G->Rested = false;
    const Inst *Insts = Running->Insts.data();
    uint64_t Most = std::min(Turn, Budget - (Executed - Before)), Ran = 0;
    while (Ran != Most) {
      const Inst &I = Insts[G->Pc];
      Doing = &I;
      ++Ran;
      if (I.Meets && arrive(*G))
        break;
      uint32_t Lanes = G->Lanes;
      if (I.Guard >= 0)
        Lanes &= predicate(I.Guard, I.GuardNot);
      ++G->Pc;
      if (Lanes) {
        I.Do(*this, I, Lanes);
        if (Stopped)
          break;
      }
    }
    Executed += Ran;
    Turn -= Ran;
    if (G->Rested) {
      // When all that could run rest, the warp does.
      bool All = true;
      for (Group &Other : Groups)
        All &= Other.Is != Group::Ready || Other.Rested;
      if (All)
        break;
    }
  }
  return Executed - Before;
}

} // namespace ptx
