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

namespace ptx {

class Warp;
struct Inst;
struct Code;
struct SyncOperation;

constexpr unsigned WarpSize = 32;
constexpr uint32_t AllLanes = ~uint32_t(0);
constexpr uint32_t Nowhere = ~uint32_t(0);

/// Executes the instruction for those lanes, of which there is one at least.
using Handler = void (*)(Warp &, const Inst &, uint32_t Lanes);

struct Inst {
  Handler Do = nullptr;
  int32_t D = 0, A = 0, B = 0, C = 0; ///< offsets of operands
  int32_t P = 0;                      ///< of another operand: a predicate
  int32_t Guard = -1;                 ///< of a predicate in the frame
  bool GuardNot = false;
  bool Meets = false;   ///< diverged lanes may meet before it
  bool Aligned = false; ///< a barrier for whole warps
  bool Strong = false;  ///< an access that others may make at the same time
  uint8_t Count = 1;    ///< elements of a vector
  Space In = Space::Generic;
  uint8_t Small = 0;          ///< what the handler makes of it
  uint64_t Imm = 0;           ///< likewise: an offset, a constant
  uint32_t Target = Nowhere;  ///< of a branch
  uint32_t Meeting = Nowhere; ///< where the lanes of a branch meet again
  uint32_t Extra = 0;         ///< into Code::Lists, Calls or Tables
  const SyncOperation *Sync = nullptr;
  int Line = 0;
  SourcePlace From;
};

/// Bytes of a parameter or return value for each lane.
struct Passed {
  int32_t At = 0; ///< in the frame, of lane 0
  uint32_t Size = 0;
  uint32_t stride() const { return strideOf(Size); }
  static uint32_t strideOf(uint64_t Size) {
    return uint32_t(Size <= 8 ? Size : (Size + 7) / 8 * 8);
  }
};

struct CallSite {
  Code *To = nullptr;                     ///< null when a register says
  int32_t Register = 0;                   ///< the function's address
  std::vector<Passed> Arguments, Results; ///< in the caller's frame
};

/// What an activation begins with: a register that holds an address.
struct Preset {
  int32_t Register;
  int SharedVariable; ///< -1: the frame's local memory
  uint64_t Plus = 0;
};

/// A parameter whose address is taken: it is copied to local memory.
struct Spilled {
  Passed From;
  uint64_t To; ///< above the frame's base
};

struct Code {
  const Function *Of = nullptr;
  int Number = 0;
  std::vector<Inst> Insts;
  std::vector<char> Pool;
  uint32_t FrameBytes = 0;
  uint32_t LocalBytes = 0; ///< of the stack, for each thread
  uint32_t LocalAlign = 8;
  std::vector<Passed> Takes, Returns;
  std::vector<Preset> Presets;
  std::vector<Spilled> Spills;
  std::vector<std::vector<int32_t>> Lists; ///< operands of vectors
  std::vector<CallSite> Calls;
  std::vector<std::vector<uint32_t>> Tables;
  std::vector<int> SharedUsed; ///< variables, by number
  bool Allocates = false; ///< on its stack, as much as it is told at run time
};

/// A variable of the module that has an address of its own.
struct Placed {
  std::string Name;
  uint64_t Address = 0, Size = 0;
  bool Constant = false;
};

/// What a kernel needs of a block.
struct Kernel {
  const Code *Entry = nullptr;
  std::vector<uint64_t> SharedAt; ///< of each shared variable, if used
  uint64_t SharedBytes = 0;       ///< with what the device keeps for itself
  uint64_t SharedBase = 0;        ///< that
  uint64_t Stack = 0;             ///< bytes for each thread; without the next
  bool StackUnknown = false;      ///< recursive, or calls through pointers
  uint64_t ParameterBytes = 0;
};

struct SharedVariable {
  std::string_view Name;
  uint64_t Size = 0;
  unsigned Align = 1;
  bool Dynamic = false;
};

class Program {
public:
  /// Throws Refusal. \p Capability: 90 for sm_90.
  Program(std::string Text, int Capability);
  ~Program();
  Program(const Program &) = delete;

  const Kernel *kernel(const std::string &Name) const;
  const Placed *variable(const std::string &Name) const;
  /// The function that has this address; null if none.
  const Code *functionAt(uint64_t Address) const;
  uint64_t addressOf(const Code &C) const;

  std::unique_ptr<Module> Source;
  std::vector<std::unique_ptr<Code>> Codes; ///< as Source's functions
  std::vector<Placed> Variables;            ///< as Source's; shared: none
  std::vector<SharedVariable> Shared;
  std::map<std::string, Kernel> Kernels;
  int Capability;

private:
  void placeVariables();
  void makeKernels();
  void fill(const Variable &V, char *At);
  uint64_t addressOf(std::string_view Symbol, int Line) const;
  friend class Decoder;
};

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_CODE_H
