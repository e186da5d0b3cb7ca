// Functions that are executed often
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hot.h"
#include "machine.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <set>
#include <utility>

namespace ptx {

using Op = simulator::LaneOperation;
using simulator::LaneBlock;
using simulator::LaneOperand;

/// Of blocks for which host code is made at a time: LLVM takes 0.2 s for them.
static constexpr uint64_t MostWeight = 400;
/// Instructions that are interpreted while host code is made, for one's weight.
static constexpr uint64_t CostOfWeight = 40'000;
/// As much as host code costs has been interpreted so often before it is made.
static constexpr uint64_t Pays = 2;

static constexpr uint64_t Never = ~uint64_t(0);

Role roleOf(std::string_view opcode) {
  static const std::unordered_map<std::string_view, Role> roles = [] {
    std::unordered_map<std::string_view, Role> all;
    for (const char *name :
         {"add",   "sub",   "addc", "subc",     "mul",      "mad",  "madc",
          "mul24", "mad24", "div",  "rem",      "abs",      "neg",  "min",
          "max",   "sad",   "and",  "or",       "xor",      "not",  "cnot",
          "shl",   "shr",   "shf",  "popc",     "clz",      "brev", "bfind",
          "bfe",   "bfi",   "bmsk", "fns",      "prmt",     "dp4a", "dp2a",
          "lop3",  "fma",   "rcp",  "sqrt",     "rsqrt",    "sin",  "cos",
          "lg2",   "ex2",   "tanh", "copysign", "testp",    "setp", "set",
          "selp",  "slct",  "cvt",  "cvta",     "isspacep", "mov",  "ld",
          "ldu",   "atom"})
      all[name] = Role::Writes;
    for (const char *name :
         {"st", "red", "prefetch", "prefetchu", "fence", "membar"})
      all[name] = Role::Reads;
    for (const char *name :
         {"shfl", "vote", "match", "redux", "activemask", "elect"})
      all[name] = Role::AloneWrites;
    all["bra"] = Role::Branch;
    return all;
  }();
  auto found = roles.find(opcode);
  return found == roles.end() ? Role::Alone : found->second;
}

static bool isAlone(std::string_view opcode) {
  const Role r = roleOf(opcode);
  return r == Role::Alone || r == Role::AloneWrites;
}

void markBlocks(Code &c) {
  std::vector<bool> begins(c.insts.size() + 1), alone(c.insts.size());
  const auto &body = c.of->body;
  begins[0] = true;
  for (size_t n = 0; n != c.insts.size(); ++n) {
    if (c.insts[n].meets)
      begins[n] = true;
    if (c.insts[n].target != Nowhere)
      begins[c.insts[n].target] = begins[n + 1] = true;
  }
  for (const auto &table : c.tables)
    for (uint32_t to : table)
      begins[to] = true;
  // What follows the body is a return.
  for (uint32_t n = c.first.back(); n < c.insts.size(); ++n)
    alone[n] = true;
  for (size_t n = 0; n != body.size(); ++n)
    if (isAlone(body[n].opcode))
      for (uint32_t at = c.first[n]; at != c.first[n + 1]; ++at)
        alone[at] = begins[at + 1] = true;
  std::vector<Spot> spots;
  uint32_t count = 0;
  for (size_t n = 0; n != c.insts.size(); ++n)
    count += begins[n] && !alone[n];
  c.spots = std::vector<Spot>(count);
  count = 0;
  for (uint32_t n = 0; n != c.insts.size(); ++n) {
    if (!begins[n] || alone[n])
      continue;
    Spot &s = c.spots[count++];
    s.pc = n;
    uint32_t end = n + 1;
    while (!begins[end] && !alone[end])
      ++end;
    s.count = end - n;
    c.insts[n].spot = count;
  }
}

HotCode::HotCode(const Code &c) : c(c) {
  number();
  operations.resize(c.insts.size());
  uses.resize(c.insts.size());
  opcodes.resize(c.insts.size(), "ret"); // what follows the body
  const auto &body = c.of->body;
  for (size_t n = 0; n != body.size(); ++n)
    read(body[n], c.first[n], c.first[n + 1]);
  findNumbers();
  findLiveness();
}

/// Those that the text names, and what presets fill.
void HotCode::number() {
  for (size_t n = 0; n != c.slots.size(); ++n) {
    const Type t = c.of->registers[n];
    const unsigned bytes = t.of == Type::Pred ? 0 : t.bytes();
    if (bytes > 8)
      continue;
    numberAt[c.slots[n]] = uint32_t(registers.size());
    registers.push_back({uint32_t(c.slots[n]), uint8_t(bytes), false});
  }
  for (const Preset &p : c.presets) {
    numberAt[p.slot] = uint32_t(registers.size());
    registers.push_back({uint32_t(p.slot), 8, false});
  }
}

void HotCode::mention(const Operand &o, std::vector<uint32_t> &to) const {
  auto note = [&](int reg) {
    auto found = numberAt.find(c.slots[size_t(reg)]);
    if (found != numberAt.end())
      to.push_back(found->second);
  };
  if (o.is == Operand::Register && o.index >= 0)
    note(o.index);
  if (o.is == Operand::Register && o.second >= 0)
    note(o.second);
  for (const Operand &part : o.parts)
    mention(part, to);
}

void HotCode::read(const Statement &s, uint32_t begin, uint32_t end) {
  const Role role = roleOf(s.opcode);
  const bool writes = role == Role::Writes || role == Role::AloneWrites;
  std::vector<uint32_t> from, to;
  for (size_t n = 0; n != s.operands.size(); ++n)
    mention(s.operands[n], n == 0 && writes ? to : from);
  // What other lanes have in it stays.
  if (s.guard >= 0)
    from.insert(from.end(), to.begin(), to.end());
  std::vector<uint32_t> all = from;
  if (s.guard >= 0)
    all.push_back(numberAt.at(c.slots[size_t(s.guard)]));
  for (uint32_t n = begin; n != end; ++n) {
    uses[n].reads = all;
    opcodes[n] = s.opcode;
    if (n + 1 == end)
      uses[n].writes = to;
    const Inst &i = c.insts[n];
    if (end == begin + 1) {
      operations[n] = laneOperation(s, i, c, numberAt);
    } else {
      operations[n].instruction = &i;
      if (s.guard >= 0) {
        operations[n].guard.is = LaneOperand::Register;
        operations[n].guard.negated = s.guardNot;
        operations[n].guard.reg = numberAt.at(c.slots[size_t(s.guard)]);
      }
    }
    // A preset is no register of the text; an operation may read it.
    for (const LaneOperand *o :
         {&operations[n].a, &operations[n].b, &operations[n].c})
      if (o->is == LaneOperand::Register)
        uses[n].reads.push_back(o->reg);
    const Op::Kind is = operations[n].is;
    if (is == Op::Call || is == Op::Load || is == Op::Store) {
      operations[n].reads = from;
      operations[n].writes = uses[n].writes;
    }
  }
}

/// Whether it gives floats whose NaN is one, if its operands are such.
bool HotCode::isNumber(const Op &o) const {
  auto is = [&](const LaneOperand &from) {
    if (from.is == LaneOperand::Register)
      return registers[from.reg].number;
    return (from.bits & 0x7fffffff) <= 0x7f800000;
  };
  switch (o.is) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Mad:
  case Op::Div:
  case Op::Reciprocal:
  case Op::Sqrt:
  case Op::ReciprocalSqrt:
  case Op::Min:
  case Op::Max:
  case Op::Convert:
    return o.type == Op::F32;
  case Op::Move:
    return (o.type == Op::F32 || o.type == Op::U32) && is(o.a);
  case Op::Select:
    return (o.type == Op::F32 || o.type == Op::U32) && is(o.a) && is(o.b);
  default:
    return false;
  }
}

