// From a function's statements to its code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode.h"
#include "hot.h"
#include "test/simulator/common/checks.h"

#include <algorithm>
#include <cstring>

namespace ptx {

static std::unordered_map<std::string_view, Decoder::Of> &opcodes() {
  static auto &all = *new std::unordered_map<std::string_view, Decoder::Of>;
  return all;
}

bool Decoder::add(std::initializer_list<std::pair<std::string_view, Of>> some) {
  for (auto &[name, how] : some)
    opcodes()[name] = how;
  return true;
}

static std::string whole(const Statement &s) {
  std::string name(s.opcode);
  for (std::string_view m : s.modifiers)
    name += "." + std::string(m);
  return name;
}

void Decoder::refuse(const std::string &why) const {
  std::string where = "in function '" + std::string(f.name) + "'";
  if (auto file = p.source->files.find(s ? s->from.file : 0);
      s && s->from.line && file != p.source->files.end())
    where += ", " + file->second + ":" + std::to_string(s->from.line);
  Lexer::refuse(s ? s->line : f.line,
                (s ? "'" + whole(*s) + "': " : "") + why + " (" + where + ")");
}

void Decoder::refuseUnknown(const std::string &what) const {
  refuse(what + ", which this simulator does not execute: leave it out where "
                "the program is simulated, or run it on a GPU");
}

bool Decoder::knows(std::string_view opcode) {
  return opcodes().count(opcode) != 0;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Decoder::has(std::string_view name) {
  for (size_t n = 0; n != used.size(); ++n)
    if (!used[n] && s->modifiers[n] == name)
      return used[n] = true;
  return false;
}

int Decoder::oneOf(std::initializer_list<std::string_view> names) {
  int n = 0;
  for (std::string_view name : names) {
    if (has(name))
      return n;
    ++n;
  }
  return -1;
}

bool Decoder::hasType() {
  for (size_t n = 0; n != used.size(); ++n)
    if (!used[n] && typeNamed(s->modifiers[n]).of != Type::None)
      return true;
  return false;
}

Type Decoder::type() {
  for (size_t n = 0; n != used.size(); ++n)
    if (!used[n])
      if (Type t = typeNamed(s->modifiers[n]); t.of != Type::None) {
        used[n] = true;
        return t;
      }
  refuse("a type is missing");
}

void Decoder::ignore(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    has(name);
}

void Decoder::scope() { ignore({"cta", "cluster", "gpu", "sys"}); }

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

const Operand &Decoder::operand(size_t n) {
  if (n >= s->operands.size())
    refuse("operand " + std::to_string(n + 1) + " is missing");
  neededOperands = std::max(neededOperands, n + 1);
  return s->operands[n];
}

void Decoder::needs(size_t count) { neededOperands = count; }

unsigned Decoder::registerBytes(Type t) {
  return t.of == Type::Pred ? 4 / WarpSize : t.bytes();
}

int32_t Decoder::slot(int reg) { return slots[size_t(reg)]; }

int32_t Decoder::anyRegister(const Operand &o, unsigned &bytes) {
  if (o.is != Operand::Register || o.negated || o.second != -1)
    refuse("an operand must be a register");
  Type t = f.registers[size_t(o.index)];
  if (t.of == Type::Pred)
    refuse("an operand must not be a predicate");
  bytes = registerBytes(t);
  return slot(o.index);
}

int32_t Decoder::sizedRegister(const Operand &o, unsigned bytes) {
  unsigned has;
  int32_t at = anyRegister(o, has);
  if (has != bytes)
    refuse("a register of " + std::to_string(8 * has) + " bits for " +
           std::to_string(8 * bytes));
  return at;
}

int32_t Decoder::outRegister(const Operand &o, unsigned bytes) {
  const int32_t at = sizedRegister(o, bytes);
  writes.push_back({at, uint8_t(bytes)});
  return at;
}

int32_t Decoder::out(size_t n, unsigned bytes) {
  Operand o = operand(n);
  o.second = -1; // whoever expects one asks for it
  return outRegister(o, bytes);
}

int32_t Decoder::constant(uint64_t bits, unsigned bytes) {
  if (bytes < 8)
    bits &= (uint64_t(1) << 8 * bytes) - 1;
  auto [known, isNew] = constants.try_emplace({bits, bytes}, 0);
  if (isNew) {
    size_t at = (c.pool.size() + 15) / 16 * 16;
    c.pool.resize(at + bytes * WarpSize);
    for (unsigned l = 0; l != WarpSize; ++l)
      memcpy(&c.pool[at + l * bytes], &bits, bytes);
    known->second = ~int32_t(at);
  }
  return known->second;
}

int32_t Decoder::constantPredicate(bool value) {
  auto [known, isNew] = constants.try_emplace({value ? AllLanes : 0, 0}, 0);
  if (isNew) {
    size_t at = (c.pool.size() + 15) / 16 * 16;
    c.pool.resize(at + 4);
    uint32_t mask = value ? AllLanes : 0;
    memcpy(&c.pool[at], &mask, 4);
    known->second = ~int32_t(at);
  }
  return known->second;
}

uint64_t Decoder::symbol(std::string_view name) {
  return p.addressOf(name, s->line);
}

int Decoder::sharedVariable(const Operand &o) const {
  if (o.is == Operand::Local)
    return sharedAt[size_t(o.index)];
  if (o.is != Operand::Symbol)
    return -1;
  auto found = p.source->variableNames.find(o.name);
  if (found == p.source->variableNames.end() ||
      p.source->variables[size_t(found->second)].in != Space::Shared)
    return -1;
  for (size_t n = 0; n != p.shared.size(); ++n)
    if (p.shared[n].name.data() ==
        p.source->variables[size_t(found->second)].name.data())
      return int(n);
  return -1;
}

int32_t Decoder::preset(int sharedVariable, uint64_t plus) {
  auto [known, isNew] = presets.try_emplace({sharedVariable, plus}, 0);
  if (isNew) {
    c.frameBytes = (c.frameBytes + 31) / 32 * 32;
    known->second = int32_t(c.frameBytes);
    c.frameBytes += 8 * WarpSize;
    c.presets.push_back({known->second, sharedVariable, plus});
    if (sharedVariable >= 0)
      c.sharedUsed.push_back(sharedVariable);
  }
  return known->second;
}

/// Where in local memory a parameter is that has its address taken.
uint64_t Decoder::spilled(size_t n) {
  const Variable &v = f.variables[n];
  if (localAt[n] < 0) {
    uint64_t at = (uint64_t(c.localBytes) + v.align - 1) / v.align * v.align;
    localAt[n] = int64_t(at);
    c.localBytes = uint32_t((at + v.size + 7) / 8 * 8);
    c.localAlign = std::max(c.localAlign, v.align);
    c.spills.push_back({passedAt[n], at});
  }
  return uint64_t(localAt[n]);
}

int32_t Decoder::carry() {
  if (carry_ < 0) {
    carry_ = int32_t(c.frameBytes = (c.frameBytes + 31) / 32 * 32);
    c.frameBytes += 4;
  }
  return carry_;
}

Type Decoder::writtenAs(const Operand &reg) {
  if (written.empty()) {
    written.resize(f.registers.size());
    for (const Statement &each : f.body) {
      if (each.operands.empty() || each.operands[0].is != Operand::Register ||
          each.opcode == "st")
        continue;
      // The first type is the result's.
      for (std::string_view m : each.modifiers) {
        Type t = typeNamed(m);
        if (t.of == Type::F || t.of == Type::BF)
          written[size_t(each.operands[0].index)] = t;
        if (t.of != Type::None)
          break;
      }
    }
  }
  return written[size_t(reg.index)];
}

int32_t Decoder::temporary(unsigned bytes) {
  c.frameBytes = (c.frameBytes + 31) / 32 * 32;
  int32_t at = int32_t(c.frameBytes);
  c.frameBytes += bytes * WarpSize;
  return at;
}

const Passed *Decoder::passed(const Operand &o) const {
  if (o.is != Operand::Local || f.variables[size_t(o.index)].in != Space::Param)
    return nullptr;
  return &passedAt[size_t(o.index)];
}

int32_t Decoder::in(const Operand &o, Type t) {
  const int32_t at = readOnly(o, t);
  reads.push_back({at, uint8_t(t.bytes())});
  return at;
}

int32_t Decoder::readOnly(const Operand &o, Type t) {
  unsigned bytes = t.bytes();
  switch (o.is) {
  case Operand::Register:
    return sizedRegister(o, bytes);
  case Operand::Integer:
    if (t.of == Type::F && t.elementBits >= 32)
      refuse("a whole number for a floating-point operand");
    return constant(o.bits, bytes);
  case Operand::Single:
    if (bytes != 4)
      refuse("a 32-bit number for an operand of another size");
    return constant(o.bits, bytes);
  case Operand::Double: {
    if (bytes == 8)
      return constant(o.bits, bytes);
    if (t.of != Type::F || bytes != 4)
      refuse("a 64-bit number for an operand of another size");
    float value = float(__builtin_bit_cast(double, o.bits));
    return constant(__builtin_bit_cast(uint32_t, value), bytes);
  }
  case Operand::Symbol:
  case Operand::Local: {
    if (bytes != 8 && !(bytes == 4 && sharedVariable(o) >= 0))
      refuse("an address for an operand of another size");
    if (o.is == Operand::Local) {
      const Variable &v = f.variables[size_t(o.index)];
      if (v.in == Space::Local && bytes == 8)
        return preset(-1, uint64_t(localAt[size_t(o.index)]) + o.bits);
      if (v.in == Space::Param && f.entry &&
          size_t(o.index) < f.of.takes.size())
        return constant(uint64_t(passedAt[size_t(o.index)].at) + o.bits, 8);
      if (v.in == Space::Param && bytes == 8 &&
          size_t(o.index) < f.of.takes.size())
        return preset(-1, spilled(size_t(o.index)) + o.bits);
    }
    if (int shared = sharedVariable(o); shared >= 0 && bytes == 8) {
      if (o.bits)
        refuse("the address of a shared variable plus an offset");
      return preset(shared, 0);
    }
    if (o.is == Operand::Symbol && sharedVariable(o) < 0)
      return constant(symbol(o.name) + o.bits, 8);
    refuse("the address of '" + std::string(o.name) + "' is not supported");
  }
  default:
    refuse("an operand of a kind that the instruction does not have");
  }
}

int32_t Decoder::in(size_t n, Type t) { return in(operand(n), t); }

int32_t Decoder::outPredicate(int reg) {
  const int32_t at = predicate(reg);
  writes.push_back({at});
  return at;
}

int32_t Decoder::predicate(int reg) const {
  if (reg < 0 || f.registers[size_t(reg)].of != Type::Pred)
    refuse("an operand must be a predicate");
  return slots[size_t(reg)];
}

int32_t Decoder::inPredicate(size_t n, bool &negated) {
  const Operand &o = operand(n);
  negated = o.negated;
  if (o.is != Operand::Integer && (o.is != Operand::Register || o.second != -1))
    refuse("an operand must be a predicate");
  const int32_t at = o.is == Operand::Integer ? constantPredicate(o.bits & 1)
                                              : predicate(o.index);
  reads.push_back({at, 0, negated});
  return at;
}

int32_t Decoder::second(size_t n) {
  int reg = operand(n).second;
  return reg < 0 ? -1 : outPredicate(reg);
}

void Decoder::address(size_t n, Space where, Inst &i) {
  const Operand &o = operand(n);
  if (o.is != Operand::Memory)
    refuse("operand " + std::to_string(n + 1) + " must be an address");
  const Operand &base = o.parts[0];
  i.imm = o.bits;
  i.in = where;
  if (base.is == Operand::Register) {
    unsigned bytes;
    i.a = anyRegister(base, bytes);
    if (bytes != 8)
      refuse("addresses must have 64 bits");
  } else if (base.is == Operand::Integer) {
    i.a = constant(base.bits, 8);
  } else {
    i.a = in(base, {Type::B, 1, 64});
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Inst Decoder::make() const {
  Inst i;
  i.line = s->line;
  i.from = s->from;
  return i;
}

Inst &Decoder::emit(Handler run) {
  c.insts.push_back(make());
  c.insts.back().run = run;
  steps.emplace_back();
  return c.insts.back();
}

void Decoder::placeVariables() {
  uint32_t at = 0;
  auto take = [&](uint32_t bytes) {
    at = (at + 31) / 32 * 32;
    uint32_t here = at;
    at += bytes;
    return int32_t(here);
  };
  slots.reserve(f.registers.size());
  for (Type t : f.registers)
    slots.push_back(take(t.of == Type::Pred ? 4 : t.bytes() * WarpSize));
  uint64_t parameters = 0, local = 0;
  for (size_t n = 0; n != f.variables.size(); ++n) {
    const Variable &v = f.variables[n];
    passedAt.emplace_back();
    localAt.push_back(-1);
    sharedAt.push_back(-1);
    switch (v.in) {
    case Space::Param:
      if (f.entry && n < f.of.takes.size()) {
        // In the launch's own bytes.
        parameters = placeParameter(parameters, v.align, p.capability);
        passedAt.back() = {int32_t(parameters), uint32_t(v.size)};
        parameters += v.size;
      } else {
        uint32_t bytes = Passed::strideOf(v.size) * WarpSize;
        passedAt.back() = {take(bytes), uint32_t(v.size)};
      }
      break;
    case Space::Local:
      local = (local + v.align - 1) / v.align * v.align;
      localAt.back() = int64_t(local);
      local += v.size;
      c.localAlign = std::max(c.localAlign, v.align);
      break;
    case Space::Shared:
      sharedAt.back() = int(p.shared.size());
      p.shared.push_back({v.name, v.size, v.align, false});
      break;
    default:
      break;
    }
  }
  c.localBytes = uint32_t((local + 7) / 8 * 8);
  c.frameBytes = at;
  for (size_t n = 0; n != f.of.takes.size(); ++n)
    c.takes.push_back(passedAt[n]);
  for (size_t n = 0; n != f.of.returns.size(); ++n)
    c.returns.push_back(passedAt[f.of.takes.size() + n]);
}

void Decoder::decodeOne() {
  auto found = opcodes().find(s->opcode);
  if (found == opcodes().end())
    refuseUnknown("unknown instruction");
  used.assign(s->modifiers.size(), false);
  neededOperands = 0;
  reads.clear();
  writes.clear();
  size_t before = c.insts.size();
  found->second(*this);
  for (size_t n = 0; n != used.size(); ++n)
    if (!used[n])
      refuseUnknown("unknown modifier '." + std::string(s->modifiers[n]) + "'");
  if (neededOperands != s->operands.size())
    refuse(std::to_string(s->operands.size()) + " operands instead of " +
           std::to_string(neededOperands));
  for (size_t n = before; n != c.insts.size(); ++n) {
    if (s->guard >= 0) {
      c.insts[n].guard = predicate(s->guard);
      c.insts[n].guardNot = s->guardNot;
      steps[n].guarded = true;
    }
  }
  if (simulator::checksInit())
    makeRules(before);
}

void Decoder::resolveTargets() {
  // Targets were numbers of statements.
  auto at = [&](uint32_t statement) { return first[statement]; };
  for (size_t n = 0; n != steps.size(); ++n) {
    if (c.insts[n].target != Nowhere)
      c.insts[n].target = at(c.insts[n].target);
    for (uint32_t &t : steps[n].to)
      t = at(t);
  }
  for (auto &table : c.tables)
    for (uint32_t &t : table)
      t = at(t);
}

/// Whether the next thing that a call's lanes do with others is to wait for them.
bool Decoder::joinsBehind(size_t call) const {
  for (size_t n = call + 1; n != steps.size(); ++n) {
    if (c.insts[n].sync)
      return true;
    if (steps[n].branch || steps[n].ends || steps[n].call >= 0)
      break;
  }
  return false;
}

void Decoder::resolve() {
  for (size_t n = 0; n != steps.size(); ++n)
    if (steps[n].call >= 0) {
      CallSite &site = c.calls[size_t(steps[n].call)];
      steps[n].recurses = site.recurses;
      site.joined = joinsBehind(n);
    }
  std::vector<uint32_t> meetings = findMeetings(steps);
  for (size_t n = 0; n != steps.size(); ++n) {
    c.insts[n].meeting = meetings[n];
    c.insts[n].branches = steps[n].branch;
    if (steps[n].meetsBehind)
      c.insts[n + 1].meets = true;
    if (meetings[n] != Nowhere)
      c.insts[meetings[n]].meets = true;
  }
  markBlocks(c);
}

/// ptxas stores a parameter that has its address taken before it sets the
/// register that addresses the frame, where the function allocates.
void Decoder::refuseLostParameters() {
  if (!c.allocates)
    return;
  for (size_t n = 0; n != localAt.size(); ++n)
    if (f.variables[n].in == Space::Param && localAt[n] >= 0 &&
        f.variables[n].size <= 48) // more is passed in memory
      refuse("the address of '" + std::string(f.variables[n].name) +
             "' is taken where alloca is used");
}

void Decoder::decode() {
  placeVariables();
  for (const Statement &now : f.body) {
    s = &now;
    first.push_back(uint32_t(c.insts.size()));
    decodeOne();
  }
  s = nullptr;
  first.push_back(uint32_t(c.insts.size()));
  // What runs past its end returns.
  static const Statement end = [] {
    Statement ret;
    ret.opcode = "ret";
    return ret;
  }();
  s = &end;
  decodeOne();
  c.insts.back().line = f.body.empty() ? f.line : f.body.back().line;
  s = nullptr;
  refuseLostParameters();
  resolveTargets();
  c.first = first;
  c.slots = slots;
  std::sort(c.sharedUsed.begin(), c.sharedUsed.end());
}

} // namespace ptx

/// For tests: whether an instruction of that name is known, in some form.
extern "C" __attribute__((visibility("default"))) bool
simulator_knows(const char *opcode) {
  return ptx::Decoder::knows(opcode);
}
