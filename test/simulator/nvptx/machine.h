// Warps and blocks that run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes with the same program counter and the same calls behind them are a
// group and run together. A branch about which lanes disagree splits the group
// and makes a reconvergence point where its lanes wait for each other (flow.cpp
// says where); so does a call. Groups of a warp, warps of a block and blocks of
// a grid take turns, so that one may wait for another.

#ifndef XCC_SIMULATOR_NVPTX_MACHINE_H
#define XCC_SIMULATOR_NVPTX_MACHINE_H

#include "../device_races.h"
#include "../races.h"
#include "cuda/driver/driver.h"
#include "definedness.h"
#include "profile.h"
#include "test/simulator/common/findings.h"
#include "test/simulator/common/red_zones.h"
#include "watch.h"

#include <atomic>
#include <random>
#include <set>
#include <span>
#include <string>

namespace ptx {

using xcc::rt::cuda::Result;

/// Memory that kernels may reach.
struct Range {
  uint64_t begin = 0, size = 0;
  uint64_t shift = 0; ///< added to an address, where the simulator finds it
  bool constant = false;
};
class Memory {
public:
  virtual ~Memory() = default;
  virtual bool find(uint64_t address, Range &out) = 0;
  /// What is there or near it, for a report.
  virtual std::string describe(uint64_t address) = 0;
  /// What it is a part of: "byte 4 of an allocation of 400 bytes".
  virtual std::string owner(uint64_t address) { return "device memory"; }
  /// Changes when ranges come or go.
  std::atomic<uint64_t> version{1};
};

/// Addresses that no allocation has: generic addresses of other spaces.
struct Windows {
  static constexpr uint64_t Size = uint64_t(1) << 24;
  uint64_t shared, local, param, functions;
};
const Windows &windows();
/// Local addresses end there; a thread's stack grows down from it.
constexpr uint64_t LocalTop = Windows::Size - 1024;

/// Running code did what it must not.
struct Fault {
  Result code;
  std::string text;
  uint32_t lanes = 0; ///< whose fault it is; 0: all that execute
};

/// How groups, warps and blocks take turns.
struct Schedule {
  enum Kind { Lockstep, Random, Independent } is = Lockstep;
  uint64_t seed = 0;
};

struct Settings {
  Schedule turns;
  bool notes = false;
  bool races = false;      ///< in shared and device memory
  bool init = false;       ///< uninitialised values
  uint64_t limit = 0;      ///< instructions of a launch for each warp; 0: none
  double hangSeconds = 30; ///< without progress; 0: never give up
};
const Settings &settings();

struct Frame {
  const Code *of = nullptr;
  Frame *caller = nullptr;
  const CallSite *site = nullptr;
  uint32_t returnTo = 0;
  char *data = nullptr;
  char *undefined = nullptr; ///< if that is tracked: bits of the same layout
  Origin *origins = nullptr; ///< of each 32 bytes of it
  uint64_t spBefore[WarpSize];
};

struct Meeting {
  Frame *at = nullptr; ///< the frame; the callee's for a return
  uint32_t pc = 0;
  uint32_t expected = 0, arrived = 0;
  Meeting *outer = nullptr;
  bool isReturn = false;
  bool apart = false;  ///< lanes return one after the other, and do not wait
  uint32_t madeAt = 0; ///< the branch
};

struct Group {
  enum State : uint8_t { Free, Ready, AtSync, AtBarrier } is = Free;
  bool rested = false; ///< gave up its turn by itself
  uint32_t lanes = 0, pc = 0;
  Frame *at = nullptr;
  Meeting *next = nullptr;
  // What it waits for.
  uint32_t syncMask = 0;
  int barrier = 0;
};

struct LaunchShape {
  uint32_t grid[3], block[3];
  uint32_t dynamic; ///< shared bytes of the launch
};

class Block;
class Grid;

class Warp {
public:
  explicit Warp(Block &b) : block(b) {}
  ~Warp();