void HotCode::findNumbers() {
  for (simulator::LaneRegister &r : registers)
    r.number = r.bytes == 4;
  for (const Preset &p : c.presets)
    registers[numberAt.at(p.slot)].number = false;
  for (const Statement &s : c.of->body)
    if (roleOf(s.opcode) == Role::Alone) {
      std::vector<uint32_t> all;
      for (const Operand &o : s.operands)
        mention(o, all);
      for (uint32_t reg : all)
        registers[reg].number = false;
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n != uses.size(); ++n) {
      const bool is = isNumber(operations[n]);
      for (uint32_t reg : uses[n].writes)
        if (registers[reg].number && !is) {
          registers[reg].number = false;
          changed = true;
        }
    }
  }
}

//===----------------------------------------------------------------------===//
// Which registers are still needed
//===----------------------------------------------------------------------===//

void HotCode::findNodes() {
  const size_t words = (registers.size() + 63) / 64;
  for (uint32_t n = 0; n != c.insts.size();) {
    const uint32_t spot = c.insts[n].spot;
    const uint32_t count = spot ? c.spots[spot - 1].count : 1;
    nodes.push_back({n, count, Set(words)});
    n += count;
  }
}

std::vector<uint32_t> HotCode::successors(const Node &n) const {
  const uint32_t at = n.pc + n.count - 1;
  const Inst &last = c.insts[at];
  const std::string_view opcode = opcodes[at];
  std::vector<uint32_t> out;
  if (opcode == "brx")
    out = c.tables[last.extra];
  if (last.target != Nowhere)
    out.push_back(last.target);
  const bool ends = opcode == "brx" || opcode == "ret" || opcode == "exit" ||
                    opcode == "trap" || last.target != Nowhere;
  if ((!ends || last.guard >= 0) && at + 1 != c.insts.size())
    out.push_back(at + 1);
  return out;
}

