// PTX as it is executed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each instruction is a function that does its work for the active lanes of a
// warp, and where its operands are. A register is an array of 32 values, in the
// frame of the function's activation or, for constants, in the function's pool:
//
//     offset >= 0   in the frame      offset < 0   ~offset in the pool
//
// A predicate is one word with a bit for each lane. Parameters, and what is
// passed in calls, are bytes for each lane in the frame.

#ifndef XCC_SIMULATOR_NVPTX_CODE_H
#define XCC_SIMULATOR_NVPTX_CODE_H

#include "ptx.h"
#include "test/simulator/common/host_code.h"

#include <atomic>
#include <mutex>

namespace ptx {

class Warp;
struct Inst;
struct Code;
struct SyncOperation;
struct Rule;

constexpr unsigned WarpSize = 32;
constexpr uint32_t AllLanes = ~uint32_t(0);
constexpr uint32_t Nowhere = ~uint32_t(0);

/// Executes the instruction for those lanes, of which there is one at least.
using Handler = void (*)(Warp &, const Inst &, uint32_t lanes);

struct Inst {
  Handler run = nullptr;
  int32_t d = 0, a = 0, b = 0, c = 0; ///< offsets of operands
  int32_t p = 0;                      ///< of another operand: a predicate
  int32_t guard = -1;                 ///< of a predicate in the frame
  bool guardNot = false;
  bool branches = false; ///< may change the program counter and go on
  bool meets = false;    ///< diverged lanes may meet before it
  bool aligned = false;  ///< a barrier for whole warps
  bool strong = false;   ///< an access that others may make at the same time
  uint8_t count = 1;     ///< elements of a vector
  Space in = Space::Generic;
  uint8_t small = 0;          ///< what the handler makes of it
  uint64_t imm = 0;           ///< likewise: an offset, a constant
  uint32_t target = Nowhere;  ///< of a branch
  uint32_t meeting = Nowhere; ///< where the lanes of a branch meet again
  uint32_t extra = 0;         ///< into Code::lists, calls or tables
  const SyncOperation *sync = nullptr;
  int line = 0;
  uint32_t spot = 0; ///< into Code::spots, plus one, where a block begins
  SourcePlace from;
};

/// Where a block begins, how often it was executed, and host code for it.
struct Spot {
  uint32_t pc = 0, count = 0; ///< of its instructions
  std::atomic<uint64_t> heat{0};
  std::atomic<simulator::HostCode> code{nullptr};
  /// How often it is executed until host code may pay; never again when it is made.
  std::atomic<uint64_t> hotAt{simulator::hotFrom()};
};

/// Bytes of a parameter or return value for each lane.
struct Passed {
  int32_t at = 0; ///< in the frame, of lane 0
  uint32_t size = 0;
  uint32_t stride() const { return strideOf(size); }
  static uint32_t strideOf(uint64_t size) {
    return uint32_t(size <= 8 ? size : (size + 7) / 8 * 8);
  }
};

struct CallSite {
  Code *to = nullptr;                     ///< null when a register says
  int32_t slot = 0;                       ///< the function's address
  std::vector<Passed> arguments, results; ///< in the caller's frame
  bool recurses = false; ///< names what leads to a function that calls itself
  bool joined = false;   ///< lanes wait for each other right behind it
};

/// What an activation begins with: a register that holds an address.
struct Preset {
  int32_t slot;
  int sharedVariable; ///< -1: the frame's local memory
  uint64_t plus = 0;
};

/// A parameter whose address is taken: it is copied to local memory.
struct Spilled {
  Passed from;
  uint64_t to; ///< above the frame's base
};

struct Code {
  Code();
  ~Code();
  const Function *of = nullptr;
  int number = 0;
  std::vector<Inst> insts;
  /// Of each instruction, where uninitialised values are looked for; else none.
  std::vector<Rule> rules;
  std::vector<char> zeros; ///< as many as the pool has, if so
  std::vector<char> pool;
  uint32_t frameBytes = 0;
  uint32_t localBytes = 0; ///< of the stack, for each thread
  uint32_t localAlign = 8;
  std::vector<Passed> takes, returns;
  std::vector<Preset> presets;
  std::vector<Spilled> spills;
  std::vector<std::vector<int32_t>> lists; ///< operands of vectors
  std::vector<CallSite> calls;
  std::vector<std::vector<uint32_t>> tables;
  std::vector<int> sharedUsed; ///< variables, by number
  bool allocates = false; ///< on its stack, as much as it is told at run time

