// The operands and registers of inline PTX
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace xcc {
namespace {

/// A special register, as the call that has its value.
StringRef special(StringRef name) {
  static constexpr StringLiteral known[] = {
      "laneid",      "warpid",      "lanemask_eq", "lanemask_lt", "lanemask_le",
      "lanemask_gt", "lanemask_ge", "clock",       "clock64",     "clock_hi",
      "tid.x",       "tid.y",       "tid.z",       "ntid.x",      "ntid.y",
      "ntid.z",      "ctaid.x",     "ctaid.y",     "ctaid.z",     "nctaid.x",
      "nctaid.y",    "nctaid.z"};
  return is_contained(known, name) ? name : StringRef();
}

std::optional<std::string> immediate(StringRef word, StringRef type) {
  // The bits of a float or a double.
  for (bool isDouble : {false, true}) {
    StringRef bits = word;
    if (!bits.consume_front_insensitive(isDouble ? "0d" : "0f"))
      continue;
    if (bits.size() != (isDouble ? 16 : 8) || !all_of(bits, isHexDigit))
      return std::nullopt;
    return (PtxFunctions + "get<" + type + ">(" + PtxFunctions + "get<" +
            (isDouble ? "double" : "float") + ">(0x" + bits +
            (isDouble ? "ull))" : "u))"))
        .str();
  }
  StringRef digits = word;
  digits.consume_back("U");
  StringRef number = digits;
  number.consume_front("-");
  if (number.empty() || !isDigit(number.front()))
    return std::nullopt;
  if (type == "float" || type == "double") {
    double value = 0;
    if (digits.getAsDouble(value))
      return std::nullopt;
    return ("static_cast<" + type + ">(" + digits + ")").str();
  }
  int64_t value = 0;
  uint64_t large = 0;
  if (digits.getAsInteger(0, value) && digits.getAsInteger(0, large))
    return std::nullopt;
  return ("static_cast<" + type + ">(" + digits + (value < 0 ? "ll" : "ull") +
          ")")
      .str();
}

} // namespace

StringRef cxxTypeOfPtx(StringRef type) {
  return StringSwitch<StringRef>(type)
      .Cases({"u8", "b8"}, "unsigned char")
      .Case("s8", "signed char")
      .Cases({"u16", "b16"}, "unsigned short")
      .Case("s16", "short")
      .Cases({"u32", "b32"}, "unsigned")
      .Case("s32", "int")
      .Cases({"u64", "b64"}, "unsigned long long")
      .Case("s64", "long long")
      .Case("f16", "_Float16")
      .Case("f16x2", "::xcc::cuda::ptx::f16x2")
      .Case("bf16", "::xcc::cuda::ptx::bf16")
      .Case("f32", "float")
      .Case("f64", "double")
      .Case("pred", "bool")
      .Default("");
}

std::string identifierOfPtx(StringRef name) {
  std::string made;
  for (char c : name)
    made += isAlnum(c) ? c : '_';
  return made;
}

std::string PtxOperands::declarations() const {
  std::string made;
  for (size_t i = 0; i < operands.size(); ++i) {
    StringRef constraint = operands[i].constraint;
    const bool written =
        constraint.starts_with("=") || constraint.starts_with("+");
    made += "[[maybe_unused]] " +
            std::string(written ? "auto &xcc_" : "const auto xcc_") +
            utostr(i) + " = " + operands[i].expression + "; ";
  }
  return made;
}

std::optional<std::string> PtxOperands::declare(StringRef text) {
  std::string made;
  if (!text.consume_front("."))
    return std::nullopt;
  auto [type, names] = text.split(' ');
  StringRef cxx = cxxTypeOfPtx(type);
  if (cxx.empty())
    return std::nullopt;
  SmallVector<StringRef> each;
  names.split(each, ',');
  for (StringRef name : each) {
    name = name.trim();
    auto [base, number] = name.split('<');
    unsigned many = 0;
    const bool several = !number.empty();
    if (several && (!number.consume_back(">") ||
                    number.getAsInteger(10, many) || many > 64))
      return std::nullopt;
    for (unsigned i = 0; i < (several ? many : 1); ++i) {
      std::string one = (base.ltrim('%') + (several ? utostr(i) : "")).str();
      made += "[[maybe_unused]] " + cxx.str() + " xcc_r_" +
              identifierOfPtx(one) + "{}; ";
      registers[one] = "xcc_r_" + identifierOfPtx(one);
    }
  }
  return made;
}

/// The variable of an operand or a register; null for other words.
std::optional<std::string> PtxOperands::variable(StringRef word) const {
  unsigned number = 0;
  StringRef name = word;
  if (name.consume_front("%[") && name.consume_back("]")) {
    for (size_t i = 0; i < operands.size(); ++i)
      if (operands[i].name == name)
        return "xcc_" + utostr(i);
    return std::nullopt;
  }
  name = word;
  if (name.consume_front("%") && !name.getAsInteger(10, number)) {
    if (number < operands.size())
      return "xcc_" + utostr(number);
    return std::nullopt;
  }
  auto found = registers.find(word.ltrim('%'));
  return found == registers.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> PtxOperands::source(StringRef word,
                                               StringRef type) const {
  std::string get = (PtxFunctions + "get<" + type + ">(").str();
  if (std::optional<std::string> held = variable(word))
    return get + *held + ")";
  if (word == "WARP_SZ")
    return get + "32)";
  StringRef parameter = word; // of a macro, whose text is an immediate
  if (parameter.consume_front("$"))
    return ("static_cast<" + type + ">(" + parameter + ")").str();
  if (word.starts_with("%"))
    if (StringRef name = special(word.ltrim('%')); !name.empty())
      return get + PtxFunctions.str() + identifierOfPtx(name) + "())";
  return immediate(word, type);
}

std::optional<std::string> PtxOperands::put(StringRef to,
                                            const Twine &value) const {
  if (to == "_")
    return ("(void)(" + value + ")").str();
  std::optional<std::string> held = variable(to);
  if (!held)
    return std::nullopt;
  return (PtxFunctions + "put(" + *held + ", " + value + ")").str();
}

std::optional<std::string> PtxOperands::address(StringRef text) const {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return std::nullopt;
  const size_t plus = text.find_first_of("+-");
  StringRef base = text.take_front(plus).trim();
  std::string offset = "0";
  if (plus != StringRef::npos) {
    StringRef number = text.drop_front(plus).ltrim('+').trim();
    int64_t value = 0;
    if (number.getAsInteger(0, value))
      return std::nullopt;
    offset = itostr(value);
  }
  std::optional<std::string> at = source(base, "unsigned long long");
  // 32 bits are an address in shared memory alone.
  if (!at || isNarrow(base))
    return std::nullopt;
  return *at + " + " + offset + "ll";
}

bool PtxOperands::isNarrow(StringRef word) const {
  for (size_t i = 0; i < operands.size(); ++i)
    if (word == "%" + utostr(i) || word == "%[" + operands[i].name + "]")
      return !StringRef(operands[i].constraint).contains('l');
  return false;
}

} // namespace xcc