  /// \p index is the same each time.
  void start(unsigned index, uint32_t lanes);
  /// Executes at most that many instructions; how many there were.
  uint64_t run(uint64_t budget);
  bool done() const { return live == 0; }
  uint64_t hash() const; ///< of its state
  /// Whether it has come back to a state that it had before (watch.h).
  bool circles();
  struct {
    uint64_t hash = 0, power = 1, count = 0, executed = 0;
    bool is = false;
  } circle;
  void watchAccesses();
  bool ready() const;

  // For instructions.
  template <class T> T *out(int32_t offset) {
    return reinterpret_cast<T *>(data + offset);
  }
  template <class T> const T *in(int32_t offset) const {
    return reinterpret_cast<const T *>(offset >= 0 ? data + offset
                                                   : pool + ~offset);
  }
  uint32_t predicate(int32_t offset, bool negated = false) const {
    uint32_t p = *in<uint32_t>(offset);
    return negated ? ~p : p;
  }
  void setPredicate(int32_t offset, uint32_t value, uint32_t lanes) {
    uint32_t &p = *out<uint32_t>(offset);
    p = (p & ~lanes) | (value & lanes);
  }
  [[noreturn]] void fault(Result code, const std::string &text,
                          uint32_t lanes = 0) {
    throw Fault{code, text, lanes};
  }

  // Control.
  void jump(const Inst &i, uint32_t lanes, uint32_t to);
  void branchMany(const Inst &i, uint32_t lanes, const uint32_t *to);
  void call(const Inst &i, uint32_t lanes);
  void giveBack(uint32_t lanes);
  void exit(uint32_t lanes);
  void waitForLanes(const Inst &i, uint32_t lanes, const uint32_t *masks);
  void waitAtBarrier(int barrier, uint32_t lanes);
  void rest() {
    now->rested = true;
    stopped = true;
  }

  // Memory.
  template <bool Write>
  char *reach(uint64_t address, unsigned bytes, Space s, unsigned lane) {
    // What is most frequent: the stack, and the range that was last used.
    if (s == Space::Generic && !(address & (bytes - 1))) {
      if (uint64_t raw = address - localWindow; raw < Windows::Size) {
        if (raw >= sp[lane] && raw + bytes <= LocalTop && !zones.on())
          return local + stack * lane + (raw - (LocalTop - stack));
      }
    }
    return reachAny<Write>(address, bytes, s, lane);
  }
  template <bool Write>
  char *reachAny(uint64_t address, unsigned bytes, Space s, unsigned lane);
  /// Where many lanes' accesses lead to, when all of them may go there.
  struct Reached {
    uint64_t shift = 0;   ///< of an address in a register
    uint64_t perLane = 0; ///< more for each lane
    template <class T> T *of(uint64_t address, unsigned lane) const {
      return reinterpret_cast<T *>(address + shift + perLane * lane);
    }
  };
  /// A store of 32 bits that tells of a zone (common/red_zones.h).
  bool tellsZone(uint64_t address, Space s, uint32_t word, unsigned lane);
  /// False when they have to be looked at one by one: to say what is wrong, or
  /// because each access is of interest.
  bool reachAll(const uint64_t *addresses, const Inst &i, unsigned bytes,
                bool write, uint32_t lanes, Reached &out);

  void open(const Inst &i, uint32_t lanes);

  // Uninitialised values (definedness.h).

  /// Before the instruction: \p lanes of \p all execute it.
  void track(const Inst &i, uint32_t all, uint32_t lanes);
  /// Where the bits are that say what was written; null where all counts so.
  struct Bits {
    uint8_t *at = nullptr;
    enum { Elsewhere, Device, Host } is = Elsewhere;
  };
  Bits definedAt(uint64_t address, unsigned bytes, Space s, unsigned lane);
  /// Stack that a thread gets.
  void forgetStack(unsigned lane, uint64_t from, uint64_t until);
  /// Says once what an instruction does with an undefined value of those lanes.
  void accuse(const std::string &what, uint32_t lanes, const Origin *o);
  /// What \p o says, for a report: "has read it from ...".
  std::string tell(const Origin *o);
  Origin *originOf(int32_t at) { return origins + at / 32; }

