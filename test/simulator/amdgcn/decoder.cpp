// From bytes to an instruction
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decoder.h"
#include "operands.h"
#include "wave.h"

#include <cstring>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <mutex>
#include <vector>

namespace amdgcn {

void reportProblem(Wave &W, const Instruction &I); // report.cpp

static std::string_view trim(std::string_view T) {
  while (!T.empty() && (T.front() == ' ' || T.front() == '\t'))
    T.remove_prefix(1);
  while (!T.empty() && (T.back() == ' ' || T.back() == '\t'))
    T.remove_suffix(1);
  return T;
}

/// Cuts at a character that stands in no bracket.
static std::vector<std::string_view> cut(std::string_view T, char At) {
  std::vector<std::string_view> Parts;
  int Depth = 0;
  size_t Begin = 0;
  for (size_t I = 0; I <= T.size(); ++I) {
    if (I == T.size() || (T[I] == At && !Depth)) {
      if (auto Part = trim(T.substr(Begin, I - Begin)); !Part.empty())
        Parts.push_back(Part);
      Begin = I + 1;
    } else if (T[I] == '[' || T[I] == '(') {
      ++Depth;
    } else if (T[I] == ']' || T[I] == ')') {
      --Depth;
    }
  }
  return Parts;
}

static bool takeSuffix(std::string &Name, std::string_view Suffix) {
  if (!std::string_view(Name).ends_with(Suffix))
    return false;
  Name.resize(Name.size() - Suffix.size());
  return true;
}

static void parseOne(std::string_view Text, Instruction &Out) {
  Text = trim(Text);
  size_t Space = Text.find_first_of(" \t");
  Out.Mnemonic = Text.substr(0, Space);
  std::string &Name = Out.Mnemonic;
  bool Vector = Name.starts_with("v_");
  if (Vector) {
    if (takeSuffix(Name, "_dpp8") || takeSuffix(Name, "_dpp"))
      Out.Modifiers |= ModDpp;
    if (takeSuffix(Name, "_sdwa"))
      Out.Modifiers |= ModSdwa;
    if (takeSuffix(Name, "_e64"))
      Out.Vop3 = true;
    takeSuffix(Name, "_e32");
  }
  // One half of a pair, which is an instruction of its own but for where its
  // mask is.
  if (Name.starts_with("v_dual_"))
    Name = "v_" + Name.substr(7);
  if (Space == std::string_view::npos)
    return;
  // What does not matter to what is computed: how long to wait, and where a
  // cache may drop something.
  for (std::string_view Hint :
       {"s_waitcnt", "s_wait_", "s_delay_alu", "s_clause", "s_nop"})
    if (Name.starts_with(Hint))
      return;
  for (std::string_view Part : cut(Text.substr(Space), ',')) {
    auto Pieces = cut(Part, ' ');
    for (size_t I = 0; I != Pieces.size(); ++I) {
      // A modifier is a word behind an operand, or one that is none.
      if ((I == 0 && !isModifier(Pieces[I])) && Out.Operands < MaxOperands) {
        Operand &O = Out.Op[Out.Operands++];
        O.Text = Pieces[I];
        if (!parseOperand(Pieces[I], O) && Out.Problem.empty())
          Out.Problem =
              "operand '" + std::string(Pieces[I]) + "' is not understood";
        continue;
      }
      if (!parseModifier(Pieces[I], Out) && Out.Problem.empty())
        Out.Problem =
            "modifier '" + std::string(Pieces[I]) + "' is not understood";
    }
  }
  // VOP2 and VOPD select by VCC.
  if (Name.starts_with("v_cndmask_") && Out.Operands == 3)
    parseOperand("vcc", Out.Op[Out.Operands++]);
}

/// VOPD: both halves read before either writes.
static void runPair(Wave &W, const Instruction &I) {
  const Instruction &First = *I.First, &Second = *I.Second;
  uint32_t *Row = W.row(First.Op[0].Reg), Old[64], New[64];
  const size_t Bytes = W.Lanes * 4;
  memcpy(Old, Row, Bytes);
  First.Run(W, First);
  memcpy(New, Row, Bytes);
  memcpy(Row, Old, Bytes);
  Second.Run(W, Second);
  memcpy(Row, New, Bytes);
}

/// Only floats have signs to take away.
static bool takesSign(Type T) {
  return T == Type::F16 || T == Type::F32 || T == Type::F64 ||
         T == Type::PackedF16 || T == Type::PackedF32;
}

/// Puts what the text says of the instruction as a whole to its operands.
static void distribute(Instruction &I, const Semantics &S) {
  unsigned First = S.FirstSource;
  bool Packed = (S.Modifiers & ModOpSelHi) != 0;
  // Mixed precision: no source is 16 bits wide unless it is said.
  if (!(I.Modifiers & ModOpSelHi) &&
      I.Mnemonic.find("_mix") != std::string::npos)
    I.OpSelHi = 0;
  for (unsigned N = 0; N != I.Operands; ++N) {
    Operand &O = I.Op[N];
    if (O.K == Operand::Vector) {
      unsigned End = O.Reg + O.Count;
      if (O.Reg >= FirstAccumulator)
        I.Accumulators =
            std::max<uint16_t>(I.Accumulators, End - FirstAccumulator);
      else
        I.Vectors = std::max<uint16_t>(I.Vectors, End);
    }
    if (O.K == Operand::Constant && !resolveConstant(O, S.Types[N]) &&
        I.Problem.empty())
      I.Problem = "constant '" + std::string(O.Text) + "' is not understood";
    if ((O.Neg || O.Abs) && !takesSign(S.Types[N]) && I.Problem.empty())
      I.Problem =
          "operand '" + std::string(O.Text) + "' is no number with a sign";
    if (!Packed && N >= First && (I.OpSel >> (N - First) & 1))
      O.High = true;
  }
  // The bit behind those of the sources is the result's.
  if (!Packed && First >= 1 && I.Operands > First) {
    unsigned Sources = I.Operands - First;
    if (I.Op[0].K == Operand::Vector && (I.OpSel >> Sources & 1))
      I.Op[0].High = true;
  }
  if (I.DppKind != Dpp::None)
    I.DppSources = uint8_t(1u << First);
}

void Decoder::parse(std::string_view Text, Instruction &Out) {
  Out.Text = trim(Text);
  parseOne(Out.Text, Out);
  const Semantics *S = semanticsOf(Out.Mnemonic);
  // Up to gfx9, with a mask besides EXEC.
  if (S && Out.Operands == 3 && Out.Mnemonic.starts_with("v_cmpx_"))
    S = semanticsOf(Out.Mnemonic + "/mask");
  if (!S) {
    Out.Problem = "the instruction is not known";
    return;
  }
  if (uint32_t More = Out.Modifiers & ~S->Modifiers;
      More && Out.Problem.empty())
    Out.Problem = "the instruction is not known with this modifier (set " +
                  std::to_string(More) + ")";
  distribute(Out, *S);
  if (Out.Problem.empty())
    Out.Run = S->Run;
}

const Instruction *Decoder::decode(const uint8_t *Bytes, size_t Size,
                                   uint64_t Pc) {
  Instruction &I = Kept.emplace_back();
  I.Pc = Pc;
  uint32_t Word = 0;
  memcpy(&Word, Bytes, std::min<size_t>(Size, 4));
  I.Simm16 = int16_t(Word & 0xffff);
  char Text[512] = "";
  size_t Used = LLVMDisasmInstruction(
      static_cast<LLVMDisasmContextRef>(Context), const_cast<uint8_t *>(Bytes),
      std::min<size_t>(Size, 20), Pc, Text, sizeof(Text));
  I.Bytes = uint32_t(Used ? Used : 4);
  if (!Used) {
    I.Text = "(no instruction of " + Processor + ")";
    I.Problem = "the bytes are no instruction";
  } else {
    std::string_view Whole = Text;
    size_t Pair = Whole.find(" :: ");
    if (Pair == std::string_view::npos) {
      parse(Whole, I);
    } else {
      Instruction &First = Kept.emplace_back(), &Second = Kept.emplace_back();
      First.Pc = Second.Pc = Pc;
      parse(Whole.substr(0, Pair), First);
      parse(Whole.substr(Pair + 4), Second);
      I.Text = trim(Whole);
      I.Problem = First.Problem.empty() ? Second.Problem : First.Problem;
      I.First = &First;
      I.Second = &Second;
      I.Vectors = std::max(First.Vectors, Second.Vectors);
      I.Run = runPair;
    }
  }
  if (!I.Problem.empty())
    I.Run = reportProblem;
  return &I;
}

Decoder::Decoder(const std::string &Processor, unsigned Lanes)
    : Processor(Processor) {
  static std::once_flag Once;
  std::call_once(Once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  // Processors before gfx10 have waves of 64 alone, and no feature for it.
  bool Choice = Processor.starts_with("gfx1");
  Context = LLVMCreateDisasmCPUFeatures(
      "amdgcn-amd-amdhsa", Processor.c_str(),
      !Choice       ? ""
      : Lanes == 32 ? "+wavefrontsize32,-wavefrontsize64"
                    : "-wavefrontsize32,+wavefrontsize64",
      nullptr, 0, nullptr, nullptr);
}

Decoder::~Decoder() {
  LLVMDisasmDispose(static_cast<LLVMDisasmContextRef>(Context));
}

} // namespace amdgcn
