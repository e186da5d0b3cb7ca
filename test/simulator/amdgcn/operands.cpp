// Operands and modifiers as they are printed
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operands.h"
#include "numbers.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace amdgcn {

static bool take(std::string_view &Text, std::string_view Prefix) {
  if (!Text.starts_with(Prefix))
    return false;
  Text.remove_prefix(Prefix.size());
  return true;
}

static bool number(std::string_view Text, int64_t &Out) {
  bool Minus = take(Text, "-");
  int Base = take(Text, "0x") ? 16 : 10;
  uint64_t Value = 0;
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value, Base);
  if (Error != std::errc() || End != Text.data() + Text.size() || Text.empty())
    return false;
  Out = Minus ? -int64_t(Value) : int64_t(Value);
  return true;
}

namespace {
struct Named {
  std::string_view Name;
  Operand::Kind Kind;
  uint16_t Reg;
  uint8_t Count;
};
} // namespace

static constexpr Named Names[] = {
    {"vcc", Operand::Scalar, VccLo, 2},
    {"vcc_lo", Operand::Scalar, VccLo, 1},
    {"vcc_hi", Operand::Scalar, VccLo + 1, 1},
    {"exec", Operand::Scalar, ExecLo, 2},
    {"exec_lo", Operand::Scalar, ExecLo, 1},
    {"exec_hi", Operand::Scalar, ExecLo + 1, 1},
    {"m0", Operand::Scalar, M0, 1},
    {"flat_scratch", Operand::Scalar, FlatScratchLo, 2},
    {"flat_scratch_lo", Operand::Scalar, FlatScratchLo, 1},
    {"flat_scratch_hi", Operand::Scalar, FlatScratchLo + 1, 1},
    {"xnack_mask", Operand::Scalar, XnackMaskLo, 2},
    {"xnack_mask_lo", Operand::Scalar, XnackMaskLo, 1},
    {"xnack_mask_hi", Operand::Scalar, XnackMaskLo + 1, 1},
    {"null", Operand::Off, 0, 2},
    {"off", Operand::Off, 0, 2},
    {"scc", Operand::Source, SrcScc, 1},
    {"src_scc", Operand::Source, SrcScc, 1},
    {"vccz", Operand::Source, SrcVccz, 1},
    {"src_vccz", Operand::Source, SrcVccz, 1},
    {"execz", Operand::Source, SrcExecz, 1},
    {"src_execz", Operand::Source, SrcExecz, 1},
    {"src_shared_base", Operand::Source, SrcSharedBase, 2},
    {"src_private_base", Operand::Source, SrcPrivateBase, 2},
    {"src_shared_limit", Operand::Source, SrcSharedLimit, 2},
    {"src_private_limit", Operand::Source, SrcPrivateLimit, 2},
};

/// "v7", "s[2:3]", "a0", "ttmp[4:5]", "v3.h".
static bool parseRegister(std::string_view T, Operand &O) {
  for (const Named &N : Names)
    if (N.Name == T) {
      O.K = N.Kind;
      O.Reg = N.Reg;
      O.Count = N.Count;
      return true;
    }
  unsigned Base = 0;
  if (take(T, "ttmp")) {
    O.K = Operand::Scalar;
    Base = Ttmp0;
  } else if (take(T, "v")) {
    O.K = Operand::Vector;
  } else if (take(T, "a")) {
    O.K = Operand::Vector;
    Base = FirstAccumulator;
  } else if (take(T, "s")) {
    O.K = Operand::Scalar;
  } else {
    return false;
  }
  if (T.ends_with(".l") || T.ends_with(".h")) {
    O.Half = true;
    O.High = T.ends_with(".h");
    T.remove_suffix(2);
  }
  int64_t First, Last;
  if (take(T, "[")) {
    size_t Colon = T.find(':');
    if (!T.ends_with("]"))
      return false;
    T.remove_suffix(1);
    if (!number(T.substr(0, Colon), First))
      return false;
    Last = First;
    if (Colon != T.npos && !number(T.substr(Colon + 1), Last))
      return false;
  } else {
    if (!number(T, First))
      return false;
    Last = First;
  }
  if (Last < First || Last > 255)
    return false;
  O.Reg = uint16_t(Base + First);
  O.Count = uint8_t(Last - First + 1);
  return true;
}

static bool isConstant(std::string_view T) {
  if (T.starts_with("-"))
    T.remove_prefix(1);
  return !T.empty() && T[0] >= '0' && T[0] <= '9';
}

