// Inline PTX as C++
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTranslator.h"
#include "PtxOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace xcc {
namespace {

/// Of the result of a multiplication that is wide, and of what is added to it.
StringRef wideType(StringRef type) {
  return StringSwitch<StringRef>(type)
      .Case("u16", "unsigned")
      .Case("s16", "int")
      .Case("u32", "unsigned long long")
      .Case("s32", "long long")
      .Default("");
}

/// An instruction that is a function of its sources. Of each source: t, the
/// type of the instruction; u, unsigned; w, the wide type; p, a predicate.
struct Operation {
  StringRef name; ///< with the parts that change what it does
  StringRef sources;
};
constexpr Operation Operations[] = {
    {"mov", "t"},           {"cvta", "t"},          {"add", "tt"},
    {"sub", "tt"},          {"mul", "tt"},          {"mul.lo", "tt"},
    {"mul.hi", "tt"},       {"mul.wide", "tt"},     {"mul24.lo", "tt"},
    {"mad", "ttt"},         {"mad.lo", "ttt"},      {"mad.hi", "ttt"},
    {"mad.wide", "ttw"},    {"fma", "ttt"},         {"div", "tt"},
    {"rem", "tt"},          {"min", "tt"},          {"max", "tt"},
    {"abs", "t"},           {"neg", "t"},           {"and", "tt"},
    {"or", "tt"},           {"xor", "tt"},          {"not", "t"},
    {"shl", "tu"},          {"shr", "tu"},          {"popc", "t"},
    {"clz", "t"},           {"brev", "t"},          {"bfind", "t"},
    {"bfe", "tuu"},         {"bfi", "ttuu"},        {"prmt", "ttu"},
    {"lop3", "tttu"},       {"shf.l.wrap", "ttu"},  {"shf.r.wrap", "ttu"},
    {"shf.l.clamp", "ttu"}, {"shf.r.clamp", "ttu"}, {"sad", "ttt"},
    {"dp4a", "ttt"},        {"rcp", "t"},           {"sqrt", "t"},
    {"rsqrt", "t"},         {"ex2", "t"},           {"lg2", "t"},
    {"sin", "t"},           {"cos", "t"},           {"tanh", "t"},
    {"copysign", "tt"},     {"selp", "ttp"}};

class Translator {
public:
  explicit Translator(ArrayRef<PtxOperand> operands) : names(operands) {}

  std::optional<std::string> run(StringRef text) {
    std::string plain = withoutComments(text);
    unsigned open = 0;
    StringRef rest = plain;
    while (!(rest = rest.ltrim()).empty()) {
      if (rest.consume_front("{")) {
        ++open;
        made += "{ ";
      } else if (rest.consume_front("}")) {
        if (!open--)
          return std::nullopt;
        made += "} ";
      } else if (!rest.consume_front(";")) {
        // Braces around registers are in instructions, not at their ends.
        auto [one, after] = rest.split(';');
        if (!statement(one.trim()))
          return std::nullopt;
        rest = after;
      }
    }
    if (open || !count)
      return std::nullopt;
    return "do { " + names.declarations() + carryVariable() + made +
           "} while (false)";
  }

private:
  PtxOperands names;
  std::string made;
  unsigned count = 0; ///< of instructions
  /// What the first instruction does that has to do with the carry.
  enum { NoCarry, SetsCarry, ReadsCarry } first = NoCarry;

  /// The carry in this assembly; if the first instruction reads it, the carry of
  /// the assembly that ran before (backend/link/Carries.h).
  std::string carryVariable() const {
    if (first == NoCarry)
      return "";
    return "unsigned xcc_carry = " +
           (first == ReadsCarry ? PtxFunctions.str() + "__xcc_carry_read()"
                                : "0") +
           "; ";
  }

