// Warps and blocks that run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes with the same program counter and the same calls behind them are a
// group and run together. A branch about which lanes disagree splits the group
// and makes a meeting where its lanes wait for each other (flow.cpp says
// where); so does a call. Groups of a warp, warps of a block and blocks of a
// grid take turns, so that one may wait for another.

#ifndef XCC_SIMULATOR_NVPTX_MACHINE_H
#define XCC_SIMULATOR_NVPTX_MACHINE_H

#include "../races.h"
#include "code.h"
#include "cuda/driver/driver.h"

#include <atomic>
#include <random>
#include <set>
#include <string>

namespace ptx {

using xcc::rt::cuda::Result;

/// Memory that kernels may reach.
struct Range {
  uint64_t Begin = 0, Size = 0;
  bool Constant = false;
};
class Memory {
public:
  virtual ~Memory() = default;
  virtual bool find(uint64_t Address, Range &Out) = 0;
  /// What is there or near it, for a report.
  virtual std::string describe(uint64_t Address) = 0;
  /// Changes when ranges come or go.
  std::atomic<uint64_t> Version{1};
};

/// Addresses that no allocation has: generic addresses of other spaces.
struct Windows {
  static constexpr uint64_t Size = uint64_t(1) << 24;
  uint64_t Shared, Local, Param, Functions;
};
const Windows &windows();
/// Local addresses end there; a thread's stack grows down from it.
constexpr uint64_t LocalTop = Windows::Size - 1024;

/// Running code did what it must not.
struct Fault {
  Result Code;
  std::string Text;
  uint32_t Lanes = 0; ///< whose fault it is; 0: all that execute
};

/// How groups, warps and blocks take turns.
struct Schedule {
  enum Kind { Lockstep, Random, Independent } Is = Lockstep;
  uint64_t Seed = 0;
};

struct Settings {
  Schedule Turns;
  bool Notes = false;
  uint64_t Limit = 0; ///< instructions of a launch for each warp; 0: none
};
const Settings &settings();

struct Frame {
  const Code *Of = nullptr;
  Frame *Caller = nullptr;
  const CallSite *Site = nullptr;
  uint32_t ReturnTo = 0;
  char *Data = nullptr;
  uint64_t SpBefore[WarpSize];
};

struct Meeting {
  Frame *At = nullptr; ///< the frame; the callee's for a return
  uint32_t Pc = 0;
  uint32_t Expected = 0, Arrived = 0;
  Meeting *Outer = nullptr;
  bool Return = false;
  uint32_t MadeAt = 0; ///< the branch
};

struct Group {
  enum State : uint8_t { Free, Ready, AtSync, AtBarrier } Is = Free;
  bool Rested = false; ///< gave up its turn by itself
  uint32_t Lanes = 0, Pc = 0;
  Frame *At = nullptr;
  Meeting *Next = nullptr;
  // What it waits for.
  uint32_t SyncMask = 0;
  int Barrier = 0;
};

struct LaunchShape {
  uint32_t Grid[3], Block[3];
  uint32_t Dynamic; ///< shared bytes of the launch
};

class Block;
class Grid;

class Warp {
public:
  explicit Warp(Block &B) : In(B) {}
  ~Warp();

  void start(unsigned Index, uint32_t Lanes);
  /// Executes at most that many instructions; how many there were.
  uint64_t run(uint64_t Budget);
  bool done() const { return Live == 0; }
  bool ready() const;

  // For instructions.
  template <class T> T *out(int32_t Offset) {
    return reinterpret_cast<T *>(Data + Offset);
  }
  template <class T> const T *in(int32_t Offset) const {
    return reinterpret_cast<const T *>(Offset >= 0 ? Data + Offset
                                                   : Pool + ~Offset);
  }
  uint32_t predicate(int32_t Offset, bool Not = false) const {
    uint32_t P = *in<uint32_t>(Offset);
    return Not ? ~P : P;
  }
  void setPredicate(int32_t Offset, uint32_t Value, uint32_t Lanes) {
    uint32_t &P = *out<uint32_t>(Offset);
    P = (P & ~Lanes) | (Value & Lanes);
  }
  [[noreturn]] void fault(Result Code, const std::string &Text,
                          uint32_t Lanes = 0) {
    throw Fault{Code, Text, Lanes};
  }

  // Control.
  void jump(const Inst &I, uint32_t Lanes, uint32_t To);
  void branchMany(const Inst &I, uint32_t Lanes, const uint32_t *To);
  void call(const Inst &I, uint32_t Lanes);
  void giveBack(uint32_t Lanes);
  void exit(uint32_t Lanes);
  void waitForLanes(const Inst &I, uint32_t Lanes, const uint32_t *Masks);
  void waitAtBarrier(int Barrier, uint32_t Lanes);
  void rest() {
    Now->Rested = true;
    Stopped = true;
  }

  // Memory.
  template <bool Write>
  char *reach(uint64_t Address, unsigned Bytes, Space S, unsigned Lane) {
    // What is most frequent: the stack, and the range that was last used.
    if (S == Space::Generic && !(Address & (Bytes - 1))) {
      if (uint64_t Raw = Address - LocalWindow; Raw < Windows::Size) {
        if (Raw >= Sp[Lane] && Raw + Bytes <= LocalTop)
          return Local + Stack * Lane + (Raw - (LocalTop - Stack));
      }
    }
    return reachAny<Write>(Address, Bytes, S, Lane);
  }
  template <bool Write>
  char *reachAny(uint64_t Address, unsigned Bytes, Space S, unsigned Lane);

