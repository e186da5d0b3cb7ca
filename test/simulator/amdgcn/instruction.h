// A decoded instruction
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction is decoded once, from the text that LLVM's disassembler prints
// for it, and kept by its address. Its operands stand in the text's order. The
// table of semantics says for each mnemonic what runs it, how wide each operand
// is, and which modifiers it knows; what an instruction has beyond that is an
// error when it is decoded.

#ifndef XCC_TEST_SIMULATOR_AMDGCN_INSTRUCTION_H
#define XCC_TEST_SIMULATOR_AMDGCN_INSTRUCTION_H

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace amdgcn {

class Wave;
struct Instruction;
enum class Track : uint8_t;
using Handler = void (*)(Wave &, const Instruction &);

/// How an operand is read; it decides what a constant means.
enum class Type : uint8_t {
  Any, ///< of no arithmetic: registers only, or the handler's own affair
  B16,
  F16,
  B32,
  F32,
  B64,
  I64,
  F64,
  Packed16, ///< two halves, integers
  PackedF16,
  PackedF32 ///< two floats
};

/// Scalar registers that have names, as LLVM encodes them up to EXEC; the rest
/// are values that instructions can name as a source.
enum ScalarRegister : uint16_t {
  FlatScratchLo = 102,
  XnackMaskLo = 104,
  VccLo = 106,
  Ttmp0 = 108,
  M0 = 124,
  ExecLo = 126,
  ScalarRegisters = 128,
  SrcScc = ScalarRegisters,
  SrcVccz,
  SrcExecz,
  SrcSharedBase,
  SrcPrivateBase,
  SrcSharedLimit,
  SrcPrivateLimit,
  SrcPopsId
};

/// Accumulation registers follow the vector registers in a wave's file.
constexpr unsigned FirstAccumulator = 256, VectorRegisters = 512;

enum class Sel : uint8_t { Byte0, Byte1, Byte2, Byte3, Word0, Word1, Dword };

struct Operand {
  enum Kind : uint8_t {
    None,
    Vector,   ///< registers reg...
    Scalar,   ///< registers reg...
    Source,   ///< a value that is no register: SrcScc...
    Constant, ///< Value, for the operand's type
    Off       ///< "off", "null"
  };
  Kind k = None;
  uint8_t count = 1; ///< 32-bit registers
  bool neg = false, abs = false, sext = false;
  bool high = false;       ///< the upper 16 bits
  bool half = false;       ///< written .l or .h
  Sel select = Sel::Dword; ///< SDWA
  uint16_t reg = 0;
  uint64_t value = 0;
  std::string_view text{}; ///< within the instruction's

  bool isVector() const { return k == Vector; }
  /// Something has to be done to the value that a register holds.
  bool modified() const {
    return neg | abs | sext | high | (select != Sel::Dword);
  }
};

/// What may stand behind the operands. Bits, for what a handler knows.
enum Modifier : uint32_t {
  ModClamp = 1 << 0,
  ModOmod = 1 << 1,
  ModOpSel = 1 << 2,
  ModOpSelHi = 1 << 3,
  ModNegHalves = 1 << 4, ///< neg_lo, neg_hi
  ModDpp = 1 << 5,
  ModSdwa = 1 << 6,
  ModOffset = 1 << 7,
  ModOffsets = 1 << 8, ///< offset0, offset1
  ModCache = 1 << 9,   ///< glc, slc, dlc, sc0, sc1, nt, th:, scope:
  ModOffen = 1 << 10,
  ModIdxen = 1 << 11,
  ModAddr64 = 1 << 12,
  ModByteSel = 1 << 13,
  ModTable = 1 << 14 ///< bitop3
};

enum class Dpp : uint8_t {
  None,
  QuadPerm,
  RowShl,
  RowShr,
  RowRor,
  WaveShl,
  WaveRol,
  WaveShr,
  WaveRor,
  RowMirror,
  RowHalfMirror,
  RowBcast15,
  RowBcast31,
  RowNewbcast, ///< row_share too
  RowXmask,
  Dpp8
};

constexpr unsigned MaxOperands = 7;

struct alignas(64) Instruction {
  // What every step reads, in one line of the cache.
  Handler run = nullptr;
  /// Where control goes without a jump, and with the direct one; found once.
  mutable std::atomic<const Instruction *> next{nullptr}, target{nullptr};
  uint64_t pc = 0;
  uint32_t bytes = 0;
  int16_t simm16 = 0;   ///< the first word's low half, for SOPP and SOPK
  uint16_t vectors = 0; ///< registers needed: the highest + 1
  uint16_t accumulators = 0;
  uint8_t operands = 0;
  uint8_t dppSources = 0; ///< bit: that operand is permuted
  Operand op[MaxOperands];

  uint32_t modifiers = 0;
  bool clamp = false, vop3 = false, boundCtrl = false, fetchInactive = false;
  int8_t omod = 0; ///< power of two that the result is multiplied by
  uint8_t opSel = 0, opSelHi = 0xff, negLo = 0, negHi = 0;
  Sel dstSelect = Sel::Dword;
  enum : uint8_t { Pad, SignExtend, Preserve } dstUnused = Pad;
  Dpp dppKind = Dpp::None;
  uint8_t rowMask = 0xf, bankMask = 0xf;
  uint8_t dppLanes[8] = {};
  int32_t offset = 0;
  uint8_t offset0 = 0, offset1 = 0;
  uint8_t table = 0; ///< bitop3: the result for each three bits
  bool offen = false;
  const Instruction *first = nullptr, *second = nullptr; ///< VOPD's halves
  Track track{}; ///< how uninitialised values are followed

  std::string text, mnemonic;
  std::string problem; ///< why it cannot be run; run then reports it

  /// Times it was run, for the profile.
  mutable uint64_t runs = 0;

  uint64_t branchTarget() const { return pc + 4 + int64_t(simm16) * 4; }
};

/// What a mnemonic means.
struct Semantics {
  Handler run;
  Type types[MaxOperands] = {};
  uint32_t modifiers = 0;
  /// The first source's index, to which op_sel, neg and the like refer.
  uint8_t firstSource = 1;
  /// Runs it where it has no modifiers, faster (plain.h); null when nothing
  /// does.
  Handler plain = nullptr;
};

/// Null when the mnemonic (without _e32, _e64, _dpp, _sdwa) is not known.
const Semantics *semanticsOf(std::string_view mnemonic);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_INSTRUCTION_H
