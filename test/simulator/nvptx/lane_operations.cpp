// Which operations on lanes PTX's instructions are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instruction with a modifier that is not known here stays a call of its
// handler.

#include "hot.h"

#include <algorithm>
#include <cstring>

namespace ptx {

using Op = simulator::LaneOperation;
using simulator::LaneOperand;

namespace {

constexpr std::pair<std::string_view, Op::Kind> Kinds[] = {
    {"add", Op::Add},
    {"sub", Op::Sub},
    {"mul", Op::Mul},
    {"mad", Op::Mad},
    {"fma", Op::Mad},
    {"div", Op::Div},
    {"rcp", Op::Reciprocal},
    {"sqrt", Op::Sqrt},
    {"rsqrt", Op::ReciprocalSqrt},
    {"and", Op::And},
    {"or", Op::Or},
    {"xor", Op::Xor},
    {"not", Op::Not},
    {"shl", Op::ShiftLeft},
    {"shr", Op::ShiftRight},
    {"shf", Op::FunnelLeft},
    {"neg", Op::Neg},
    {"abs", Op::Abs},
    {"min", Op::Min},
    {"max", Op::Max},
    {"popc", Op::Ones},
    {"clz", Op::LeadingZeros},
    {"brev", Op::Reverse},
    {"selp", Op::Select},
    {"setp", Op::Compare},
    {"cvt", Op::Convert},
    {"mov", Op::Move},
    {"cvta", Op::Add}};

constexpr std::pair<std::string_view, Op::Type> Types[] = {
    {"pred", Op::Mask}, {"u8", Op::U8},   {"b8", Op::U8},   {"s8", Op::S8},
    {"u16", Op::U16},   {"b16", Op::U16}, {"s16", Op::S16}, {"u32", Op::U32},
    {"b32", Op::U32},   {"s32", Op::S32}, {"u64", Op::U64}, {"b64", Op::U64},
    {"s64", Op::S64},   {"f32", Op::F32}, {"f64", Op::F64}};

template <class V, size_t N>
const V *find(const std::pair<std::string_view, V> (&in)[N],
              std::string_view name) {
  for (auto &[known, value] : in)
    if (known == name)
      return &value;
  return nullptr;
}

bool isFloat(Op::Type t) { return t >= Op::F32; }
unsigned bytesOf(Op::Type t) {
  switch (t) {
  case Op::Mask:
    return 0;
  case Op::U8:
  case Op::S8:
    return 1;
  case Op::U16:
  case Op::S16:
    return 2;
  case Op::U32:
  case Op::S32:
  case Op::F32:
    return 4;
  default:
    return 8;
  }
}

/// A statement's modifiers, of which each is taken once.
struct Modifiers {
  std::vector<std::string_view> left;
  bool take(std::string_view name) {
    auto at = std::find(left.begin(), left.end(), name);
    if (at == left.end())
      return false;
    left.erase(at);
    return true;
  }
  bool takeType(Op::Type &out) {
    for (std::string_view m : left)
      if (const Op::Type *t = find(Types, m)) {
        out = *t;
        return take(m);
      }
    return false;
  }
};

} // namespace

class OperationReader {
public:
  OperationReader(const Statement &s, const Inst &i, const Code &c,
                  const std::map<int32_t, uint32_t> &numberAt)
      : s(s), i(i), c(c), numberAt(numberAt), m{s.modifiers} {}
  Op read();

private:
  LaneOperand operand(int32_t at, unsigned bytes, bool negated = false);
  LaneOperand value(int32_t at) { return operand(at, bytesOf(o.type)); }
  bool known();
  bool comparison();
  bool conversion();
  bool numbers();
  bool integers();
  bool logic();
  bool move();
  bool address();
  bool access(bool store);

