// Blocks and grids take their turns
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block runs until it ends or has had its turn. Then another begins, as long
// as there is room, and all that have begun take turns: so blocks may wait for
// each other as far as a device of four multiprocessors lets them.

#include "machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <thread>
#include <unistd.h>

namespace ptx {

using namespace xcc::rt::cuda;

/// False for a schedule that there is not.
static bool parseSchedule(const std::string &How, Schedule &Out) {
  Out = {};
  if (How == "independent") {
    Out.Is = Schedule::Independent;
  } else if (How.starts_with("random")) {
    Out.Is = Schedule::Random;
    if (How.size() > 6) {
      char *End;
      Out.Seed = strtoull(How.c_str() + 7, &End, 10);
      return How[6] == ':' && How.size() > 7 && !*End;
    }
  } else {
    return How == "lockstep";
  }
  return true;
}

static Settings &mutableSettings() {
  static Settings &All = []() -> Settings & {
    auto *S = new Settings;
    if (const char *Turns = getenv("XCC_SIM_SCHEDULE");
        Turns && !parseSchedule(Turns, S->Turns)) {
      fprintf(stderr,
              "simulator: XCC_SIM_SCHEDULE=%s: lockstep, random:SEED or "
              "independent was expected\n",
              Turns);
      _exit(2);
    }
    if (const char *Notes = getenv("XCC_SIM_NOTES"))
      S->Notes = strcmp(Notes, "0") != 0;
    if (const char *Limit = getenv("XCC_SIM_LIMIT"))
      S->Limit = strtoull(Limit, nullptr, 10);
    return *S;
  }();
  return All;
}
const Settings &settings() { return mutableSettings(); }

} // namespace ptx

/// For tests: another schedule from the next launch on.
extern "C" __attribute__((visibility("default"))) bool
simulator_schedule(const char *Text) {
  return ptx::parseSchedule(Text, ptx::mutableSettings().Turns);
}
extern "C" __attribute__((visibility("default"))) bool
simulator_notes(bool Wanted) {
  ptx::mutableSettings().Notes = Wanted;
  return true;
}