  Block &block;
  unsigned index = 0;
  uint32_t live = 0;
  Group groups[WarpSize];
  unsigned usedGroups = 0; ///< those from there on are free
  std::span<Group> inUse() { return {groups, usedGroups}; }
  std::span<const Group> inUse() const { return {groups, usedGroups}; }
  Group *now = nullptr;
  const Code *running = nullptr;
  char *data = nullptr;
  const char *pool = nullptr;
  char *undefined = nullptr; ///< the frame's; null unless that is tracked
  Origin *origins = nullptr;
  const Inst *doing = nullptr;
  bool stopped = false;
  uint64_t sp[WarpSize];
  bool eachMatters = false;  ///< of its accesses: a profile or races
  bool writesMatter = false; ///< those or a watch
  char *local = nullptr;     ///< stacks, one after the other
  uint64_t stack = 0;        ///< bytes of each
  const uint64_t localWindow = windows().local;
  simulator::RedZones zones; ///< of the stacks
  uint64_t executed = 0;
  uint32_t synced = 0; ///< how often lanes met at a *.sync instruction
  /// What lanes of a *.sync instruction give each other.
  struct {
    uint64_t value[WarpSize];
    uint32_t lane[WarpSize], clamp[WarpSize];
    uint32_t trueLanes = 0;
    uint64_t undefined[WarpSize]; ///< bits of value
    uint32_t undefinedLanes = 0;  ///< of which any bit is, or the predicate
  } exchange;
  uint32_t barrierTrue = 0; ///< predicates of bar.red
  /// Copies that cp.async has begun and no wait has ended, in their order. They
  /// are made as late as they may be: who does not wait sees what was there.
  struct Copy {
    char *to;
    const char *from;
    unsigned bytes;
    unsigned group; ///< how many were committed before
  };
  std::vector<Copy> copies[WarpSize];
  unsigned committed[WarpSize] = {};
  bool copying = false;          ///< any of these was used
  uint32_t threads[3][WarpSize]; ///< the lanes' %tid

private:
  friend class Block;
  friend class Report;
  void numberThreads();
  Group *newGroup();
  Frame *newFrame(const Code &of, uint32_t lanes);
  void freeFrame(Frame *f);
  Meeting *newMeeting();
  void freeMeeting(Meeting *m);
  void enter(Group &g);
  bool arrive(Group &g);
  void leave(Meeting *chain, uint32_t lanes, const Frame *within);
  void arriveAt(Meeting *m, uint32_t lanes);
  void release(Meeting *m);
  void trySyncs();
  void complete(uint32_t mask, Group **waiting, unsigned count);
  void mergeWith(Group *first);
  Group *choose();
  /// Executes at most that many instructions from there on, if there is host code;
  /// how many there were.
  uint64_t runHostCode(const Inst &i, uint64_t most);
  bool isOwn(const char *at) const {
    return at >= local && at < local + stack * WarpSize;
  }
  char *reachLocal(uint64_t raw, unsigned bytes, unsigned lane);
  char *reachGlobal(uint64_t address, unsigned bytes, bool write);
  void forgetOldRanges();
  char *reachDevice(uint64_t address, unsigned bytes, bool write,
                    unsigned lane);
  [[noreturn]] void badAddress(uint64_t address, unsigned bytes, Space s,
                               bool write, unsigned lane);
  [[noreturn]] void misaligned(uint64_t address, unsigned bytes, unsigned lane);
  void returnValues(Frame *f, uint32_t lanes);
  void goOnApart(Meeting *back, Frame *f, uint32_t lanes);
  void splitOff(Group &g, uint32_t lanes, uint32_t pc, Meeting *next);
  Meeting *meetingOf(const Inst &i, Group &g);

  void spillDefinedness(const Frame &f, const Spilled &s, unsigned lane);
  void copyUndefined(Frame *to, int32_t at, const Frame *from, int32_t of,
                     uint32_t stride, uint32_t lanes);
  std::vector<uint8_t> stackDefined;

