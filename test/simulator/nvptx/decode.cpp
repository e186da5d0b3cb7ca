// From a function's statements to its code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "decode.h"

#include <algorithm>
#include <cstring>

namespace ptx {

static std::unordered_map<std::string_view, Decoder::Of> &opcodes() {
  static auto &All = *new std::unordered_map<std::string_view, Decoder::Of>;
  return All;
}

bool Decoder::add(std::initializer_list<std::pair<std::string_view, Of>> Some) {
  for (auto &[Name, How] : Some)
    opcodes()[Name] = How;
  return true;
}

static std::string whole(const Statement &S) {
  std::string Name(S.Opcode);
  for (std::string_view M : S.Modifiers)
    Name += "." + std::string(M);
  return Name;
}

void Decoder::refuse(const std::string &Why) {
  Lexer::refuse(S ? S->Line : F.Line, (S ? "'" + whole(*S) + "': " : "") + Why +
                                          " (in function '" +
                                          std::string(F.Name) + "')");
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Decoder::has(std::string_view Name) {
  for (size_t N = 0; N != Used.size(); ++N)
    if (!Used[N] && S->Modifiers[N] == Name)
      return Used[N] = true;
  return false;
}

int Decoder::oneOf(std::initializer_list<std::string_view> Names) {
  int N = 0;
  for (std::string_view Name : Names) {
    if (has(Name))
      return N;
    ++N;
  }
  return -1;
}

bool Decoder::hasType() {
  for (size_t N = 0; N != Used.size(); ++N)
    if (!Used[N] && typeNamed(S->Modifiers[N]).Of != Type::None)
      return true;
  return false;
}

Type Decoder::type() {
  for (size_t N = 0; N != Used.size(); ++N)
    if (!Used[N])
      if (Type T = typeNamed(S->Modifiers[N]); T.Of != Type::None) {
        Used[N] = true;
        return T;
      }
  refuse("a type is missing");
}

void Decoder::ignore(std::initializer_list<std::string_view> Names) {
  for (std::string_view Name : Names)
    has(Name);
}

void Decoder::scope() { ignore({"cta", "cluster", "gpu", "sys"}); }

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

const Operand &Decoder::operand(size_t N) {
  if (N >= S->Operands.size())
    refuse("operand " + std::to_string(N + 1) + " is missing");
  NeededOperands = std::max(NeededOperands, N + 1);
  return S->Operands[N];
}

void Decoder::needs(size_t Count) { NeededOperands = Count; }

static unsigned registerBytes(Type T) {
  return T.Of == Type::Pred ? 4 / WarpSize : T.bytes();
}

int32_t Decoder::slot(int Register) { return Slots[size_t(Register)]; }

int32_t Decoder::anyRegister(const Operand &O, unsigned &Bytes) {
  if (O.Is != Operand::Register || O.Not || O.Second != -1)
    refuse("an operand must be a register");
  Type T = F.Registers[size_t(O.Index)];
  if (T.Of == Type::Pred)
    refuse("an operand must not be a predicate");
  Bytes = registerBytes(T);
  return slot(O.Index);
}

int32_t Decoder::outRegister(const Operand &O, unsigned Bytes) {
  unsigned Has;
  int32_t At = anyRegister(O, Has);
  if (Has != Bytes)
    refuse("a register of " + std::to_string(8 * Has) + " bits for " +
           std::to_string(8 * Bytes));
  return At;
}

int32_t Decoder::out(size_t N, unsigned Bytes) {
  Operand O = operand(N);
  O.Second = -1; // whoever expects one asks for it
  return outRegister(O, Bytes);
}

int32_t Decoder::constant(uint64_t Bits, unsigned Bytes) {
  if (Bytes < 8)
    Bits &= (uint64_t(1) << 8 * Bytes) - 1;
  auto [Known, New] = Constants.try_emplace({Bits, Bytes}, 0);
  if (New) {
    size_t At = (C.Pool.size() + 15) / 16 * 16;
    C.Pool.resize(At + Bytes * WarpSize);
    for (unsigned L = 0; L != WarpSize; ++L)
      memcpy(&C.Pool[At + L * Bytes], &Bits, Bytes);
    Known->second = ~int32_t(At);
  }
  return Known->second;
}

int32_t Decoder::constantPredicate(bool Value) {
  auto [Known, New] = Constants.try_emplace({Value ? AllLanes : 0, 0}, 0);
  if (New) {
    size_t At = (C.Pool.size() + 15) / 16 * 16;
    C.Pool.resize(At + 4);
    uint32_t Mask = Value ? AllLanes : 0;
    memcpy(&C.Pool[At], &Mask, 4);
    Known->second = ~int32_t(At);
  }
  return Known->second;
}

uint64_t Decoder::symbol(std::string_view Name) {
  return P.addressOf(Name, S->Line);
}

int Decoder::sharedVariable(const Operand &O) const {
  if (O.Is == Operand::Local)
    return SharedAt[size_t(O.Index)];
  if (O.Is != Operand::Symbol)
    return -1;
  auto Found = P.Source->VariableNames.find(O.Name);
  if (Found == P.Source->VariableNames.end() ||
      P.Source->Variables[size_t(Found->second)].In != Space::Shared)
    return -1;
  for (size_t N = 0; N != P.Shared.size(); ++N)
    if (P.Shared[N].Name.data() ==
        P.Source->Variables[size_t(Found->second)].Name.data())
      return int(N);
  return -1;
}

int32_t Decoder::preset(int SharedVariable, uint64_t Plus) {
  auto [Known, New] = Presets.try_emplace({SharedVariable, Plus}, 0);
  if (New) {
    C.FrameBytes = (C.FrameBytes + 31) / 32 * 32;
    Known->second = int32_t(C.FrameBytes);
    C.FrameBytes += 8 * WarpSize;
    C.Presets.push_back({Known->second, SharedVariable, Plus});
    if (SharedVariable >= 0)
      C.SharedUsed.push_back(SharedVariable);
  }
  return Known->second;
}

/// Where in local memory a parameter is that has its address taken.
uint64_t Decoder::spilled(size_t N) {
  const Variable &V = F.Variables[N];
  if (LocalAt[N] < 0) {
    uint64_t At = (uint64_t(C.LocalBytes) + V.Align - 1) / V.Align * V.Align;
    LocalAt[N] = int64_t(At);
    C.LocalBytes = uint32_t((At + V.Size + 7) / 8 * 8);
    C.LocalAlign = std::max(C.LocalAlign, V.Align);
    C.Spills.push_back({PassedAt[N], At});
  }
  return uint64_t(LocalAt[N]);
}

int32_t Decoder::carry() {
  if (Carry < 0) {
    Carry = int32_t(C.FrameBytes = (C.FrameBytes + 31) / 32 * 32);
    C.FrameBytes += 4;
  }
  return Carry;
}

const Passed *Decoder::passed(const Operand &O) const {
  if (O.Is != Operand::Local || F.Variables[size_t(O.Index)].In != Space::Param)
    return nullptr;
  return &PassedAt[size_t(O.Index)];
}

int32_t Decoder::in(const Operand &O, Type T) {
  unsigned Bytes = T.bytes();
  switch (O.Is) {
  case Operand::Register:
    return outRegister(O, Bytes);
  case Operand::Integer:
    if (T.Of == Type::F && T.Bits >= 32)
      refuse("a whole number for a floating-point operand");
    return constant(O.Bits, Bytes);
  case Operand::Single:
    if (Bytes != 4)
      refuse("a 32-bit number for an operand of another size");
    return constant(O.Bits, Bytes);
  case Operand::Double: {
    if (Bytes == 8)
      return constant(O.Bits, Bytes);
    if (T.Of != Type::F || Bytes != 4)
      refuse("a 64-bit number for an operand of another size");
    float Value = float(__builtin_bit_cast(double, O.Bits));
    return constant(__builtin_bit_cast(uint32_t, Value), Bytes);
  }
  case Operand::Symbol:
  case Operand::Local: {
    if (Bytes != 8 && !(Bytes == 4 && sharedVariable(O) >= 0))
      refuse("an address for an operand of another size");
    if (O.Is == Operand::Local) {
      const Variable &V = F.Variables[size_t(O.Index)];
      if (V.In == Space::Local && Bytes == 8)
        return preset(-1, uint64_t(LocalAt[size_t(O.Index)]) + O.Bits);
      if (V.In == Space::Param && F.Entry &&
          size_t(O.Index) < F.Of.Takes.size())
        return constant(uint64_t(PassedAt[size_t(O.Index)].At) + O.Bits, 8);
      if (V.In == Space::Param && Bytes == 8 &&
          size_t(O.Index) < F.Of.Takes.size())
        return preset(-1, spilled(size_t(O.Index)) + O.Bits);
    }
    if (int Shared = sharedVariable(O); Shared >= 0 && Bytes == 8) {
      if (O.Bits)
        refuse("the address of a shared variable plus an offset");
      return preset(Shared, 0);
    }
    if (O.Is == Operand::Symbol && sharedVariable(O) < 0)
      return constant(symbol(O.Name) + O.Bits, 8);
    refuse("the address of '" + std::string(O.Name) + "' is not supported");
  }
  default:
    refuse("an operand of a kind that the instruction does not have");
  }
}

int32_t Decoder::in(size_t N, Type T) { return in(operand(N), T); }

int32_t Decoder::outPredicate(int Register) {
  if (Register < 0 || F.Registers[size_t(Register)].Of != Type::Pred)
    refuse("an operand must be a predicate");
  return slot(Register);
}

int32_t Decoder::inPredicate(size_t N, bool &Not) {
  const Operand &O = operand(N);
  Not = O.Not;
  if (O.Is == Operand::Integer)
    return constantPredicate(O.Bits & 1);
  if (O.Is != Operand::Register || O.Second != -1)
    refuse("an operand must be a predicate");
  return outPredicate(O.Index);
}

int32_t Decoder::second(size_t N) {
  int Register = operand(N).Second;
  return Register < 0 ? -1 : outPredicate(Register);
}

void Decoder::address(size_t N, Space Where, Inst &I) {
  const Operand &O = operand(N);
  if (O.Is != Operand::Memory)
    refuse("operand " + std::to_string(N + 1) + " must be an address");
  const Operand &Base = O.Parts[0];
  I.Imm = O.Bits;
  I.In = Where;
  if (Base.Is == Operand::Register) {
    unsigned Bytes;
    I.A = anyRegister(Base, Bytes);
    if (Bytes != 8)
      refuse("addresses must have 64 bits");
  } else if (Base.Is == Operand::Integer) {
    I.A = constant(Base.Bits, 8);
  } else {
    I.A = in(Base, {Type::B, 1, 64});
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Inst Decoder::make() const {
  Inst I;
  I.Line = S->Line;
  I.From = S->From;
  return I;
}

Inst &Decoder::emit(Handler Do) {
  C.Insts.push_back(make());
  C.Insts.back().Do = Do;
  Steps.emplace_back();
  return C.Insts.back();
}

void Decoder::placeVariables() {
  uint32_t At = 0;
  auto Take = [&](uint32_t Bytes) {
    At = (At + 31) / 32 * 32;
    uint32_t Here = At;
    At += Bytes;
    return int32_t(Here);
  };
  Slots.reserve(F.Registers.size());
  for (Type T : F.Registers)
    Slots.push_back(Take(T.Of == Type::Pred ? 4 : T.bytes() * WarpSize));
  uint64_t Parameters = 0, Local = 0;
  for (size_t N = 0; N != F.Variables.size(); ++N) {
    const Variable &V = F.Variables[N];
    PassedAt.emplace_back();
    LocalAt.push_back(-1);
    SharedAt.push_back(-1);
    switch (V.In) {
    case Space::Param:
      if (F.Entry && N < F.Of.Takes.size()) {
        // In the launch's own bytes.
        Parameters = (Parameters + V.Align - 1) / V.Align * V.Align;
        PassedAt.back() = {int32_t(Parameters), uint32_t(V.Size)};
        Parameters += V.Size;
      } else {
        uint32_t Bytes = Passed::strideOf(V.Size) * WarpSize;
        PassedAt.back() = {Take(Bytes), uint32_t(V.Size)};
      }
      break;
    case Space::Local:
      Local = (Local + V.Align - 1) / V.Align * V.Align;
      LocalAt.back() = int64_t(Local);
      Local += V.Size;
      C.LocalAlign = std::max(C.LocalAlign, V.Align);
      break;
    case Space::Shared:
      SharedAt.back() = int(P.Shared.size());
      P.Shared.push_back({V.Name, V.Size, V.Align, false});
      break;
    default:
      break;
    }
  }
  C.LocalBytes = uint32_t((Local + 7) / 8 * 8);
  C.FrameBytes = At;
  for (size_t N = 0; N != F.Of.Takes.size(); ++N)
    C.Takes.push_back(PassedAt[N]);
  for (size_t N = 0; N != F.Of.Returns.size(); ++N)
    C.Returns.push_back(PassedAt[F.Of.Takes.size() + N]);
}

void Decoder::decodeOne() {
  auto Found = opcodes().find(S->Opcode);
  if (Found == opcodes().end())
    refuse("unknown instruction");
  Used.assign(S->Modifiers.size(), false);
  NeededOperands = 0;
  size_t Before = C.Insts.size();
  Found->second(*this);
  for (size_t N = 0; N != Used.size(); ++N)
    if (!Used[N])
      refuse("unknown modifier '." + std::string(S->Modifiers[N]) + "'");
  if (NeededOperands != S->Operands.size())
    refuse(std::to_string(S->Operands.size()) + " operands instead of " +
           std::to_string(NeededOperands));
  for (size_t N = Before; N != C.Insts.size(); ++N) {
    if (S->Guard >= 0) {
      C.Insts[N].Guard = outPredicate(S->Guard);
      C.Insts[N].GuardNot = S->GuardNot;
      Steps[N].Guarded = true;
    }
  }
}

void Decoder::resolve() {
  // Targets were numbers of statements.
  auto At = [&](uint32_t Statement) { return First[Statement]; };
  for (size_t N = 0; N != Steps.size(); ++N) {
    if (C.Insts[N].Target != Nowhere)
      C.Insts[N].Target = At(C.Insts[N].Target);
    for (uint32_t &T : Steps[N].To)
      T = At(T);
  }
  for (auto &Table : C.Tables)
    for (uint32_t &T : Table)
      T = At(T);
  std::vector<uint32_t> Meetings = findMeetings(Steps);
  for (size_t N = 0; N != Steps.size(); ++N) {
    C.Insts[N].Meeting = Meetings[N];
    if (Steps[N].MeetsBehind)
      C.Insts[N + 1].Meets = true;
    if (Meetings[N] != Nowhere)
      C.Insts[Meetings[N]].Meets = true;
  }
}

void Decoder::decode() {
  placeVariables();
  for (const Statement &Now : F.Body) {
    S = &Now;
    First.push_back(uint32_t(C.Insts.size()));
    decodeOne();
  }
  S = nullptr;
  First.push_back(uint32_t(C.Insts.size()));
  // What runs past its end returns.
  static const Statement End = [] {
    Statement Ret;
    Ret.Opcode = "ret";
    return Ret;
  }();
  S = &End;
  decodeOne();
  C.Insts.back().Line = F.Body.empty() ? F.Line : F.Body.back().Line;
  S = nullptr;
  resolve();
  std::sort(C.SharedUsed.begin(), C.SharedUsed.end());
}

} // namespace ptx