  static std::string withoutComments(StringRef text) {
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text.substr(i).starts_with("//"))
        i = std::min(text.find('\n', i), text.size() - 1);
      else if (text.substr(i).starts_with("/*"))
        i = std::min(text.find("*/", i), text.size() - 2) + 1;
      else
        plain += text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
    }
    return plain;
  }

  bool statement(StringRef text) {
    if (text.consume_front(".reg")) {
      std::optional<std::string> variables = names.declare(text.trim());
      made += variables.value_or("");
      return variables.has_value();
    }
    std::string guard;
    if (text.consume_front("@")) {
      const bool inverted = text.consume_front("!");
      auto [name, after] = text.split(' ');
      std::optional<std::string> predicate = names.source(name.trim(), "bool");
      if (!predicate)
        return false;
      guard = "if (" + std::string(inverted ? "!" : "") + *predicate + ") ";
      text = after.ltrim();
    }
    const size_t end = text.find_first_of(" [");
    SmallVector<StringRef> parts;
    text.take_front(end).split(parts, '.');
    std::optional<SmallVector<StringRef>> args =
        arguments(end == StringRef::npos ? "" : text.substr(end));
    if (!args)
      return false;
    std::optional<std::string> call = instruction(parts, *args);
    if (!call)
      return false;
    made += guard + "{ " + *call + "; } ";
    ++count;
    return true;
  }

  /// Between commas that are in no brackets.
  static std::optional<SmallVector<StringRef>> arguments(StringRef text) {
    SmallVector<StringRef> found;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ',';
      depth += c == '{' || c == '[';
      depth -= c == '}' || c == ']';
      if (c != ',' || depth)
        continue;
      if (StringRef one = text.slice(begin, i).trim(); !one.empty())
        found.push_back(one);
      begin = i + 1;
    }
    if (depth)
      return std::nullopt;
    return found;
  }

  using Parts = ArrayRef<StringRef>;
  std::optional<std::string> instruction(Parts parts, Parts args) {
    StringRef name = parts.front();
    if (name == "ld" || name == "ldu" || name == "st")
      return memory(name == "st", parts.drop_front(), args);
    if (name == "atom" || name == "red")
      return atomic(name == "atom", parts.drop_front(), args);
    if (name == "cvt")
      return convert(parts.drop_front(), args);
    if (name == "setp")
      return compare(parts.drop_front(), args);
    if (std::optional<std::string> call = warp(parts, args))
      return call;
    return function(parts, args);
  }

  std::optional<std::string> function(Parts parts, Parts args) {
    StringRef type;
    std::string name = parts.front().str();
    bool sets = false;
    for (StringRef part : parts.drop_front()) {
      const bool ignored = is_contained(
          {"rn", "approx", "ftz", "full", "to", "global", "uni"}, part);
      if (part == "cc")
        sets = true;
      else if (!cxxTypeOfPtx(part).empty()) {
        if (!type.empty() && type != part)
          return std::nullopt;
        type = part;
      } else if (!ignored)
        name += "." + part.str();
    }
    if (type.empty())
      return std::nullopt;
    StringRef plain = name;
    const bool reads = plain.consume_front("addc") ||
                       plain.consume_front("subc") ||
                       plain.consume_front("madc");
    if (sets || reads)
      return withCarry(name, type, reads, sets, args);
    if (name == "mov" && args.size() == 2 &&
        (args[0].starts_with("{") || args[1].starts_with("{")))
      return pair(type, args);
    for (const Operation &each : Operations)
      if (each.name == name && args.size() == each.sources.size() + 1)
        return apply(each, type, args);
    return std::nullopt;
  }
  std::optional<std::string> apply(const Operation &each, StringRef type,
                                   Parts args) const {
    std::string call = (PtxFunctions + identifierOfPtx(each.name) + "_<" +
                        cxxTypeOfPtx(type) + ">(")
                           .str();
    for (auto [kind, arg] : zip(each.sources, args.drop_front())) {
      StringRef of = kind == 'u'   ? "unsigned"
                     : kind == 'p' ? "bool"
                     : kind == 'w' ? wideType(type)
                                   : cxxTypeOfPtx(type);
      std::optional<std::string> value =
          of.empty() ? std::nullopt : names.source(arg, of);
      if (!value)
        return std::nullopt;
      call += (call.back() == '(' ? "" : ", ") + *value;
    }
    return names.put(args.front(), call + ")");
  }
  /// `mov.b64 {low, high}, a` and `mov.b64 a, {low, high}`
  std::optional<std::string> pair(StringRef type, Parts args) const {
    const bool apart = args[0].starts_with("{");
    auto [first, second] = (apart ? args[0] : args[1]).trim("{}").split(',');
    StringRef half = StringSwitch<StringRef>(type)
                         .Case("b64", "unsigned")
                         .Case("b32", "unsigned short")
                         .Default("");
    if (half.empty() || second.empty() || apart == args[1].starts_with("{"))
      return std::nullopt;
    StringRef whole = cxxTypeOfPtx(type);
    if (!apart) {
      std::optional<std::string> low = names.source(first.trim(), half);
      std::optional<std::string> high = names.source(second.trim(), half);
      if (!low || !high)
        return std::nullopt;
      return names.put(args[0], PtxFunctions + "joined<" + whole + ">(" + *low +
                                    ", " + *high + ")");
    }
    std::optional<std::string> value = names.source(args[1], whole);
    auto part = [&](StringRef to, StringRef which) {
      return names.put(to.trim(),
                       PtxFunctions + which + "_half<" + half + ">(xcc_whole)");
    };
    std::optional<std::string> low = part(first, "low");
    std::optional<std::string> high = part(second, "high");
    if (!value || !low || !high)
      return std::nullopt;
    return "const auto xcc_whole = " + *value + "; " + *low + "; " + *high;
  }
  /// Additions that pass a carry on, to this assembly or a later one.
  std::optional<std::string> withCarry(StringRef name, StringRef type,
                                       bool reads, bool sets, Parts args) {
    StringRef how = name.take_front(3), part = name.split('.').second;
    const unsigned sources = how == "mad" ? 3 : 2;
    if (args.size() != sources + 1 || (how != "mad" && !part.empty()) ||
        (how == "mad" && part != "lo" && part != "hi"))
      return std::nullopt;
    std::string call = (PtxFunctions + how + (part.empty() ? "" : "_") + part +
                        "_carry<" + cxxTypeOfPtx(type) + ">(")
                           .str();
    for (StringRef arg : args.drop_front()) {
      std::optional<std::string> value = names.source(arg, cxxTypeOfPtx(type));
      if (!value)
        return std::nullopt;
      call += *value + ", ";
    }
    if (first == NoCarry)
      first = reads ? ReadsCarry : SetsCarry;
    std::optional<std::string> sum = names.put(
        args.front(), call + "xcc_carry, " + (reads ? "true" : "false") + ", " +
                          (sets ? "true" : "false") + ")");
    if (sum && sets)
      *sum += "; " + PtxFunctions.str() + "__xcc_carry_write(xcc_carry)";
    return sum;
  }

  std::optional<std::string> memory(bool stores, Parts parts,
                                    Parts args) const {
    StringRef type, how = "plain";
    unsigned many = 1;
    for (StringRef part : parts) {
      if (!cxxTypeOfPtx(part).empty())
        type = part;
      else if (part == "v2" || part == "v4")
        many = part == "v2" ? 2 : 4;
      else if (part == "volatile" || part == "cv" || part == "relaxed" ||
               part == "mmio")
        how = "relaxed";
      else if (part == "acquire" || part == "release")
        how = "ordered";
      else if (!part.starts_with("L1") && !part.starts_with("L2") &&
               !is_contained({"global", "nc", "ca", "cg", "cs", "lu", "wb",
                              "wt", "weak", "gpu", "sys", "cta", "no_allocate",
                              ":no_allocate", ":evict_last", ":128B", ":256B",
                              ":64B"},
                             part))
        return std::nullopt;
    }
    if (args.size() != 2 || type.empty())
      return std::nullopt;
    std::optional<std::string> at = names.address(args[stores ? 0 : 1]);
    StringRef list = args[stores ? 1 : 0];
    if (!at ||
        (many > 1 && (!list.consume_front("{") || !list.consume_back("}"))))
      return std::nullopt;
    SmallVector<StringRef> each;
    list.split(each, ',');
    if (each.size() != many)
      return std::nullopt;
    // All addresses come before what a load may overwrite.
    std::string all = "const auto xcc_at = " + *at + "; ";
    StringRef cxx = cxxTypeOfPtx(type);
    for (unsigned i = 0; i < many; ++i) {
      std::string place = ("xcc_at + sizeof(" + cxx + ") * " + utostr(i)).str();
      std::string name = (PtxFunctions + (stores ? "store_" : "load_") + how +
                          "<" + cxx + ">(")
                             .str();
      std::optional<std::string> one;
      if (!stores)
        one = names.put(each[i].trim(), name + place + ")");
      else if (std::optional<std::string> value =
                   names.source(each[i].trim(), cxx))
        one = name + place + ", " + *value + ")";
      if (!one)
        return std::nullopt;
      all += *one + (i + 1 < many ? "; " : "");
    }
    return all;
  }

  std::optional<std::string> atomic(bool returns, Parts parts,
                                    Parts args) const {
    StringRef type, what;
    for (StringRef part : parts) {
      if (!cxxTypeOfPtx(part).empty())
        type = part;
      else if (is_contained({"add", "exch", "cas", "min", "max", "and", "or",
                             "xor", "inc", "dec"},
                            part))
        what = part;
      else if (!is_contained({"global", "relaxed", "acquire", "release",
                              "acq_rel", "gpu", "sys", "cta"},
                             part))
        return std::nullopt;
    }
    const size_t sources = what == "cas" ? 2 : 1;
    if (type.empty() || what.empty() || args.size() != sources + 1 + returns)
      return std::nullopt;
    std::optional<std::string> at = names.address(args[returns]);
    if (!at)
      return std::nullopt;
    std::string call =
        (PtxFunctions + "atom_" + what + "<" + cxxTypeOfPtx(type) + ">(" + *at)
            .str();
    for (StringRef arg : args.take_back(sources)) {
      std::optional<std::string> value = names.source(arg, cxxTypeOfPtx(type));
      if (!value)
        return std::nullopt;
      call += ", " + *value;
    }
    return returns ? names.put(args.front(), call + ")") : call + ")";
  }

  std::optional<std::string> convert(Parts parts, Parts args) const {
    StringRef to, from, rounds = "none";
    for (StringRef part : parts) {
      if (!cxxTypeOfPtx(part).empty() || part == "bf16x2")
        (to.empty() ? to : from) = part;
      else if (is_contained({"rn", "rni", "rzi", "rmi", "rpi"}, part))
        rounds = part;
      else if (part != "ftz")
        return std::nullopt;
    }
    if (to.ends_with("x2") && from == "f32" && rounds == "rn" &&
        args.size() == 3)
      return convertTwo(to.drop_back(2), args);
    if (to.empty() || from.empty() || args.size() != 2)
      return std::nullopt;
    std::optional<std::string> value =
        names.source(args[1], cxxTypeOfPtx(from));
    if (!value)
      return std::nullopt;
    if (from.ends_with("f16"))
      value = "static_cast<float>(" + *value + ")";
    return names.put(args[0], PtxFunctions + "cvt_" + rounds + "<" +
                                  cxxTypeOfPtx(to) + ">(" + *value + ")");
  }

  /// `cvt.rn.f16x2.f32 d, high, low`
  std::optional<std::string> convertTwo(StringRef to, Parts args) const {
    std::optional<std::string> high = names.source(args[1], "float");
    std::optional<std::string> low = names.source(args[2], "float");
    if (!high || !low)
      return std::nullopt;
    auto half = [&](StringRef value) {
      return (PtxFunctions + "get<unsigned short>(" + PtxFunctions + "cvt_rn<" +
              cxxTypeOfPtx(to) + ">(" + value + "))")
          .str();
    };
    return names.put(args[0], PtxFunctions + "joined<unsigned>(" + half(*low) +
                                  ", " + half(*high) + ")");
  }

  std::optional<std::string> compare(Parts parts, Parts args) const {
    if (parts.size() < 2 || args.size() != 3 ||
        cxxTypeOfPtx(parts.back()).empty() ||
        (parts.size() == 3 && parts[1] != "ftz") || parts.size() > 3)
      return std::nullopt;
    StringRef sign = StringSwitch<StringRef>(parts[0])
                         .Case("eq", "==")
                         .Case("ne", "!=")
                         .Cases({"lt", "lo"}, "<")
                         .Cases({"le", "ls"}, "<=")
                         .Cases({"gt", "hi"}, ">")
                         .Cases({"ge", "hs"}, ">=")
                         .Default("");
    StringRef type = cxxTypeOfPtx(parts.back());
    std::optional<std::string> one = names.source(args[1], type);
    std::optional<std::string> other = names.source(args[2], type);
    if (sign.empty() || !one || !other)
      return std::nullopt;
    return names.put(args[0], *one + " " + sign + " " + *other);
  }

  /// Instructions of a warp, a block, and of nothing.
  std::optional<std::string> warp(Parts parts, Parts args) const {
    const std::string name = join(parts, ".");
    auto call = [&](StringRef function, unsigned sources,
                    StringRef type) -> std::optional<std::string> {
      if (args.size() != sources + 1)
        return std::nullopt;
      std::string made = (PtxFunctions + function + "(").str();
      for (StringRef arg : args.drop_front()) {
        std::optional<std::string> value = names.source(arg, type);
        if (!value)
          return std::nullopt;
        made += (made.back() == '(' ? "" : ", ") + *value;
        type = "unsigned";
      }
      return names.put(args.front().split('|').first, made + ")");
    };
    if (name == "activemask.b32")
      return call("activemask", 0, "unsigned");
    StringRef rest = name;
    if (rest.consume_front("vote.sync.") &&
        is_contained({"any.pred", "all.pred", "ballot.b32"}, rest))
      return call(("vote_" + rest.split('.').first).str(), 2, "bool");
    rest = name;
    if (rest.consume_front("shfl.sync.") && rest.consume_back(".b32") &&
        args.size() == 5 && !args[0].contains('|') &&
        is_contained({"up", "down", "bfly", "idx"}, rest))
      return call(("shfl_" + rest).str(), 4, "unsigned");
    if ((name == "bar.sync" || name == "barrier.sync" ||
         name == "barrier.cta.sync") &&
        args.size() == 1 && args[0] == "0")
      return PtxFunctions.str() + "bar_sync()";
    if (name == "bar.warp.sync" && args.size() == 1)
      if (std::optional<std::string> mask = names.source(args[0], "unsigned"))
        return PtxFunctions.str() + "bar_warp_sync(" + *mask + ")";
    rest = name;
    if (args.empty() &&
        (rest.starts_with("membar.") || rest.starts_with("fence.")) &&
        !rest.contains("proxy"))
      return PtxFunctions.str() + (rest.ends_with(".cta")   ? "fence_block()"
                                   : rest.ends_with(".sys") ? "fence_system()"
                                                            : "fence_device()");
    if (name == "trap" && args.empty())
      return "__builtin_trap()";
    if (rest.starts_with("prefetch.global.") && args.size() == 1)
      return std::string("(void)0");
    return std::nullopt;
  }
};

} // namespace

std::optional<std::string> translatePtx(StringRef text,
                                        ArrayRef<PtxOperand> operands) {
  return Translator(operands).run(text);
}

} // namespace xcc