void HotCode::stepBack(uint32_t pc, Set &live) const {
  if (c.insts[pc].guard < 0)
    for (uint32_t reg : uses[pc].writes)
      live[reg / 64] &= ~(uint64_t(1) << reg % 64);
  for (uint32_t reg : uses[pc].reads)
    live[reg / 64] |= uint64_t(1) << reg % 64;
}

size_t HotCode::nodeOf(uint32_t pc) const {
  auto after =
      std::upper_bound(nodes.begin(), nodes.end(), pc,
                       [](uint32_t at, const Node &n) { return at < n.pc; });
  return size_t(after - nodes.begin()) - 1;
}

HotCode::Set HotCode::liveBehind(const Node &n) const {
  Set out((registers.size() + 63) / 64);
  for (uint32_t to : successors(n)) {
    const Set &more = nodes[nodeOf(to)].live;
    for (size_t w = 0; w != out.size(); ++w)
      out[w] |= more[w];
  }
  return out;
}

HotCode::Set HotCode::liveBefore(uint32_t pc) const {
  const Node &n = nodes[nodeOf(pc)];
  if (n.pc == pc)
    return n.live;
  Set live = liveBehind(n);
  for (uint32_t at = n.pc + n.count; at != pc; --at)
    stepBack(at - 1, live);
  return live;
}