namespace ptx {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Block::~Block() {
  for (Warp *W : Warps)
    delete W;
}

void Block::start(uint64_t N) {
  Number = N;
  const LaunchShape &S = In.Shape;
  At[0] = uint32_t(N % S.Grid[0]);
  At[1] = uint32_t(N / S.Grid[0] % S.Grid[1]);
  At[2] = uint32_t(N / S.Grid[0] / S.Grid[1]);
  uint32_t Threads = S.Block[0] * S.Block[1] * S.Block[2];
  Count = (Threads + WarpSize - 1) / WarpSize;
  while (Warps.size() < Count)
    Warps.push_back(new Warp(*this));
  Shared.assign((In.SharedBytes + 15) / 16 * 16, char(0xA5));
  if (settings().Notes)
    Races.start(Shared.size());
  for (Barrier &B : Barriers) {
    B = {};
    B.Arrived.assign(Count, 0);
  }
  BarriersChanged = false;
  NextWarp = 0;
  for (unsigned W = 0; W != Count; ++W) {
    uint32_t Left = Threads - W * WarpSize;
    Running = Warps[W];
    Warps[W]->start(W, Left >= WarpSize ? AllLanes : (1u << Left) - 1);
  }
}

Block::Progress Block::run(uint64_t Budget) {
  uint64_t Used = 0;
  while (Used < Budget) {
    bool Ran = false, Done = true, Rests = true;
    unsigned First = In.Random ? unsigned(In.Dice() % Count) : 0;
    for (unsigned N = 0; N != Count; ++N) {
      Warp &W = *Warps[(First + N) % Count];
      if (W.done())
        continue;
      Done = false;
      if (!W.ready())
        continue;
      if (In.Random && In.Dice() % 4 == 0) {
        Ran = true;
        Rests = false;
        continue;
      }
      Running = &W;
      uint64_t Turn = In.Random ? 1 + In.Dice() % 200 : 20000;
      uint64_t Steps = W.run(std::min(Turn, Budget));
      Used += Steps;
      Ran |= Steps != 0;
      Rests &= !W.ready() || W.Now->Rested;
      if (settings().Limit && W.Executed > settings().Limit)
        W.fault(LaunchTimeout, "more instructions than XCC_SIM_LIMIT allows");
      if (BarriersChanged)
        tryBarriers();
    }
    if (Done)
      return Progress::Done;
    if (!Ran) {
      // A barrier may have been completed by the last one to end.
      tryBarriers();
      if (std::none_of(Warps.begin(), Warps.begin() + Count,
                       [](Warp *W) { return W->ready(); }))
        deadlock();
    }
    if (Ran && Rests)
      return Progress::Resting;
  }
  return Progress::More;
}

void Block::deadlock() { throw Fault{LaunchTimeout, describeDeadlock(*this)}; }

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

static std::atomic<uint64_t> Launches{0};

Grid::Grid(const Program &P, const Kernel &K, const std::string &Name,
           const LaunchShape &S, std::string Kernarg, Memory &M, uint64_t Limit)
    : P(P), K(K), Name(Name), Shape(S), Kernarg(std::move(Kernarg)), Mem(M) {
  const Settings &How = settings();
  Number = ++Launches;
  Random = How.Turns.Is == Schedule::Random;
  Independent = How.Turns.Is == Schedule::Independent;
  Dice.seed(How.Turns.Seed * 1000003 + Number);
  Stack = K.StackUnknown ? std::max(K.Stack, Limit) : K.Stack;
  Stack = (Stack + 15) / 16 * 16;
  SharedBytes = K.SharedBytes + S.Dynamic;
  uint64_t Threads = uint64_t(S.Block[0]) * S.Block[1] * S.Block[2];
  uint64_t PerMultiprocessor = std::min<uint64_t>(32, 2048 / Threads);
  if (SharedBytes)
    PerMultiprocessor = std::min<uint64_t>(PerMultiprocessor,
                                           228 * 1024 / (SharedBytes + 1024));
  Resident = 4 * std::max<uint64_t>(PerMultiprocessor, 1);
}

Grid::~Grid() = default;

void Grid::note(const Warp &W, const std::string &Text) {
  if (!settings().Notes)
    return;
  std::string Whole = Text + ": " + (W.Doing ? place(*this, *W.Doing) : "");
  if (Noted.insert(Whole).second)
    fprintf(stderr, "simulator: note: kernel %s: %s\n", Name.c_str(),
            Whole.c_str());
}

Result Grid::run() {
  uint64_t Total = uint64_t(Shape.Grid[0]) * Shape.Grid[1] * Shape.Grid[2];
  uint64_t Next = 0;
  std::vector<std::unique_ptr<Block>> All;
  std::vector<Block *> Free;
  std::deque<Block *> Begun;
  unsigned Resting = 0;
  Block *Now = nullptr;
  try {
    while (Next != Total || !Begun.empty()) {
      bool Room = Next != Total && Begun.size() < Resident;
      bool New = Room && (Begun.empty() || !Random || Dice() % 2);
      if (New) {
        if (Free.empty()) {
          All.push_back(std::make_unique<Block>(*this));
          Free.push_back(All.back().get());
        }
        Now = Free.back();
        Free.pop_back();
        Now->start(Next++);
        Resting = 0;
      } else {
        size_t Which = Random ? Dice() % Begun.size() : 0;
        Now = Begun[Which];
        Begun.erase(Begun.begin() + std::ptrdiff_t(Which));
      }
      switch (Now->run(Random ? 1 + Dice() % 5000 : 200000)) {
      case Block::Done:
        Free.push_back(Now);
        Resting = 0;
        continue;
      case Block::More:
        Resting = 0;
        break;
      case Block::Resting:
        // All wait for something outside, such as the host.
        if (++Resting > Begun.size()) {
          if (Resting > 100 * (Begun.size() + 1))
            std::this_thread::sleep_for(std::chrono::microseconds(50));
          else
            std::this_thread::yield();
        }
        break;
      }
      Begun.push_back(Now);
    }
  } catch (const Fault &F) {
    Said = describe(*this, *Now, F);
    fprintf(stderr, "%s", Said.c_str());
    return F.Code;
  }
  return Success;
}

} // namespace ptx