  // For host code (hot.h).
  std::vector<uint32_t> first; ///< instruction of each statement, and the end
  std::vector<int32_t> slots;  ///< of the function's registers
  mutable std::vector<Spot> spots;
  mutable std::mutex hotMutex;
  mutable std::unique_ptr<class HotCode> hot;
  mutable simulator::HostCodeOwner host;
};

/// A variable of the module that has an address of its own.
struct Placed {
  std::string name;
  uint64_t address = 0, size = 0;
  bool constant = false;
};

/// Where a launch's buffer goes in constant bank 0, as KPARAM_INFO and
/// PARAM_CBANK of ptxas's cubins say. It is a multiple of 16, and not always of
/// more.
constexpr uint64_t parameterBase(int capability) {
  return capability >= 100  ? 0x380
         : capability >= 90 ? 0x210
         : capability >= 70 ? 0x160
                            : 0x140;
}
/// How far behind the buffer's begin an entry's parameter is that follows \p
/// end bytes: its address in the bank is aligned.
constexpr uint64_t placeParameter(uint64_t end, uint64_t align,
                                  int capability) {
  const uint64_t base = parameterBase(capability);
  return (base + end + align - 1) / align * align - base;
}

/// Bytes of a kernel's buffer.
struct PlacedParameter {
  uint64_t offset, size;
};

/// What a kernel needs of a block.
struct Kernel {
  const Code *entry = nullptr;
  std::vector<uint64_t> sharedAt; ///< of each shared variable, if used
  uint64_t sharedBytes = 0;       ///< with what the device keeps for itself
  uint64_t sharedBase = 0;        ///< that
  /// Bytes of gaps beside variables, if XCC_SIM_CHECK asks for them. A device
  /// has none, so sharedBytes does not count them.
  uint64_t sharedGaps = 0;
  uint64_t sharedEnd = 0;    ///< of variables; the launch's bytes are behind it
  uint64_t stack = 0;        ///< bytes for each thread; without the next
  bool stackUnknown = false; ///< recursive, or calls through pointers
  std::vector<PlacedParameter> parameters;
  uint64_t parameterBytes = 0;
};

struct SharedVariable {
  std::string_view name;
  uint64_t size = 0;
  unsigned align = 1;
  bool dynamic = false;
};

/// How wide a gap beside a variable of shared memory is, a multiple of all
/// alignments of accesses.
constexpr uint64_t SharedGap = 64;

class Program {
public:
  /// Throws Refusal. \p capability: 90 for sm_90.
  Program(std::string text, int capability);
  ~Program();
  Program(const Program &) = delete;

  const Kernel *kernel(const std::string &name) const;
  /// The variable beside which one of \p bytes at \p address lies in a gap; null
  /// if all are some variable's.
  const SharedVariable *gapAt(const Kernel &k, uint64_t address,
                              unsigned bytes) const;
  const Placed *variable(const std::string &name) const;
  /// The function that has this address; null if none.
  const Code *functionAt(uint64_t address) const;
  uint64_t addressOf(const Code &c) const;

  std::unique_ptr<Module> source;
  std::vector<std::unique_ptr<Code>> codes; ///< as source's functions
  std::vector<Placed> variables;            ///< as source's; shared: none
  std::vector<SharedVariable> shared;
  std::map<std::string, Kernel> kernels;
  int capability;

private:
  uint64_t firstFunction; ///< what addresses of functions begin at
  void placeVariables();
  void markRecursion();
  void makeKernels();
  void fill(const Variable &v, char *at);
  uint64_t addressOf(std::string_view symbol, int line) const;
  friend class Decoder;
};

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_CODE_H