  const Statement &s;
  const Inst &i;
  const Code &c;
  const std::map<int32_t, uint32_t> &numberAt;
  Modifiers m;
  Op o;
  bool complete = true; ///< all operands are known
};

LaneOperand OperationReader::operand(int32_t at, unsigned bytes, bool negated) {
  LaneOperand out;
  out.negated = negated;
  if (at < 0) {
    out.is = LaneOperand::Constant;
    memcpy(&out.bits, c.pool.data() + ~at, bytes ? bytes : 4);
    return out;
  }
  auto found = numberAt.find(at);
  complete &= found != numberAt.end();
  if (!complete)
    return {};
  out.is = LaneOperand::Register;
  out.reg = found->second;
  return out;
}

bool OperationReader::comparison() {
  static constexpr std::pair<std::string_view, Op::Relation> relations[] = {
      {"eq", Op::Eq},   {"ne", Op::Ne},   {"lt", Op::Lt},   {"le", Op::Le},
      {"gt", Op::Gt},   {"ge", Op::Ge},   {"lo", Op::Lt},   {"ls", Op::Le},
      {"hi", Op::Gt},   {"hs", Op::Ge},   {"equ", Op::Equ}, {"neu", Op::Neu},
      {"ltu", Op::Ltu}, {"leu", Op::Leu}, {"gtu", Op::Gtu}, {"geu", Op::Geu},
      {"num", Op::Num}, {"nan", Op::Nan}};
  const auto *r =
      std::find_if(std::begin(relations), std::end(relations),
                   [&](const auto &each) { return m.take(each.first); });
  if (r == std::end(relations))
    return false;
  o.relation = r->second;
  o.join = m.take("and")   ? Op::AndWith
           : m.take("or")  ? Op::OrWith
           : m.take("xor") ? Op::XorWith
                           : Op::Alone;
  o.flushes = m.take("ftz");
  if (!m.takeType(o.type) || o.type == Op::Mask || bytesOf(o.type) < 2 ||
      (!isFloat(o.type) && o.relation > Op::Ge))
    return false;
  o.to = operand(i.d, 0);
  o.a = value(i.a), o.b = value(i.b);
  if (o.join != Op::Alone)
    o.c = operand(i.c, 0, i.small & 2);
  if (i.p >= 0)
    o.second = operand(i.p, 0);
  return true;
}

bool OperationReader::conversion() {
  const bool rounds = m.take("rn");
  o.whole = m.take("rni")   ? Op::Nearest
            : m.take("rzi") ? Op::Zero
            : m.take("rmi") ? Op::Down
            : m.take("rpi") ? Op::Up
                            : Op::Exact;
  o.flushes = m.take("ftz");
  if (!m.takeType(o.type) || !m.takeType(o.from) || o.type == Op::Mask ||
      o.from == Op::Mask)
    return false;
  const unsigned outBytes = unsigned(i.imm & 255),
                 inBytes = unsigned(i.imm >> 8);
  if (isFloat(o.type) ? outBytes != bytesOf(o.type) : outBytes < 2)
    return false;
  if (isFloat(o.from) ? inBytes != bytesOf(o.from) : inBytes < bytesOf(o.from))
    return false;
  if (isFloat(o.from) && !isFloat(o.type) && bytesOf(o.type) < 4)
    return false;
  if (o.flushes && o.type == Op::F64)
    return false;
  if (!isFloat(o.type) && !isFloat(o.from) && (rounds || o.whole || o.flushes))
    return false;
  if (isFloat(o.type) && !isFloat(o.from) && (o.whole || o.flushes))
    return false;
  o.to = operand(i.d, outBytes);
  o.a = operand(i.a, inBytes);
  return true;
}

bool OperationReader::numbers() {
  const bool nearest = m.take("rn"), about = m.take("approx") || m.take("full");
  o.flushes = m.take("ftz");
  o.saturates = m.take("sat");
  const bool single = o.type == Op::F32;
  switch (o.is) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Mad:
    if (about)
      return false;
    break;
  case Op::Div:
  case Op::Reciprocal:
  case Op::Sqrt:
    // Rounding a quotient or a root of doubles once more rounds it right.
    if (nearest ? about : !about || !single)
      return false;
    break;
  case Op::ReciprocalSqrt:
    if (!about || !single)
      return false;
    break;
  case Op::Neg:
  case Op::Abs:
  case Op::Min:
  case Op::Max:
    if (about || nearest || o.saturates)
      return false;
    if (o.flushes && (o.is == Op::Neg || o.is == Op::Abs))
      return false; // another NaN
    break;
  default:
    return false;
  }
  o.to = value(i.d), o.a = value(i.a);
  if (o.is <= Op::Div || o.is == Op::Min || o.is == Op::Max)
    o.b = value(i.b);
  if (o.is == Op::Mad)
    o.c = value(i.c);
  return true;
}

bool OperationReader::integers() {
  const bool low = m.take("lo"), high = m.take("hi"), wide = m.take("wide");
  const unsigned bytes = bytesOf(o.type);
  if (bytes < 2)
    return false;
  unsigned result = bytes, addend = bytes;
  switch (o.is) {
  case Op::Mul:
  case Op::Mad:
    if (wide || high) {
      if (bytes > 4 || (high && o.is == Op::Mad))
        return false;
      o.is = high ? Op::MulHigh : o.is == Op::Mul ? Op::MulWide : Op::MadWide;
      result = wide ? 2 * bytes : bytes;
      addend = 2 * bytes;
    } else if (!low) {
      return false;
    }
    break;
  case Op::Add:
  case Op::Sub:
  case Op::Min:
  case Op::Max:
  case Op::Neg:
  case Op::Abs:
    break;
  case Op::Ones:
  case Op::LeadingZeros:
    result = 4;
    if (bytes < 4)
      return false;
    break;
  case Op::Reverse:
    if (bytes < 4)
      return false;
    break;
  default:
    return false;
  }
  o.to = operand(i.d, result), o.a = value(i.a);
  const bool one = o.is == Op::Neg || o.is == Op::Abs || o.is == Op::Ones ||
                   o.is == Op::LeadingZeros || o.is == Op::Reverse;
  if (!one)
    o.b = value(i.b);
  if (o.is == Op::Mad || o.is == Op::MadWide)
    o.c = operand(i.c, addend);
  return true;
}

