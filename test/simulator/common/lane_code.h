// Code of a GPU as operations on lanes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a simulator has of a function that runs often, and libxcc-sim-code.so makes
// host code of: blocks of operations that each lane of a warp does for itself, and
// where control goes behind them. It names no vendor. A simulator describes its
// instructions with it, and executes the others itself: host code calls it for
// loads and stores, and returns to it for whatever changes which lanes are active.
//
//     registers  a block of memory, in which each register has a value for each
//                lane, side by side; or, if it is a mask, one bit for each lane
//     lanes      those that execute. What host code writes of others is undone
//                nowhere, because it writes nothing of them

#ifndef XCC_TEST_SIMULATOR_LANE_CODE_H
#define XCC_TEST_SIMULATOR_LANE_CODE_H

#include <cstdint>
#include <string>
#include <vector>

namespace simulator {

struct LaneRegister {
  uint32_t at = 0;   ///< where its values are
  uint8_t bytes = 0; ///< of a lane's; 0: a mask
  /// It only ever holds results of floating-point arithmetic, of which each NaN is
  /// the same. So no operation needs to make it that but those that see its bits.
  bool number = false;
  bool operator==(const LaneRegister &) const = default;
};

struct LaneOperand {
  enum Kind : uint8_t { None, Register, Constant } is = None;
  bool negated = false; ///< of a mask
  uint32_t reg = 0;     ///< into LaneCode::registers
  uint64_t bits = 0;    ///< of a constant; of a mask: all or none
};

struct LaneOperation {
  enum Kind : uint8_t {
    Call, ///< the simulator executes the instruction
    Load, ///< of a's addresses, plus the offset; a call where that is no quick one
    Store, ///< of b there; likewise
    Move,
    Add,
    Sub,
    Mul,
    MulHigh,
    MulWide, ///< a result of twice the bits
    MadWide,
    Mad, ///< of floating point: fused
    Div,
    Reciprocal,
    Sqrt,
    ReciprocalSqrt, ///< as doubles
    And,
    Or,
    Xor,
    Not,
    ShiftLeft,
    ShiftRight,
    FunnelLeft, ///< the upper half of (b:a) << c modulo 32
    FunnelRight,
    Neg,
    Abs,
    Min,
    Max,
    Ones,
    LeadingZeros,
    Reverse,
    Select, ///< of a and b, by c
    Compare,
    Convert
  } is = Call;
  enum Type : uint8_t { Mask, U8, S8, U16, S16, U32, S32, U64, S64, F32, F64 };
  Type type = Mask;
  Type from = Mask; ///< of a conversion
  /// Of a comparison.
  enum Relation : uint8_t {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge, // of numbers; false for NaN
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu, // true for NaN
    Num,
    Nan
  } relation = Eq;
  /// What a comparison's result is joined with, which is operand c.
  enum Join : uint8_t { Alone, AndWith, OrWith, XorWith } join = Alone;
  enum Whole : uint8_t { Exact, Nearest, Zero, Down, Up } whole = Exact;
  bool flushes = false;   ///< denormal floats, also of the result
  bool saturates = false; ///< the result, to [0, 1]
  /// Lanes for which it is done; None: all, as loads and stores always.
  LaneOperand guard;
  LaneOperand to, a, b, c;
  LaneOperand second; ///< a comparison's negated result

  // Of a load or a store.
  uint64_t offset = 0;
  enum : uint8_t { Window, Shared } space = Window;
  uint32_t window = 0; ///< into LaneState::windows

  // Of a call.
  const void *instruction = nullptr;
  std::vector<uint32_t> reads, writes; ///< registers
};

struct LaneBlock {
  uint32_t pc = 0;    ///< of its first instruction
  uint32_t count = 0; ///< instructions, with the branch that ends it
  bool entry = false; ///< host code is entered here
  bool meets = false; ///< lanes may wait for each other before it
  std::vector<LaneOperation> operations;
  enum End : uint8_t {
    Falls, ///< to the next place
    Goes,  ///< to \c target
    Parts  ///< by the condition; host code ends where lanes disagree
  } end = Falls;
  LaneOperand condition;
  uint32_t next = 0, target = 0; ///< program counters
};

/// Of each place that host code may leave for: registers that are read from there
/// on before they are written.
struct LaneExit {
  uint32_t pc = 0;
  std::vector<uint32_t> live;
};

struct LaneCode {
  std::string name; ///< for those who look at it
  std::vector<LaneRegister> registers;
  std::vector<LaneBlock> blocks;
  std::vector<LaneExit> places; ///< each begin of a block and each exit
};

/// Memory that an instruction may access without being looked at.
struct LaneWindow {
  uint64_t begin = 0, size = 0;
  uint64_t shift = 0;   ///< added to an address, where the simulator finds it
  uint64_t version = 0; ///< of the memory's ranges, when it was so; 0: never
};

/// What host code and the simulator tell each other.
struct LaneState {
  char *registers = nullptr;
  uint32_t lanes = 0;
  uint32_t meeting = 0; ///< where the lanes wait for others
  uint64_t most = 0;    ///< instructions that may be executed
  uint64_t ran = 0;     ///< out: those that were
  uint32_t pc = 0;      ///< in and out
  LaneWindow *windows = nullptr;
  const uint64_t *version = nullptr; ///< which a window's must be
  LaneWindow shared;                 ///< its version: 1 if it may be used
  bool stores = false; ///< stores need not be looked at, if loads need not
  /// Executes an instruction. False ends host code.
  bool (*call)(LaneState *, const void *instruction, uint32_t lanes) = nullptr;
  void *owner = nullptr;
};
using HostCode = void (*)(LaneState *);

constexpr unsigned Lanes = 32;

/// What libxcc-sim-code.so has for a simulator of the same build.
struct LaneCompiler {
  /// Host code; null with \p error set where that fails. \p kept: what release()
  /// gets when it runs no more.
  HostCode (*compile)(const LaneCode &, void **kept, std::string &error);
  void (*release)(void *kept);
};
#define XCC_LANE_COMPILER "xcc_lane_compiler"
using LaneCompilerEntry = const LaneCompiler *(*)(const char *build);

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_LANE_CODE_H
