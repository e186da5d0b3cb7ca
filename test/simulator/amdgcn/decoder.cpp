// From bytes to an instruction
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decoder.h"
#include "definedness.h"
#include "operands.h"
#include "plain.h"

#include <cstring>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <mutex>
#include <vector>

namespace amdgcn {

void reportProblem(Wave &w, const Instruction &i); // report.cpp

static std::string_view trim(std::string_view t) {
  while (!t.empty() && (t.front() == ' ' || t.front() == '\t'))
    t.remove_prefix(1);
  while (!t.empty() && (t.back() == ' ' || t.back() == '\t'))
    t.remove_suffix(1);
  return t;
}

/// Cuts at a character that stands in no bracket.
static std::vector<std::string_view> cut(std::string_view t, char at) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= t.size(); ++i) {
    if (i == t.size() || (t[i] == at && !depth)) {
      if (auto part = trim(t.substr(begin, i - begin)); !part.empty())
        parts.push_back(part);
      begin = i + 1;
    } else if (t[i] == '[' || t[i] == '(') {
      ++depth;
    } else if (t[i] == ']' || t[i] == ')') {
      --depth;
    }
  }
  return parts;
}

static bool takeSuffix(std::string &name, std::string_view suffix) {
  if (!std::string_view(name).ends_with(suffix))
    return false;
  name.resize(name.size() - suffix.size());
  return true;
}

static void parseOne(std::string_view text, Instruction &out) {
  text = trim(text);
  size_t space = text.find_first_of(" \t");
  out.mnemonic = text.substr(0, space);
  std::string &name = out.mnemonic;
  bool vector = name.starts_with("v_");
  if (vector) {
    if (takeSuffix(name, "_dpp8") || takeSuffix(name, "_dpp"))
      out.modifiers |= ModDpp;
    if (takeSuffix(name, "_sdwa"))
      out.modifiers |= ModSdwa;
    if (takeSuffix(name, "_e64"))
      out.vop3 = true;
    takeSuffix(name, "_e32");
  }
  // One half of a pair, which is an instruction of its own but for where its
  // mask is.
  if (name.starts_with("v_dual_"))
    name = "v_" + name.substr(7);
  if (space == std::string_view::npos)
    return;
  // What does not matter to what is computed: how long to wait, and where a
  // cache may drop something.
  for (std::string_view hint :
       {"s_waitcnt", "s_wait_", "s_delay_alu", "s_clause", "s_nop"})
    if (name.starts_with(hint))
      return;
  for (std::string_view part : cut(text.substr(space), ',')) {
    auto pieces = cut(part, ' ');
    for (size_t i = 0; i != pieces.size(); ++i) {
      // A modifier is a word behind an operand, or one that is none.
      if ((i == 0 && !isModifier(pieces[i])) && out.operands < MaxOperands) {
        Operand &o = out.op[out.operands++];
        o.text = pieces[i];
        if (!parseOperand(pieces[i], o) && out.problem.empty())
          out.problem =
              "operand '" + std::string(pieces[i]) + "' is not understood";
        continue;
      }
      if (!parseModifier(pieces[i], out) && out.problem.empty())
        out.problem =
            "modifier '" + std::string(pieces[i]) + "' is not understood";
    }
  }
  // VOP2 and VOPD select by VCC.
  if (name.starts_with("v_cndmask_") && out.operands == 3)
    parseOperand("vcc", out.op[out.operands++]);
}

/// VOPD: both halves read before either writes. So they run one after the other
/// where the second does not read what the first writes.
static void runInOrder(Wave &w, const Instruction &i) {
  i.first->run(w, *i.first);
  i.second->run(w, *i.second);
}
static bool secondReadsFirst(const Instruction &first,
                             const Instruction &second) {
  // A destination may be a source too, and two of a register be one.
  for (unsigned n = 0; n != second.operands; ++n)
    if (const Operand &o = second.op[n];
        o.isVector() && unsigned(first.op[0].reg) - o.reg < o.count)
      return true;
  return false;
}
static void runPair(Wave &w, const Instruction &i) {
  const Instruction &first = *i.first, &second = *i.second;
  uint32_t *row = w.row(first.op[0].reg), old[64], now[64];
  const size_t bytes = w.lanes * 4;
  memcpy(old, row, bytes);
  first.run(w, first);
  memcpy(now, row, bytes);
  memcpy(row, old, bytes);
  second.run(w, second);
  memcpy(row, now, bytes);
}

/// Only floats have signs to take away.
static bool takesSign(Type t) {
  return t == Type::F16 || t == Type::F32 || t == Type::F64 ||
         t == Type::PackedF16 || t == Type::PackedF32;
}