  unsigned lastGroup = 0;
  Range known[4];
  unsigned knownNext = 0;
  uint64_t knownVersion = 0;
  std::vector<std::vector<Frame *>> freeFrames; ///< by number of the code
  std::vector<Frame *> allFrames;
  std::vector<Meeting *> freeMeetings, allMeetings;
  friend class Grid;
};

class Block {
public:
  Block(Grid &g) : grid(g) {}
  ~Block();
  void start(uint64_t number);
  enum Progress { Done, More, Resting };
  /// Runs its warps for a turn. Throws Fault.
  Progress run(uint64_t budget);
  void tryBarriers();

  struct Barrier {
    uint64_t expected = 0; ///< threads; 0: all
    bool waiting = false;
    uint64_t passing = 0;          ///< arrivals that do not wait
    std::vector<uint32_t> arrived; ///< lanes of each warp
    void reset() {
      expected = passing = 0;
      waiting = false;
    }
  };
  Grid &grid;
  uint64_t number = 0;
  uint32_t at[3] = {};
  std::vector<Warp *> warps;
  unsigned count = 0; ///< of warps in use
  std::vector<char> shared;
  std::vector<uint8_t> sharedDefined; ///< bits of it, if that is tracked
  simulator::Races races;             ///< in it, if they or notes are wanted
  void checkRace(Warp &w, uint64_t at, unsigned bytes, bool write,
                 unsigned lane);
  void checkDeviceRace(Warp &w, uint64_t at, unsigned bytes, bool write,
                       unsigned lane);
  /// Its threads are ordered: what they did before is no race with what comes.
  void order();
  /// That one, for an arrival.
  Barrier &barrier(unsigned n) {
    usedBarriers |= 1u << n;
    return barriers[n];
  }
  Barrier barriers[16];
  uint32_t usedBarriers = 0xffff; ///< since the block began; all at first
  bool barriersChanged = false;
  Warp *running = nullptr;

private:
  void checkAligned(int number);
  [[noreturn]] void deadlock();
  unsigned nextWarp = 0;
};

class Grid {
public:
  Grid(const Program &p, const Kernel &k, const std::string &name,
       const LaunchShape &s, std::string kernarg, Memory &m, uint64_t stack);
  ~Grid();
  /// Runs all of it; a fault is reported on stderr.
  Result run();
  /// What went wrong, as it was reported.
  std::string said;

  const Program &p;
  const Kernel &k;
  const std::string name;
  const LaunchShape shape;
  const std::string kernarg;
  Memory &mem;
  uint64_t stack;
  std::mt19937_64 dice;
  uint64_t sharedBytes = 0;
  uint64_t resident = 1; ///< blocks at a time
  bool random = false, independent = false;
  uint64_t number = 0; ///< of the launch
  Watch watch;
  std::string notes;
  /// Tells what is doubtful, if notes are wanted.
  void note(const Warp &w, const std::string &text);
  /// Tells what a check of that kind found.
  void tell(const Warp &w, const char *kind, const std::string &text);
  std::set<const void *> raced;   ///< instructions of which that was said
  std::set<const void *> accused; ///< so too, of uninitialised values
  std::map<const void *, unsigned> storedUndefined; ///< how often
  std::unique_ptr<Profile> profile; ///< null unless it is asked for
  /// In device memory; null if races are not looked for.
  std::unique_ptr<simulator::DeviceRaces> races;

  /// Of each instruction, the memory that it accessed last (hot.h).
  simulator::LaneWindow *windowsOf(const Code &c);

private:
  std::vector<std::vector<simulator::LaneWindow>> windows; ///< by code
  Result runBlocks();
  std::set<std::string> noted;
};

/// The report of a fault: kernel, block, threads, instruction.
std::string describe(const Grid &g, const Block &b, const Fault &f);
std::string describeDeadlock(const Block &b, const char *what);
/// What is counted and reported of it. \p w: null without a thread.
simulator::Finding finding(const Grid &g, const Warp *w, const char *kind,
                           std::string message);
/// "line 12 (a.cu:3): bar.sync 0;".
std::string place(const Grid &g, const Inst &i);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_MACHINE_H