  Block &In;
  unsigned Index = 0;
  uint32_t Live = 0;
  Group Groups[WarpSize];
  Group *Now = nullptr;
  const Code *Running = nullptr;
  char *Data = nullptr;
  const char *Pool = nullptr;
  const Inst *Doing = nullptr;
  bool Stopped = false;
  uint64_t Sp[WarpSize];
  char *Local = nullptr; ///< stacks, one after the other
  uint64_t Stack = 0;    ///< bytes of each
  const uint64_t LocalWindow = windows().Local;
  uint64_t Executed = 0;
  uint32_t Synced = 0; ///< how often lanes met at a *.sync instruction
  /// What lanes of a *.sync instruction give each other.
  struct {
    uint64_t Value[WarpSize];
    uint32_t Lane[WarpSize], Clamp[WarpSize];
    uint32_t True = 0;
  } Exchange;
  uint32_t BarrierTrue = 0; ///< predicates of bar.red

private:
  friend class Block;
  friend class Report;
  Group *newGroup();
  Frame *newFrame(const Code &Of, uint32_t Lanes);
  void freeFrame(Frame *F);
  Meeting *newMeeting();
  void freeMeeting(Meeting *M);
  void enter(Group &G);
  bool arrive(Group &G);
  void leave(Meeting *Chain, uint32_t Lanes, const Frame *Within);
  void arriveAt(Meeting *M, uint32_t Lanes);
  void release(Meeting *M);
  void trySyncs();
  void complete(uint32_t Mask, Group **Waiting, unsigned Count);
  void mergeWith(Group *First);
  Group *choose();
  char *reachLocal(uint64_t Raw, unsigned Bytes, unsigned Lane);
  char *reachGlobal(uint64_t Address, unsigned Bytes, bool Write);
  [[noreturn]] void badAddress(uint64_t Address, unsigned Bytes, Space S,
                               bool Write, unsigned Lane);
  [[noreturn]] void misaligned(uint64_t Address, unsigned Bytes, unsigned Lane);
  void returnValues(Frame *F, uint32_t Lanes);
  void splitOff(Group &G, uint32_t Lanes, uint32_t Pc, Meeting *Next);

  unsigned LastGroup = 0;
  Range Known[4];
  unsigned KnownNext = 0;
  uint64_t KnownVersion = 0;
  std::vector<std::vector<Frame *>> FreeFrames; ///< by number of the code
  std::vector<Frame *> AllFrames;
  std::vector<Meeting *> FreeMeetings, AllMeetings;
  friend class Grid;
};

class Block {
public:
  Block(Grid &G) : In(G) {}
  ~Block();
  void start(uint64_t Number);
  enum Progress { Done, More, Resting };
  /// Runs its warps for a turn. Throws Fault.
  Progress run(uint64_t Budget);
  void tryBarriers();

  struct Barrier {
    uint64_t Expected = 0; ///< threads; 0: all
    bool Waiting = false;
    uint64_t Passing = 0;          ///< arrivals that do not wait
    std::vector<uint32_t> Arrived; ///< lanes of each warp
  };
  Grid &In;
  uint64_t Number = 0;
  uint32_t At[3] = {};
  std::vector<Warp *> Warps;
  unsigned Count = 0; ///< of warps in use
  std::vector<char> Shared;
  simulator::Races Races; ///< in it, if notes are wanted
  void checkRace(Warp &W, uint64_t At, unsigned Bytes, bool Write,
                 unsigned Lane);
  Barrier Barriers[16];
  bool BarriersChanged = false;
  Warp *Running = nullptr;

private:
  void checkAligned(int Number);
  [[noreturn]] void deadlock();
  unsigned NextWarp = 0;
};

class Grid {
public:
  Grid(const Program &P, const Kernel &K, const std::string &Name,
       const LaunchShape &S, std::string Kernarg, Memory &M, uint64_t Stack);
  ~Grid();
  /// Runs all of it; a fault is reported on stderr.
  Result run();
  /// What went wrong, as it was reported.
  std::string Said;

  const Program &P;
  const Kernel &K;
  const std::string Name;
  const LaunchShape Shape;
  const std::string Kernarg;
  Memory &Mem;
  uint64_t Stack;
  std::mt19937_64 Dice;
  uint64_t SharedBytes = 0;
  uint64_t Resident = 1; ///< blocks at a time
  bool Random = false, Independent = false;
  uint64_t Number = 0; ///< of the launch
  std::string Notes;
  void note(const Warp &W, const std::string &Text);
  std::set<const void *> Raced; ///< instructions of which that was said

private:
  std::set<std::string> Noted;
};

/// The report of a fault: kernel, block, threads, instruction.
std::string describe(const Grid &G, const Block &B, const Fault &F);
std::string describeDeadlock(const Block &B);
/// "line 12 (a.cu:3): bar.sync 0;".
std::string place(const Grid &G, const Inst &I);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_MACHINE_H