/// Puts what the text says of the instruction as a whole to its operands.
static void distribute(Instruction &i, const Semantics &s) {
  unsigned first = s.firstSource;
  bool packed = (s.modifiers & ModOpSelHi) != 0;
  // Mixed precision: no source is 16 bits wide unless it is said.
  if (!(i.modifiers & ModOpSelHi) &&
      i.mnemonic.find("_mix") != std::string::npos)
    i.opSelHi = 0;
  for (unsigned n = 0; n != i.operands; ++n) {
    Operand &o = i.op[n];
    if (o.k == Operand::Vector) {
      unsigned end = o.reg + o.count;
      if (o.reg >= FirstAccumulator)
        i.accumulators =
            std::max<uint16_t>(i.accumulators, end - FirstAccumulator);
      else
        i.vectors = std::max<uint16_t>(i.vectors, end);
    }
    if (o.k == Operand::Constant && !resolveConstant(o, s.types[n]) &&
        i.problem.empty())
      i.problem = "constant '" + std::string(o.text) + "' is not understood";
    if ((o.neg || o.abs) && !takesSign(s.types[n]) && i.problem.empty())
      i.problem =
          "operand '" + std::string(o.text) + "' is no number with a sign";
    if (!packed && n >= first && (i.opSel >> (n - first) & 1))
      o.high = true;
  }
  // The bit behind those of the sources is the result's.
  if (!packed && first >= 1 && i.operands > first) {
    unsigned sources = i.operands - first;
    if (i.op[0].k == Operand::Vector && (i.opSel >> sources & 1))
      i.op[0].high = true;
  }
  if (i.dppKind != Dpp::None)
    i.dppSources = uint8_t(1u << first);
}

static constexpr const char *WayOut =
    ": leave it out where the program is simulated, or run it on a GPU";

void Decoder::parse(std::string_view text, Instruction &out) {
  out.text = trim(text);
  parseOne(out.text, out);
  const Semantics *s = semanticsOf(out.mnemonic);
  // Up to gfx9, with a mask besides EXEC.
  if (s && out.operands == 3 && out.mnemonic.starts_with("v_cmpx_"))
    s = semanticsOf(out.mnemonic + "/mask");
  if (!s) {
    out.problem = std::string("the instruction is not known") + WayOut;
    return;
  }
  if (uint32_t more = out.modifiers & ~s->modifiers;
      more && out.problem.empty())
    out.problem = "the instruction is not known with this modifier (set " +
                  std::to_string(more) + ")" + WayOut;
  distribute(out, *s);
  if (out.problem.empty())
    out.run = s->plain && wide && isPlain(out) ? s->plain : s->run;
}

/// LLVM's disassembler looks through many tables, and code repeats itself. An
/// encoding's first bytes say how long it is, so no longer one begins with it.
const Decoder::Text &Decoder::textOf(const uint8_t *bytes, size_t size) {
  const char *from = reinterpret_cast<const char *>(bytes);
  for (size_t n = 4; n <= 12 && n <= size; n += 4)
    if (auto known = texts.find({from, n}); known != texts.end())
      return known->second;
  char text[512] = "";
  const size_t used = LLVMDisasmInstruction(
      static_cast<LLVMDisasmContextRef>(context), const_cast<uint8_t *>(bytes),
      std::min<size_t>(size, 20), 0, text, sizeof(text));
  return texts[{from, used ? used : std::min<size_t>(size, 20)}] = {
             text, uint32_t(used)};
}

const Instruction *Decoder::decode(const uint8_t *bytes, size_t size,
                                   uint64_t pc) {
  Instruction &i = kept.emplace_back();
  i.pc = pc;
  uint32_t word = 0;
  memcpy(&word, bytes, std::min<size_t>(size, 4));
  i.simm16 = int16_t(word & 0xffff);
  const auto &[text, used] = textOf(bytes, size);
  i.bytes = uint32_t(used ? used : 4);
  if (!used) {
    i.text = "(no instruction of " + processor + ")";
    i.problem = "the bytes are no instruction";
  } else {
    std::string_view whole = text;
    size_t pair = whole.find(" :: ");
    if (pair == std::string_view::npos) {
      parse(whole, i);
    } else {
      Instruction &first = kept.emplace_back(), &second = kept.emplace_back();
      first.pc = second.pc = pc;
      parse(whole.substr(0, pair), first);
      parse(whole.substr(pair + 4), second);
      i.text = trim(whole);
      i.problem = first.problem.empty() ? second.problem : first.problem;
      i.first = &first;
      i.second = &second;
      i.vectors = std::max(first.vectors, second.vectors);
      i.run = secondReadsFirst(first, second) ? runPair : runInOrder;
    }
  }
  if (!i.problem.empty())
    i.run = reportProblem;
  else
    i.track = trackOf(i);
  return &i;
}

Decoder::Decoder(const std::string &processor, unsigned lanes)
    : processor(processor) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
  // Processors before gfx10 have waves of 64 alone, and no feature for it.
  bool choice = processor.starts_with("gfx1");
  context = LLVMCreateDisasmCPUFeatures(
      "amdgcn-amd-amdhsa", processor.c_str(),
      !choice       ? ""
      : lanes == 32 ? "+wavefrontsize32,-wavefrontsize64"
                    : "-wavefrontsize32,+wavefrontsize64",
      nullptr, 0, nullptr, nullptr);
}

Decoder::~Decoder() {
  LLVMDisasmDispose(static_cast<LLVMDisasmContextRef>(context));
}

} // namespace amdgcn