void HotCode::findLiveness() {
  findNodes();
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = nodes.size(); n--;) {
      Set live = liveBehind(nodes[n]);
      for (uint32_t at = nodes[n].pc + nodes[n].count; at != nodes[n].pc; --at)
        stepBack(at - 1, live);
      if (live != nodes[n].live) {
        nodes[n].live = std::move(live);
        changed = true;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// What host code is made of
//===----------------------------------------------------------------------===//

LaneBlock HotCode::blockAt(const Spot &spot) const {
  LaneBlock out;
  out.pc = spot.pc;
  out.count = spot.count;
  out.entry = true;
  out.meets = c.insts[spot.pc].meets;
  const uint32_t end = spot.pc + spot.count;
  const Inst &last = c.insts[end - 1];
  const bool branches = last.target != Nowhere;
  for (uint32_t n = spot.pc; n != end - branches; ++n)
    out.operations.push_back(operations[n]);
  out.next = end;
  if (branches) {
    out.target = last.target;
    out.end = last.guard >= 0 ? LaneBlock::Parts : LaneBlock::Goes;
    out.condition = operations[end - 1].guard;
  }
  return out;
}

simulator::LaneExit HotCode::exitAt(uint32_t pc) const {
  simulator::LaneExit out;
  out.pc = pc;
  const Set live = liveBefore(pc);
  for (size_t w = 0; w != live.size(); ++w)
    for (uint64_t rest = live[w]; rest; rest &= rest - 1)
      out.live.push_back(uint32_t(64 * w) + uint32_t(std::countr_zero(rest)));
  return out;
}

/// Instructions, and registers that have to be there when it is entered.
uint64_t HotCode::weightOf(const Spot &s) const {
  uint64_t registersThere = 0;
  for (uint64_t word : nodes[nodeOf(s.pc)].live)
    registersThere += uint64_t(std::popcount(word));
  return s.count + registersThere;
}

HotRegion HotCode::around(const Spot &spot, bool all) const {
  const uint64_t warm = simulator::hotFrom() / 16;
  auto isMade = [](const Spot &s) { return s.hotAt == Never; };
  // Other threads count on, so each count is read once.
  std::vector<std::pair<uint64_t, const Spot *>> blocks;
  for (const Spot &s : c.spots)
    if (const uint64_t heat = s.heat;
        &s != &spot && !isMade(s) && (all || heat > warm))
      blocks.emplace_back(heat, &s);
  std::sort(blocks.begin(), blocks.end(), [](const auto &a, const auto &b) {
    return std::pair(b.first, a.second->pc) < std::pair(a.first, b.second->pc);
  });
  blocks.emplace(blocks.begin(), spot.heat, &spot);
  HotRegion out;
  uint64_t weight = 0;
  for (const auto &[heat, s] : blocks) {
    weight += weightOf(*s);
    if (s != &spot && weight > MostWeight)
      break;
    out.blocks.push_back(s);
    out.heat += heat;
    out.cost = weight * CostOfWeight;
  }
  return out;
}

simulator::LaneCode HotCode::describe(const HotRegion &region) const {
  simulator::LaneCode out;
  out.name = c.of->name;
  out.registers = registers;
  std::set<uint32_t> places;
  for (const Spot *s : region.blocks) {
    LaneBlock b = blockAt(*s);
    places.insert(b.pc);
    places.insert(b.next);
    if (b.end != LaneBlock::Falls)
      places.insert(b.target);
    places.insert(b.next - 1); // where lanes part
    out.blocks.push_back(std::move(b));
  }
  for (uint32_t pc : places)
    if (pc < c.insts.size())
      out.places.push_back(exitAt(pc));
  return out;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Has code made for a block that is hot, with others, if that pays.
static void makeHostCode(const Code &c, Spot &spot) {
  std::lock_guard lock(c.hotMutex);
  if (spot.heat < spot.hotAt)
    return;
  if (!c.hot)
    c.hot = std::make_unique<HotCode>(c);
  const bool waits = simulator::waitsForHostCode();
  const HotRegion region = c.hot->around(spot, waits);
  if (!waits && region.heat < Pays * region.cost) {
    spot.hotAt = spot.heat * 5 / 4;
    return;
  }
  std::vector<Spot *> of;
  for (const Spot *s : region.blocks) {
    of.push_back(&c.spots[c.insts[s->pc].spot - 1]);
    of.back()->hotAt = Never;
  }
  c.host.make(c.hot->describe(region), [of](simulator::HostCode made) {
    for (Spot *each : of)
      each->code.store(made, std::memory_order_release);
  });
}

namespace {
struct Running : simulator::LaneState {
  Warp *warp;
  std::exception_ptr failed;
};
} // namespace

static bool callHandler(simulator::LaneState *state, const void *instruction,
                        uint32_t lanes) {
  auto &s = *static_cast<Running *>(state);
  Warp &w = *s.warp;
  const Inst &i = *static_cast<const Inst *>(instruction);
  w.doing = &i;
  w.now->pc = uint32_t(&i - w.running->insts.data()) + 1;
  try {
    i.run(w, i, lanes);
  } catch (...) {
    s.failed = std::current_exception();
    return false;
  }
  w.open(i, lanes);
  return true;
}

/// Lets host code make an instruction's next accesses where this one was.
void Warp::open(const Inst &i, uint32_t lanes) {
  if (eachMatters ||
      (i.in != Space::Generic && i.in != Space::Global && i.in != Space::Const))
    return;
  const std::string_view opcode = running->hot->opcodeOf(i);
  if (opcode != "ld" && opcode != "st")
    return;
  const uint64_t at = in<uint64_t>(i.a)[__builtin_ctz(lanes)] + i.imm;
  for (const Range &r : known)
    if (at - r.begin < r.size && !(r.constant && opcode == "st"))
      block.grid.windowsOf(*running)[&i - running->insts.data()] = {
          r.begin, r.size, r.shift, knownVersion};
}

simulator::LaneWindow *Grid::windowsOf(const Code &c) {
  windows.resize(p.codes.size());
  auto &all = windows[size_t(c.number)];
  if (all.empty())
    all.resize(c.insts.size());
  return all.data();
}

uint64_t Warp::runHostCode(const Inst &i, uint64_t most) {
  Spot &spot = running->spots[i.spot - 1];
  simulator::HostCode code = spot.code.load(std::memory_order_acquire);
  if (!code) {
    const uint64_t heat =
        spot.heat.load(std::memory_order_relaxed) + spot.count;
    spot.heat.store(heat, std::memory_order_relaxed);
    if (heat < spot.hotAt.load(std::memory_order_relaxed))
      return 0;
    makeHostCode(*running, spot);
    code = spot.code.load(std::memory_order_acquire);
    if (!code)
      return 0;
  }
  if (most < spot.count)
    return 0;
  const Meeting *m = now->next;
  Running state;
  state.registers = data;
  state.lanes = now->lanes;
  state.meeting = m && !m->isReturn && m->at == now->at ? m->pc : Nowhere;
  if (state.meeting == spot.pc)
    return 0;
  state.most = most;
  state.pc = spot.pc;
  state.call = callHandler;
  static_assert(sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));
  state.version =
      eachMatters ? &Never
                  : reinterpret_cast<const uint64_t *>(&block.grid.mem.version);
  state.stores = !writesMatter;
  state.windows = block.grid.windowsOf(*running);
  if (const uint64_t first = block.grid.k.sharedBase,
      end = block.grid.sharedBytes;
      !eachMatters && !block.grid.k.sharedGaps && end >= first + 16)
    state.shared = {first, end - first,
                    reinterpret_cast<uint64_t>(block.shared.data()), 1};
  state.warp = this;
  code(&state);
  if (state.failed)
    std::rethrow_exception(state.failed);
  now->pc = state.pc;
  return state.ran;
}

} // namespace ptx
