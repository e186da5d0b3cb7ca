// Uninitialised values: what each instruction makes of them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction that is not named here has results that are undefined as a whole
// when any bit of an operand is.

#include "definedness_rules.h"
#include "decode.h"
#include "test/simulator/common/undefined_bits.h"

#include <algorithm>

namespace ptx {

using namespace simulator;

namespace {

/// The operands of one lane, as many as there are.
struct Operands {
  Partly of[4];
  unsigned bits[4]; ///< of each
  uint64_t any = 0; ///< undefined bits of all
  const Partly &a = of[0], &b = of[1], &c = of[2], &d = of[3];
};
using Make = uint64_t (*)(const Operands &, const Rule &);

//===--- The result's undefined bits ---------------------------------------===//

uint64_t makeAll(const Operands &o, const Rule &) { return allIfAny(o.any); }
uint64_t makeUpwards(const Operands &o, const Rule &) { return upwards(o.any); }
uint64_t makeSame(const Operands &o, const Rule &) { return o.a.undefined; }
uint64_t makeXor(const Operands &o, const Rule &) {
  return o.a.undefined | o.b.undefined;
}
uint64_t makeAnd(const Operands &o, const Rule &) {
  return undefinedAnd(o.a, o.b);
}
uint64_t makeOr(const Operands &o, const Rule &) {
  return undefinedOr(o.a, o.b);
}
uint64_t makeAdd(const Operands &o, const Rule &) {
  return undefinedAdd(o.a, o.b);
}
uint64_t makeSub(const Operands &o, const Rule &) {
  return undefinedSub(o.a, o.b);
}
uint64_t makeNeg(const Operands &o, const Rule &) {
  return undefinedSub({}, o.a);
}
uint64_t makeMul(const Operands &o, const Rule &) {
  return undefinedMul(o.a, o.b);
}
uint64_t makeMad(const Operands &o, const Rule &) {
  return upwards(undefinedMul(o.a, o.b) | o.c.undefined);
}
uint64_t makeSelect(const Operands &o, const Rule &) {
  return undefinedSelect(o.c, o.a, o.b);
}
uint64_t makeTable(const Operands &o, const Rule &) {
  return undefinedTable(o.a, o.b, o.c, unsigned(o.d.value));
}
uint64_t makeZeros(const Operands &o, const Rule &) {
  return undefinedLeadingZeros(o.a, o.bits[0]);
}
/// Each half of its own.
uint64_t makeHalves(const Operands &o, const Rule &) {
  if (o.bits[0] == 64)
    return (uint32_t(o.any) ? 0xffffffff : 0) |
           (o.any >> 32 ? ~uint64_t(0) << 32 : 0);
  return (o.any & 0xffff ? 0xffff : 0) | (o.any >> 16 ? 0xffff0000 : 0);
}
/// cvt.rn.f16x2.f32: a in the upper half.
uint64_t makeTwo(const Operands &o, const Rule &) {
  return (o.a.undefined ? 0xffff0000 : 0) | (o.b.undefined ? 0xffff : 0);
}

uint64_t signedBits(uint64_t v, unsigned bits) {
  return bits >= 64 ? v : uint64_t(int64_t(v << (64 - bits)) >> (64 - bits));
}

uint64_t makeShiftLeft(const Operands &o, const Rule &) {
  if (o.b.undefined)
    return allIfAny(o.any);
  return o.b.value >= o.bits[0] ? 0 : o.a.undefined << o.b.value;
}
uint64_t makeShiftRight(const Operands &o, const Rule &r) {
  if (o.b.undefined)
    return allIfAny(o.any);
  const uint64_t by = std::min<uint64_t>(o.b.value, o.bits[0]);
  if (r.type.of == Type::S)
    return uint64_t(int64_t(signedBits(o.a.undefined, o.bits[0])) >>
                    std::min<uint64_t>(by, 63));
  return by == 64 ? 0 : o.a.undefined >> by;
}
/// shf: left or right (r.kind), by c modulo 32 or at most 32.
enum FunnelKind : uint8_t { FunnelLeft = 1, FunnelClamp = 2 };
uint64_t makeFunnel(const Operands &o, const Rule &r) {
  if (o.c.undefined)
    return allIfAny(o.any);
  const uint64_t whole = o.b.undefined << 32 | o.a.undefined,
                 by = r.kind & FunnelClamp ? std::min<uint64_t>(o.c.value, 32)
                                           : o.c.value & 31;
  return r.kind & FunnelLeft ? whole << by >> 32 : whole >> by;
}
uint64_t makeExtract(const Operands &o, const Rule &r) {
  if (o.b.undefined | o.c.undefined)
    return allIfAny(o.any);
  const unsigned at = o.b.value & 255, length = o.c.value & 255,
                 bits = o.bits[0];
  const uint64_t above = at < bits ? o.a.undefined >> at : 0;
  const unsigned keep = std::min(length, at < bits ? bits - at : 0);
  // The sign is the highest bit that is there.
  const unsigned sign = std::min(at + length, bits) - 1;
  const bool extends = r.type.of == Type::S && length && keep < bits &&
                       o.a.undefined >> sign & 1;
  return (above & lowBits(keep)) | (extends ? ~lowBits(keep) : 0);
}
uint64_t makeInsert(const Operands &o, const Rule &) {
  if (o.c.undefined | o.d.undefined)
    return allIfAny(o.any);
  const unsigned at = o.c.value & 255, length = o.d.value & 255;
  if (at >= 64)
    return o.b.undefined;
  const uint64_t mask = lowBits(length) << at;
  return (o.b.undefined & ~mask) | (o.a.undefined << at & mask);
}
uint64_t makeReversed(const Operands &o, const Rule &) {
  return __builtin_bitreverse64(o.a.undefined) >> (64 - o.bits[0]);
}
/// prmt without a mode; with one, all or nothing.
uint64_t makePermuted(const Operands &o, const Rule &r) {
  if (o.c.undefined || r.kind)
    return allIfAny(o.any);
  const uint64_t bytes = o.b.undefined << 32 | o.a.undefined;
  uint64_t out = 0;
  for (unsigned n = 0; n != 4; ++n) {
    const unsigned which = o.c.value >> 4 * n & 15;
    uint64_t byte = bytes >> 8 * (which & 7) & 255;
    if (which & 8)
      byte = byte & 128 ? 255 : 0;
    out |= byte << 8 * n;
  }
  return out;
}

/// mul.wide and mad.wide: of the operands at their full width.
uint64_t makeWide(const Operands &o, const Rule &r) {
  auto wide = [&](unsigned n) {
    Partly p = o.of[n];
    if (r.type.of == Type::S) {
      p.value = signedBits(p.value, o.bits[n]);
      p.undefined = signedBits(p.undefined, o.bits[n]);
    }
    return p;
  };
  return upwards(undefinedMul(wide(0), wide(1)) | o.c.undefined);
}

/// setp of integers: Rule::kind.
enum ComparisonKind : uint8_t { AnyOrder, Equality, Less, Greater };
uint64_t makeComparison(const Operands &o, const Rule &r) {
  if (o.c.undefined)
    return 1; // of another predicate
  Partly a = o.a, b = o.b;
  if (r.type.of == Type::S) {
    const uint64_t sign = uint64_t(1) << (o.bits[0] - 1);
    a.value ^= sign;
    b.value ^= sign;
  }
  switch (r.kind) {
  case Equality:
    return isEqualUndefined(a, b);
  case Less: // so too its opposite
    return isLessUndefined(a, b);
  case Greater:
    return isLessUndefined(b, a);
  }
  return o.any != 0;
}

/// cvt between integers without saturation.
uint64_t makeConversion(const Operands &o, const Rule &r) {
  uint64_t undefined = o.a.undefined & lowBits(r.from.bits());
  if (r.from.of == Type::S)
    undefined = signedBits(undefined, r.from.bits());
  undefined &= lowBits(r.type.bits());
  return r.type.of == Type::S ? signedBits(undefined, r.type.bits())
                              : undefined;
}

//===--- For all lanes -----------------------------------------------------===//

/// What an instruction does with a value: all of it is used, or parts are put
/// together, or it is the same as before.
enum Effect { Computes, PutsTogether, Copies };

/// Where the result's undefined bits are said to be from.
void passOrigin(Warp &w, const Rule &r, unsigned lane, Effect effect) {
  for (const Rule::Part &p : r.reads)
    if (undefinedBits(w, p, lane)) {
      const Origin from = *w.originOf(p.at);
      for (const Rule::Part &to : r.writes) {
        *w.originOf(to.at) = from;
        bool &computed = w.originOf(to.at)->computed;
        computed = effect == Computes || (effect == Copies && computed);
      }
      return;
    }
}

template <Make F, Effect E = Computes>
void lanewise(Warp &w, const Inst &, const Rule &r, uint32_t lanes) {
  if (std::none_of(r.reads.begin(), r.reads.end(),
                   [&](Rule::Part p) { return hasUndefined(w, p); })) {
    for (const Rule::Part &p : r.writes)
      setDefined(w, p, lanes);
    return;
  }
  for (uint32_t m = lanes; m; m &= m - 1) {
    const unsigned l = unsigned(__builtin_ctz(m));
    Operands o;
    for (unsigned n = 0; n != 4; ++n) {
      const bool is = n < r.reads.size();
      const Rule::Part p = is ? r.reads[n] : Rule::Part{};
      o.bits[n] = p.bytes ? 8 * p.bytes : 1;
      if (is)
        o.of[n] = {valueOf(w, p, l), undefinedBits(w, p, l)};
      o.any |= o.of[n].undefined;
    }
    const uint64_t out = o.any ? F(o, r) : 0;
    if (out)
      passOrigin(w, r, l, E);
    for (const Rule::Part &p : r.writes)
      setUndefinedBits(w, p, l, out);
  }
}

/// Instructions that move bits do the same with those that say what is undefined.
void moved(Warp &w, const Inst &i, const Rule &r, uint32_t lanes) {
  char *const data = w.data;
  const char *const pool = w.pool;
  w.data = w.undefined;
  w.pool = w.running->zeros.data();
  i.run(w, i, lanes);
  w.data = data;
  w.pool = pool;
  if (r.reads.empty())
    return;
  for (const Rule::Part &from : r.reads)
    if (from.at >= 0 && hasUndefined(w, from)) {
      const Origin o = *w.originOf(from.at);
      for (const Rule::Part &to : r.writes)
        if (to.at >= 0)
          *w.originOf(to.at) = o;
      return;
    }
}

/// With a carry: all or nothing.
void carried(Warp &w, const Inst &i, const Rule &r, uint32_t lanes) {
  Rule with = r;
  with.reads.push_back({i.p});
  with.writes.push_back({i.p});
  lanewise<makeAll>(w, i, with, lanes);
}

/// What an undefined value must not decide.
template <int Call>
void decided(Warp &w, const Inst &, const Rule &r, uint32_t lanes) {
  for (const Rule::Part &p : r.reads)
    for (uint32_t m = lanes; m; m &= m - 1) {
      const unsigned l = unsigned(__builtin_ctz(m));
      if (!undefinedBits(w, p, l))
        continue;
      w.accuse(Call ? "decides which function is called" : "decides a branch",
               m & -m, w.originOf(p.at));
      setUndefinedBits(w, p, l, 0);
    }
}

void halfPredicates(Warp &w, const Inst &i, const Rule &r, uint32_t lanes) {
  // The lower numbers' result, and the upper ones'.
  for (unsigned half = 0; half != r.writes.size(); ++half) {
    const Rule::Part to = r.writes[half];
    for (uint32_t m = lanes; m; m &= m - 1) {
      const unsigned l = unsigned(__builtin_ctz(m));
      const uint64_t any =
          undefinedBits(w, r.reads[0], l) | undefinedBits(w, r.reads[1], l);
      const bool is = any >> 16 * half & 0xffff;
      if (is)
        passOrigin(w, r, l, Computes);
      setUndefinedBits(w, to, l, is);
    }
  }
  (void)i;
}

bool isWhole(Type t) {
  return t.of == Type::U || t.of == Type::S || t.of == Type::B ||
         t.of == Type::Pred;
}

Rule::Track integerRule(std::string_view name) {
  static const std::unordered_map<std::string_view, Rule::Track> rules = {
      {"add", lanewise<makeAdd>},
      {"sub", lanewise<makeSub>},
      {"neg", lanewise<makeNeg>},
      {"mul", lanewise<makeMul>},
      {"mad", lanewise<makeMad>},
      {"abs", lanewise<makeUpwards>},
      {"and", lanewise<makeAnd, PutsTogether>},
      {"or", lanewise<makeOr, PutsTogether>},
      {"xor", lanewise<makeXor, PutsTogether>},
      {"not", lanewise<makeSame, PutsTogether>},
      {"lop3", lanewise<makeTable, PutsTogether>},
      {"shl", lanewise<makeShiftLeft>},
      {"shr", lanewise<makeShiftRight, PutsTogether>},
      {"shf", lanewise<makeFunnel, PutsTogether>},
      {"bfe", lanewise<makeExtract, PutsTogether>},
      {"bfi", lanewise<makeInsert, PutsTogether>},
      {"brev", lanewise<makeReversed, PutsTogether>},
      {"prmt", lanewise<makePermuted, PutsTogether>},
      {"clz", lanewise<makeZeros>},
      {"setp", lanewise<makeComparison>},
  };
  auto found = rules.find(name);
  return found == rules.end() ? lanewise<makeAll> : found->second;
}

ComparisonKind comparisonNamed(std::string_view name) {
  if (name == "eq" || name == "ne")
    return Equality;
  if (name == "lt" || name == "ge" || name == "lo" || name == "hs")
    return Less;
  if (name == "gt" || name == "le" || name == "hi" || name == "ls")
    return Greater;
  return AnyOrder;
}

} // namespace

/// ld, st, atom, red: of the registers that the instruction names.
void Decoder::makeMemoryRule(Rule &r, size_t at) {
  const Inst &i = c.insts[at];
  const bool store = s->opcode == "st";
  const Operand &memory = s->operands[store ? 0 : 1],
                &value = s->operands[store ? 1 : 0];
  const std::vector<Operand> parts =
      value.is == Operand::Vector ? value.parts : std::vector{value};
  unsigned bytes = std::max(2u, r.type.bytes());
  for (const Operand &p : parts)
    if (p.is == Operand::Register)
      bytes = registerBytes(typeOf(p));
  const Passed *in =
      memory.parts[0].is == Operand::Local ? passed(memory.parts[0]) : nullptr;
  const bool inFrame =
      in && !(f.entry && size_t(memory.parts[0].index) < f.of.takes.size());
  r.reads.clear();
  r.writes.clear();
  for (size_t n = 0; n != parts.size(); ++n) {
    const bool listed = inFrame || value.is == Operand::Vector;
    const int32_t slot = listed ? c.lists[i.extra][n] : store ? i.b : i.d;
    (store ? r.reads : r.writes).push_back({slot, uint8_t(bytes)});
  }
  if (inFrame) {
    // The variable as a whole, as calls have it.
    (store ? r.writes : r.reads)
        .push_back({in->at, uint8_t(std::min(in->stride(), 255u))});
    r.run = moved;
  } else {
    r.run = store ? trackStore : trackLoad;
  }
}

void Decoder::makeRules(size_t first) {
  c.rules.resize(c.insts.size());
  c.zeros.resize(c.pool.size());
  const std::string_view name = s->opcode;
  auto said = [&](std::string_view modifier) {
    return std::find(s->modifiers.begin(), s->modifiers.end(), modifier) !=
           s->modifiers.end();
  };
  if (c.insts.size() == first)
    return;
  Rule &r = c.rules.back();
  const Inst &i = c.insts.back();
  r.reads = reads;
  r.writes = writes;
  for (std::string_view m : s->modifiers)
    if (Type t = typeNamed(m); t.of != Type::None)
      (r.type.of == Type::None ? r.type : r.from) = t;
  r.bytes = uint8_t(r.type.bytes());
  const bool whole = isWhole(r.type) && r.type.packed == 1;
  r.run = whole                ? integerRule(name)
          : r.type.packed == 2 ? lanewise<makeHalves>
                               : lanewise<makeAll>;
  if (i.sync) {
    r.run = nullptr; // when the lanes meet
  } else if (name == "ld" || name == "ldu" || name == "st") {
    makeMemoryRule(r, c.insts.size() - 1);
    // A conversion may come before it.
    for (size_t n = first; n + 1 < c.insts.size(); ++n) {
      const uint8_t bytes = r.reads[0].bytes;
      c.rules[n].reads = {{c.insts[n].a, bytes}};
      c.rules[n].writes = {{c.insts[n].d, bytes}};
      c.rules[n].run = lanewise<makeAll>;
    }
  } else if (name == "atom" || name == "red") {
    std::erase_if(r.reads, [&](const Rule::Part &p) { return p.at == i.a; });
    r.kind = said("exch")  ? Exchange
             : said("cas") ? CompareAndSwap
                           : OtherAtomic;
    r.run = trackAtomic;
  } else if (name == "cp") {
    r.run = s->operands.size() == 3 ? trackCopy : nullptr;
  } else if (name == "mov") {
    const bool special = s->operands[1].is == Operand::Special;
    r.run = special                   ? lanewise<makeAll>
            : r.type.of == Type::Pred ? lanewise<makeSame, Copies>
                                      : moved;
  } else if (name == "selp") {
    r.run = lanewise<makeSelect, Copies>;
  } else if (name == "mul" || name == "mad") {
    if (said("wide"))
      r.run = lanewise<makeWide>;
    else if (said("hi") && whole)
      r.run = lanewise<makeAll>;
  } else if (name == "setp") {
    r.kind = r.type.of == Type::F || r.type.of == Type::BF
                 ? AnyOrder
                 : comparisonNamed(s->modifiers[0]);
    r.run = r.type.packed == 2 ? halfPredicates : lanewise<makeComparison>;
  } else if (name == "shf") {
    r.kind = uint8_t((said("l") ? FunnelLeft : 0) |
                     (said("clamp") ? FunnelClamp : 0));
  } else if (name == "lop3") {
    r.reads.resize(3);
    r.reads.push_back({constant(i.imm, 4), 4});
    c.zeros.resize(c.pool.size());
  } else if (name == "prmt") {
    r.kind = s->modifiers.size() > 1;
  } else if (name == "cvt" && r.type.packed == 2) {
    r.run = lanewise<makeTwo>;
  } else if (name == "cvt") {
    r.reads = {{i.a, uint8_t(i.imm >> 8)}};
    r.writes = {{i.d, uint8_t(i.imm & 255)}};
    r.run = isWhole(r.type) && isWhole(r.from) && !said("sat")
                ? lanewise<makeConversion, Copies>
                : lanewise<makeAll>;
  } else if (name == "cvta") {
    r.run = lanewise<makeSame, Copies>;
  } else if (name == "brx") {
    r.run = decided<false>;
  } else if (name == "call") {
    r.run = decided<true>;
  } else if (name == "prefetch" || name == "prefetchu") {
    r.run = nullptr;
  }
  if (said("cc") || name == "addc" || name == "subc" || name == "madc")
    r.run = carried;
}

} // namespace ptx