bool OperationReader::logic() {
  if (o.is == Op::FunnelLeft) {
    if (m.take("r"))
      o.is = Op::FunnelRight;
    else if (!m.take("l"))
      return false;
    if (!m.take("wrap"))
      return false;
  }
  if (!m.takeType(o.type) || isFloat(o.type) || bytesOf(o.type) == 1)
    return false;
  const bool mask = o.type == Op::Mask, one = o.is == Op::Not;
  if (mask && o.is > Op::Not)
    return false;
  o.to = value(i.d);
  o.a = operand(i.a, bytesOf(o.type), mask && i.small & 1);
  if (o.is == Op::ShiftLeft || o.is == Op::ShiftRight)
    o.b = operand(i.b, 4);
  else if (!one)
    o.b = operand(i.b, bytesOf(o.type), mask && i.small & 2);
  if (o.is == Op::FunnelLeft || o.is == Op::FunnelRight)
    o.c = operand(i.c, 4);
  return true;
}

bool OperationReader::move() {
  if (!m.takeType(o.type) || s.operands.size() != 2 ||
      s.operands[0].is != Operand::Register ||
      s.operands[1].is == Operand::Special ||
      s.operands[1].is == Operand::Vector)
    return false;
  o.to = value(i.d);
  o.a = operand(i.a, bytesOf(o.type), o.type == Op::Mask && i.small & 1);
  return true;
}

/// Of a space, to a generic address or back: a sum.
bool OperationReader::address() {
  m.take("to");
  for (const char *space : {"global", "const", "shared", "local", "param",
                            "shared::cta", "param::entry"})
    m.take(space);
  if (!m.takeType(o.type) || bytesOf(o.type) != 8)
    return false;
  o.to = value(i.d), o.a = value(i.a);
  o.b.is = LaneOperand::Constant;
  o.b.bits = i.imm;
  return true;
}

/// One that others do not make at the same time, of one element.
bool OperationReader::access(bool store) {
  if (i.strong || i.count != 1 || i.guard >= 0)
    return false;
  switch (i.in) {
  case Space::Global:
  case Space::Const:
  case Space::Generic:
    o.space = Op::Window;
    break;
  case Space::Shared:
    o.space = Op::Shared;
    break;
  default:
    return false;
  }
  const Operand &value = s.operands[store ? 1 : 0];
  for (std::string_view each : s.modifiers)
    if (each == "v2" || each == "v4" || each == "v8")
      return false;
  if (!m.takeType(o.type) || o.type == Op::Mask ||
      value.is == Operand::Vector || value.is == Operand::Sink)
    return false;
  m.left.clear(); // of spaces and caches
  o.is = store ? Op::Store : Op::Load;
  o.a = operand(i.a, 8);
  if (store)
    o.b = operand(i.b, bytesOf(o.type));
  else
    o.to = operand(i.d, 0);
  o.offset = i.imm;
  o.window = uint32_t(&i - c.insts.data());
  return true;
}

bool OperationReader::known() {
  if (s.opcode == "ld" || s.opcode == "st")
    return access(s.opcode == "st");
  const Op::Kind *kind = find(Kinds, s.opcode);
  if (!kind)
    return false;
  o.is = *kind;
  if (s.opcode == "cvta")
    return address();
  switch (o.is) {
  case Op::Compare:
    return comparison();
  case Op::Convert:
    return conversion();
  case Op::Move:
    return move();
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Not:
  case Op::ShiftLeft:
  case Op::ShiftRight:
  case Op::FunnelLeft:
    return logic();
  case Op::Select:
    if (!m.takeType(o.type) || o.type == Op::Mask || bytesOf(o.type) < 2)
      return false;
    o.to = value(i.d), o.a = value(i.a), o.b = value(i.b);
    o.c = operand(i.p, 0, i.small & 1);
    return true;
  default:
    if (!m.takeType(o.type) || o.type == Op::Mask)
      return false;
    return isFloat(o.type) ? numbers() : integers();
  }
}

Op OperationReader::read() {
  if (i.guard >= 0)
    o.guard = operand(i.guard, 0, i.guardNot);
  const LaneOperand guard = o.guard;
  if (known() && m.left.empty() && complete)
    return o;
  Op call;
  call.guard = guard;
  return call;
}

Op laneOperation(const Statement &s, const Inst &i, const Code &c,
                 const std::map<int32_t, uint32_t> &numberAt) {
  Op o = OperationReader(s, i, c, numberAt).read();
  o.instruction = &i;
  return o;
}

} // namespace ptx
