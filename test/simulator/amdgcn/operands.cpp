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

static bool take(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

static bool number(std::string_view text, int64_t &out) {
  bool minus = take(text, "-");
  int base = take(text, "0x") ? 16 : 10;
  uint64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return false;
  out = minus ? -int64_t(value) : int64_t(value);
  return true;
}

namespace {
struct Named {
  std::string_view name;
  Operand::Kind kind;
  uint16_t reg;
  uint8_t count;
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
static bool parseRegister(std::string_view t, Operand &o) {
  for (const Named &n : Names)
    if (n.name == t) {
      o.k = n.kind;
      o.reg = n.reg;
      o.count = n.count;
      return true;
    }
  unsigned base = 0;
  if (take(t, "ttmp")) {
    o.k = Operand::Scalar;
    base = Ttmp0;
  } else if (take(t, "v")) {
    o.k = Operand::Vector;
  } else if (take(t, "a")) {
    o.k = Operand::Vector;
    base = FirstAccumulator;
  } else if (take(t, "s")) {
    o.k = Operand::Scalar;
  } else {
    return false;
  }
  if (t.ends_with(".l") || t.ends_with(".h")) {
    o.half = true;
    o.high = t.ends_with(".h");
    t.remove_suffix(2);
  }
  int64_t first, last;
  if (take(t, "[")) {
    size_t colon = t.find(':');
    if (!t.ends_with("]"))
      return false;
    t.remove_suffix(1);
    if (!number(t.substr(0, colon), first))
      return false;
    last = first;
    if (colon != t.npos && !number(t.substr(colon + 1), last))
      return false;
  } else {
    if (!number(t, first))
      return false;
    last = first;
  }
  if (last < first || last > 255)
    return false;
  o.reg = uint16_t(base + first);
  o.count = uint8_t(last - first + 1);
  return true;
}

static bool isConstant(std::string_view t) {
  if (t.starts_with("-"))
    t.remove_prefix(1);
  return !t.empty() && t[0] >= '0' && t[0] <= '9';
}

bool parseOperand(std::string_view t, Operand &o) {
  // A literal that could have been written as an inline constant.
  if (t.starts_with("lit(") && t.ends_with(")")) {
    t.remove_prefix(4);
    t.remove_suffix(1);
  }
  if (isConstant(t)) {
    o.k = Operand::Constant;
    o.count = 2;
    o.text = t;
    return true;
  }
  // Handlers read these by themselves.
  if (t.starts_with("hwreg(") || t.starts_with("sendmsg(") ||
      t.starts_with("gpr_idx(")) {
    o.k = Operand::None;
    return true;
  }
  auto inside = [&](std::string_view open, std::string_view close) {
    if (!t.starts_with(open) || !t.ends_with(close) ||
        t.size() <= open.size() + close.size())
      return false;
    t.remove_prefix(open.size());
    t.remove_suffix(close.size());
    return true;
  };
  if (inside("neg(", ")") || take(t, "-"))
    o.neg = true;
  if (inside("|", "|") || inside("abs(", ")"))
    o.abs = true;
  if (inside("sext(", ")"))
    o.sext = true;
  if (isConstant(t)) {
    o.k = Operand::Constant;
    o.count = 2;
    o.text = t;
    return true;
  }
  return parseRegister(t, o);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// 1/(2 pi) as an inline constant, which is exact to each format's last bit.
static uint64_t inverseTwoPi(Type t) {
  switch (t) {
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

bool resolveConstant(Operand &o, Type t) {
  std::string_view text = o.text;
  if (text.find('.') != text.npos) {
    double d = strtod(std::string(text).c_str(), nullptr);
    if (d > 0.159 && d < 0.16) {
      o.value = inverseTwoPi(t);
      return true;
    }
    switch (t) {
    case Type::F64:
    case Type::B64:
    case Type::I64:
      o.value = std::bit_cast<uint64_t>(d);
      return true;
    case Type::B16:
    case Type::F16:
    case Type::PackedF16:
      o.value = halfFromDouble(d);
      return true;
    default:
      o.value = std::bit_cast<uint32_t>(float(d));
      return true;
    }
  }
  int64_t value;
  if (!number(text, value))
    return false;
  bool literal = text.starts_with("0x");
  switch (t) {
  case Type::F64:
    // A literal is the upper half of a double.
    o.value = literal ? uint64_t(value) << 32 : uint64_t(value);
    return true;
  case Type::I64:
    o.value = literal ? uint64_t(int64_t(int32_t(value))) : uint64_t(value);
    return true;
  case Type::B64:
    o.value = uint64_t(value);
    return true;
  default:
    o.value = uint32_t(value);
    return true;
  }
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// "[1,0,3]" as bits or as numbers.
static bool list(std::string_view t, uint8_t *numbers, unsigned max,
                 unsigned &count) {
  if (!take(t, "[") || !t.ends_with("]"))
    return false;
  t.remove_suffix(1);
  for (count = 0; !t.empty(); ++count) {
    size_t comma = t.find(',');
    int64_t value;
    if (count == max || !number(t.substr(0, comma), value))
      return false;
    numbers[count] = uint8_t(value);
    t = comma == t.npos ? std::string_view() : t.substr(comma + 1);
  }
  return true;
}

static bool bits(std::string_view t, uint8_t &out) {
  uint8_t numbers[8];
  unsigned count;
  if (!list(t, numbers, 8, count))
    return false;
  out = 0;
  for (unsigned i = 0; i != count; ++i)
    out |= uint8_t((numbers[i] & 1) << i);
  return true;
}

static bool select(std::string_view t, Sel &out) {
  static constexpr std::string_view names[] = {
      "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
  for (unsigned i = 0; i != 7; ++i)
    if (names[i] == t) {
      out = Sel(i);
      return true;
    }
  return false;
}

bool isModifier(std::string_view word) {
  if (word.find(':') != word.npos && word.find('[') > word.find(':'))
    return true;
  static constexpr std::string_view flags[] = {
      "glc",   "slc",   "dlc", "sc0", "sc1", "nt",         "clamp",
      "offen", "idxen", "tfe", "lds", "gds", "row_mirror", "row_half_mirror"};
  for (std::string_view f : flags)
    if (f == word)
      return true;
  return false;
}

static bool parseDpp(std::string_view name, std::string_view rest,
                     Instruction &i, bool &matched) {
  matched = true;
  struct Shift {
    std::string_view name;
    Dpp kind;
  };
  static constexpr Shift shifts[] = {
      {"row_shl", Dpp::RowShl},        {"row_shr", Dpp::RowShr},
      {"row_ror", Dpp::RowRor},        {"wave_shl", Dpp::WaveShl},
      {"wave_rol", Dpp::WaveRol},      {"wave_shr", Dpp::WaveShr},
      {"wave_ror", Dpp::WaveRor},      {"row_newbcast", Dpp::RowNewbcast},
      {"row_share", Dpp::RowNewbcast}, {"row_xmask", Dpp::RowXmask},
      {"row_bcast", Dpp::RowBcast15}};
  unsigned count;
  if (name == "quad_perm") {
    i.dppKind = Dpp::QuadPerm;
    return list(rest, i.dppLanes, 4, count) && count == 4;
  }
  if (name == "dpp8") {
    i.dppKind = Dpp::Dpp8;
    return list(rest, i.dppLanes, 8, count) && count == 8;
  }
  if (name == "row_mirror" || name == "row_half_mirror") {
    i.dppKind = name == "row_mirror" ? Dpp::RowMirror : Dpp::RowHalfMirror;
    return true;
  }
  for (const Shift &s : shifts)
    if (s.name == name) {
      int64_t by;
      if (!number(rest, by))
        return false;
      i.dppKind = s.kind;
      i.dppLanes[0] = uint8_t(by);
      if (s.kind == Dpp::RowBcast15 && by == 31)
        i.dppKind = Dpp::RowBcast31;
      return true;
    }
  matched = false;
  return false;
}

bool parseModifier(std::string_view word, Instruction &i) {
  size_t colon = word.find(':');
  std::string_view name = word.substr(0, colon);
  std::string_view rest = colon == word.npos ? "" : word.substr(colon + 1);
  int64_t value = 0;
  auto have = [&](Modifier m, bool good = true) {
    i.modifiers |= m;
    return good;
  };
  bool matched;
  if (bool good = parseDpp(name, rest, i, matched); matched)
    return have(ModDpp, good);
  if (name == "row_mask" || name == "bank_mask") {
    bool good = number(rest, value);
    (name == "row_mask" ? i.rowMask : i.bankMask) = uint8_t(value);
    return have(ModDpp, good);
  }
  if (name == "bound_ctrl")
    return i.boundCtrl = true, have(ModDpp);
  if (name == "fi")
    return i.fetchInactive = rest == "1", have(ModDpp);
  if (name == "dst_sel")
    return have(ModSdwa, select(rest, i.dstSelect));
  if (name == "src0_sel" || name == "src1_sel") {
    // The source's place is known to the table; see finishSdwa.
    Sel s;
    bool good = select(rest, s);
    unsigned source = name == "src0_sel" ? 0 : 1;
    // Sources are the last operands but for a carry that is read.
    const Semantics *known = semanticsOf(i.mnemonic);
    if (!known || known->firstSource + source >= MaxOperands)
      return false;
    i.op[known->firstSource + source].select = s;
    return have(ModSdwa, good);
  }
  if (name == "dst_unused") {
    i.dstUnused = rest == "UNUSED_PRESERVE" ? Instruction::Preserve
                  : rest == "UNUSED_SEXT"   ? Instruction::SignExtend
                                            : Instruction::Pad;
    return have(ModSdwa);
  }
  if (name == "offset" && rest.starts_with("swizzle(")) {
    i.offset = uint16_t(i.simm16); // an LDS instruction's lower half
    return have(ModOffset);
  }
  if (name == "offset") {
    bool good = number(rest, value);
    i.offset = int32_t(value);
    return have(ModOffset, good);
  }
  if (name == "offset0" || name == "offset1") {
    bool good = number(rest, value);
    (name == "offset0" ? i.offset0 : i.offset1) = uint8_t(value);
    return have(ModOffsets, good);
  }
  if (name == "bitop3") {
    bool good = number(rest, value);
    i.table = uint8_t(value);
    return have(ModTable, good);
  }
  if (name == "op_sel")
    return have(ModOpSel, bits(rest, i.opSel));
  if (name == "op_sel_hi")
    return have(ModOpSelHi, bits(rest, i.opSelHi));
  if (name == "neg_lo")
    return have(ModNegHalves, bits(rest, i.negLo));
  if (name == "neg_hi")
    return have(ModNegHalves, bits(rest, i.negHi));
  if (name == "clamp")
    return i.clamp = true, have(ModClamp);
  if (name == "mul" || name == "div") {
    bool good = number(rest, value);
    i.omod = name == "div" ? -1 : value == 2 ? 1 : 2;
    return have(ModOmod, good);
  }
  if (name == "offen")
    return i.offen = true, have(ModOffen);
  if (name == "idxen")
    return have(ModIdxen);
  if (name == "byte_sel")
    return have(ModByteSel);
  for (std::string_view cache :
       {"glc", "slc", "dlc", "sc0", "sc1", "nt", "th", "scope", "scc"})
    if (name == cache)
      return have(ModCache);
  return false;
}

} // namespace amdgcn