bool parseOperand(std::string_view T, Operand &O) {
  // A literal that could have been written as an inline constant.
  if (T.starts_with("lit(") && T.ends_with(")")) {
    T.remove_prefix(4);
    T.remove_suffix(1);
  }
  if (isConstant(T)) {
    O.K = Operand::Constant;
    O.Count = 2;
    O.Text = T;
    return true;
  }
  // Handlers read these by themselves.
  if (T.starts_with("hwreg(") || T.starts_with("sendmsg(") ||
      T.starts_with("gpr_idx(")) {
    O.K = Operand::None;
    return true;
  }
  auto Inside = [&](std::string_view Open, std::string_view Close) {
    if (!T.starts_with(Open) || !T.ends_with(Close) ||
        T.size() <= Open.size() + Close.size())
      return false;
    T.remove_prefix(Open.size());
    T.remove_suffix(Close.size());
    return true;
  };
  if (Inside("neg(", ")") || take(T, "-"))
    O.Neg = true;
  if (Inside("|", "|") || Inside("abs(", ")"))
    O.Abs = true;
  if (Inside("sext(", ")"))
    O.Sext = true;
  if (isConstant(T)) {
    O.K = Operand::Constant;
    O.Count = 2;
    O.Text = T;
    return true;
  }
  return parseRegister(T, O);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// 1/(2 pi) as an inline constant, which is exact to each format's last bit.
static uint64_t inverseTwoPi(Type T) {
  switch (T) {
  case Type::F64:
  case Type::B64:
  case Type::I64:
    return 0x3fc45f306dc9c882;
  case Type::F16:
  case Type::PackedF16:
  case Type::B16:
    return 0x3118;
  default:
    return 0x3e22f983;
  }
}

bool resolveConstant(Operand &O, Type T) {
  std::string_view Text = O.Text;
  if (Text.find('.') != Text.npos) {
    double D = strtod(std::string(Text).c_str(), nullptr);
    if (D > 0.159 && D < 0.16) {
      O.Value = inverseTwoPi(T);
      return true;
    }
    switch (T) {
    case Type::F64:
    case Type::B64:
    case Type::I64:
      O.Value = std::bit_cast<uint64_t>(D);
      return true;
    case Type::B16:
    case Type::F16:
    case Type::PackedF16:
      O.Value = halfFromDouble(D);
      return true;
    default:
      O.Value = std::bit_cast<uint32_t>(float(D));
      return true;
    }
  }
  int64_t Value;
  if (!number(Text, Value))
    return false;
  bool Literal = Text.starts_with("0x");
  switch (T) {
  case Type::F64:
    // A literal is the upper half of a double.
    O.Value = Literal ? uint64_t(Value) << 32 : uint64_t(Value);
    return true;
  case Type::I64:
    O.Value = Literal ? uint64_t(int64_t(int32_t(Value))) : uint64_t(Value);
    return true;
  case Type::B64:
    O.Value = uint64_t(Value);
    return true;
  default:
    O.Value = uint32_t(Value);
    return true;
  }
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// "[1,0,3]" as bits or as numbers.
static bool list(std::string_view T, uint8_t *Numbers, unsigned Max,
                 unsigned &Count) {
  if (!take(T, "[") || !T.ends_with("]"))
    return false;
  T.remove_suffix(1);
  for (Count = 0; !T.empty(); ++Count) {
    size_t Comma = T.find(',');
    int64_t Value;
    if (Count == Max || !number(T.substr(0, Comma), Value))
      return false;
    Numbers[Count] = uint8_t(Value);
    T = Comma == T.npos ? std::string_view() : T.substr(Comma + 1);
  }
  return true;
}

static bool bits(std::string_view T, uint8_t &Out) {
  uint8_t Numbers[8];
  unsigned Count;
  if (!list(T, Numbers, 8, Count))
    return false;
  Out = 0;
  for (unsigned I = 0; I != Count; ++I)
    Out |= uint8_t((Numbers[I] & 1) << I);
  return true;
}

static bool select(std::string_view T, Sel &Out) {
  static constexpr std::string_view Names[] = {
      "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
  for (unsigned I = 0; I != 7; ++I)
    if (Names[I] == T) {
      Out = Sel(I);
      return true;
    }
  return false;
}

bool isModifier(std::string_view Word) {
  if (Word.find(':') != Word.npos && Word.find('[') > Word.find(':'))
    return true;
  static constexpr std::string_view Flags[] = {
      "glc",   "slc",   "dlc", "sc0", "sc1", "nt",         "clamp",
      "offen", "idxen", "tfe", "lds", "gds", "row_mirror", "row_half_mirror"};
  for (std::string_view F : Flags)
    if (F == Word)
      return true;
  return false;
}

static bool parseDpp(std::string_view Name, std::string_view Rest,
                     Instruction &I, bool &Matched) {
  Matched = true;
  struct Shift {
    std::string_view Name;
    Dpp Kind;
  };
  static constexpr Shift Shifts[] = {
      {"row_shl", Dpp::RowShl},        {"row_shr", Dpp::RowShr},
      {"row_ror", Dpp::RowRor},        {"wave_shl", Dpp::WaveShl},
      {"wave_rol", Dpp::WaveRol},      {"wave_shr", Dpp::WaveShr},
      {"wave_ror", Dpp::WaveRor},      {"row_newbcast", Dpp::RowNewbcast},
      {"row_share", Dpp::RowNewbcast}, {"row_xmask", Dpp::RowXmask},
      {"row_bcast", Dpp::RowBcast15}};
  unsigned Count;
  if (Name == "quad_perm") {
    I.DppKind = Dpp::QuadPerm;
    return list(Rest, I.DppLanes, 4, Count) && Count == 4;
  }
  if (Name == "dpp8") {
    I.DppKind = Dpp::Dpp8;
    return list(Rest, I.DppLanes, 8, Count) && Count == 8;
  }
  if (Name == "row_mirror" || Name == "row_half_mirror") {
    I.DppKind = Name == "row_mirror" ? Dpp::RowMirror : Dpp::RowHalfMirror;
    return true;
  }
  for (const Shift &S : Shifts)
    if (S.Name == Name) {
      int64_t By;
      if (!number(Rest, By))
        return false;
      I.DppKind = S.Kind;
      I.DppLanes[0] = uint8_t(By);
      if (S.Kind == Dpp::RowBcast15 && By == 31)
        I.DppKind = Dpp::RowBcast31;
      return true;
    }
  Matched = false;
  return false;
}

bool parseModifier(std::string_view Word, Instruction &I) {
  size_t Colon = Word.find(':');
  std::string_view Name = Word.substr(0, Colon);
  std::string_view Rest = Colon == Word.npos ? "" : Word.substr(Colon + 1);
  int64_t Value = 0;
  auto Have = [&](Modifier M, bool Good = true) {
    I.Modifiers |= M;
    return Good;
  };
  bool Matched;
  if (bool Good = parseDpp(Name, Rest, I, Matched); Matched)
    return Have(ModDpp, Good);
  if (Name == "row_mask" || Name == "bank_mask") {
    bool Good = number(Rest, Value);
    (Name == "row_mask" ? I.RowMask : I.BankMask) = uint8_t(Value);
    return Have(ModDpp, Good);
  }
  if (Name == "bound_ctrl")
    return I.BoundCtrl = true, Have(ModDpp);
  if (Name == "fi")
    return I.FetchInactive = Rest == "1", Have(ModDpp);
  if (Name == "dst_sel")
    return Have(ModSdwa, select(Rest, I.DstSelect));
  if (Name == "src0_sel" || Name == "src1_sel") {
    // The source's place is known to the table; see finishSdwa.
    Sel S;
    bool Good = select(Rest, S);
    unsigned Source = Name == "src0_sel" ? 0 : 1;
    // Sources are the last operands but for a carry that is read.
    const Semantics *Known = semanticsOf(I.Mnemonic);
    if (!Known || Known->FirstSource + Source >= MaxOperands)
      return false;
    I.Op[Known->FirstSource + Source].Select = S;
    return Have(ModSdwa, Good);
  }
  if (Name == "dst_unused") {
    I.DstUnused = Rest == "UNUSED_PRESERVE" ? Instruction::Preserve
                  : Rest == "UNUSED_SEXT"   ? Instruction::SignExtend
                                            : Instruction::Pad;
    return Have(ModSdwa);
  }
  if (Name == "offset" && Rest.starts_with("swizzle(")) {
    I.Offset = uint16_t(I.Simm16); // an LDS instruction's lower half
    return Have(ModOffset);
  }
  if (Name == "offset") {
    bool Good = number(Rest, Value);
    I.Offset = int32_t(Value);
    return Have(ModOffset, Good);
  }
  if (Name == "offset0" || Name == "offset1") {
    bool Good = number(Rest, Value);
    (Name == "offset0" ? I.Offset0 : I.Offset1) = uint8_t(Value);
    return Have(ModOffsets, Good);
  }
  if (Name == "op_sel")
    return Have(ModOpSel, bits(Rest, I.OpSel));
  if (Name == "op_sel_hi")
    return Have(ModOpSelHi, bits(Rest, I.OpSelHi));
  if (Name == "neg_lo")
    return Have(ModNegHalves, bits(Rest, I.NegLo));
  if (Name == "neg_hi")
    return Have(ModNegHalves, bits(Rest, I.NegHi));
  if (Name == "clamp")
    return I.Clamp = true, Have(ModClamp);
  if (Name == "mul" || Name == "div") {
    bool Good = number(Rest, Value);
    I.Omod = Name == "div" ? -1 : Value == 2 ? 1 : 2;
    return Have(ModOmod, Good);
  }
  if (Name == "offen")
    return I.Offen = true, Have(ModOffen);
  if (Name == "idxen")
    return Have(ModIdxen);
  if (Name == "byte_sel")
    return Have(ModByteSel);
  for (std::string_view Cache :
       {"glc", "slc", "dlc", "sc0", "sc1", "nt", "th", "scope", "scc"})
    if (Name == Cache)
      return Have(ModCache);
  return false;
}

} // namespace amdgcn
