// What a module's records mean, as far as it tells what comes next
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordShape.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::bitc;

namespace xcc {
namespace {

/// More of a function's are not told apart.
constexpr size_t MostArguments = 255;

/// Operands of an instruction: n a number, t a type, b a block, V a value with
/// its type where it comes later, v one without, s one by a signed distance;
/// what is behind the parenthesis is repeated.
const char *patternOf(unsigned code) {
  switch (code) {
  case FUNC_CODE_INST_BINOP:
  case FUNC_CODE_INST_CMP:
  case FUNC_CODE_INST_CMP2:
    return "Vv(n";
  case FUNC_CODE_INST_CAST:
  case FUNC_CODE_INST_LOAD:
  case FUNC_CODE_INST_LOADATOMIC:
    return "Vt(n";
  case FUNC_CODE_INST_STORE:
  case FUNC_CODE_INST_STOREATOMIC:
  case FUNC_CODE_INST_ATOMICRMW:
  case FUNC_CODE_INST_INSERTVAL:
    return "VV(n";
  case FUNC_CODE_INST_CMPXCHG:
    return "VVv(n";
  case FUNC_CODE_INST_VSELECT:
    return "VvV(n";
  case FUNC_CODE_INST_INSERTELT:
  case FUNC_CODE_INST_SHUFFLEVEC:
    return "VvV";
  case FUNC_CODE_INST_GEP:
    return "nt(V";
  case FUNC_CODE_INST_CALL:
    return "nntV(v";
  case FUNC_CODE_INST_INVOKE:
    return "nnbbtV(v";
  case FUNC_CODE_INST_PHI:
    return "t(sb";
  case FUNC_CODE_INST_BR:
    return "bbv";
  case FUNC_CODE_INST_SWITCH:
    return "tvb(nb";
  case FUNC_CODE_INST_ALLOCA:
    return "tt(n";
  case FUNC_CODE_INST_RET:
  case FUNC_CODE_INST_RESUME:
  case FUNC_CODE_INST_FREEZE:
  case FUNC_CODE_INST_UNOP:
  case FUNC_CODE_INST_EXTRACTVAL:
    return "V(n";
  case FUNC_CODE_INST_EXTRACTELT:
    return "VV";
  case FUNC_CODE_INST_LANDINGPAD:
    return "tnn(nV";
  case FUNC_CODE_INST_VAARG:
    return "tvt";
  case FUNC_CODE_OPERAND_BUNDLE:
    return "n(V";
  }
  return "(n";
}

bool endsBlock(unsigned code) {
  switch (code) {
  case FUNC_CODE_INST_RET:
  case FUNC_CODE_INST_BR:
  case FUNC_CODE_INST_SWITCH:
  case FUNC_CODE_INST_INVOKE:
  case FUNC_CODE_INST_UNREACHABLE:
  case FUNC_CODE_INST_RESUME:
  case FUNC_CODE_INST_INDIRECTBR:
  case FUNC_CODE_INST_CALLBR:
    return true;
  }
  return false;
}

bool isInstruction(unsigned code) {
  switch (code) {
  case FUNC_CODE_DECLAREBLOCKS:
  case FUNC_CODE_DEBUG_LOC:
  case FUNC_CODE_DEBUG_LOC_AGAIN:
  case FUNC_CODE_OPERAND_BUNDLE:
    return false;
  }
  return code < FUNC_CODE_BLOCKADDR_USERS;
}

} // namespace

Operands::Operands(const RecordShape &shape, unsigned code)
    : shape(shape), at(patternOf(code)), call(code == FUNC_CODE_INST_CALL) {
  if (*at == '(')
    again = ++at;
}

Role Operands::roleOf(char letter) {
  switch (letter) {
  case 't':
    return Role::Type;
  case 'b':
    return Role::Block;
  case 'V':
    return Role::Value;
  case 'v':
    return Role::PlainValue;
  case 's':
    return Role::SignedValue;
  }
  return Role::Number;
}

void Operands::next(uint64_t operand) {
  // Flags of arithmetic stand in a call's operands if it has some.
  bool flags = call && number == 1 && operand >> CALL_FMF & 1;
  ++number;
  if (flags) {
    --at;
    number = 1 << 30;
  }
  bool later = !typeFollows && *at == 'V' &&
               shape.named(operand, false).kind == RecordShape::Named::Later;
  typeFollows = later;
  if (later)
    return;
  if (*at)
    ++at;
  if (*at == '(')
    again = ++at;
  if (!*at && again)
    at = again;
}

void RecordShape::enter(unsigned block) {
  if (block == MODULE_BLOCK_ID)
    *this = RecordShape();
  if (block != FUNCTION_BLOCK_ID)
    return;
  inFunction = true;
  atEntry = true;
  basicBlock = furthest = codes = 0;
  instructions.clear();
  values.resize(std::min(values.size(), outside));
  uint64_t type = bodies.empty() ? 0 : bodies.front();
  if (!bodies.empty())
    bodies.pop_front();
  if (type < types.size() && types[type].code == TYPE_CODE_FUNCTION) {
    ArrayRef<uint32_t> parts = types[type].parts;
    for (size_t i = 1; i < std::min(parts.size(), MostArguments); ++i)
      define(parts[i], hashOf(2, parts[i], i));
  }
  base = values.size();
}

void RecordShape::leave(unsigned block) {
  if (block == FUNCTION_BLOCK_ID) {
    inFunction = false;
    values.resize(std::min(values.size(), outside));
  } else if (block == CONSTANTS_BLOCK_ID) {
    base = values.size();
  }
}

void RecordShape::add(unsigned block, unsigned code,
                      ArrayRef<uint64_t> operands) {
  switch (block) {
  case TYPE_BLOCK_ID_NEW:
    if (code != TYPE_CODE_NUMENTRY && code != TYPE_CODE_STRUCT_NAME) {
      if (code == TYPE_CODE_OPAQUE_POINTER && !pointer)
        pointer = uint32_t(types.size());
      types.push_back({code, {}});
      // Of a function's the first tells that there are more.
      if (code == TYPE_CODE_FUNCTION)
        for (uint64_t part : operands.drop_front(!operands.empty()))
          types.back().parts.push_back(uint32_t(part));
    }
    break;
  case MODULE_BLOCK_ID:
    defineGlobal(code, operands);
    break;
  case CONSTANTS_BLOCK_ID:
    defineConstant(code, operands);
    break;
  case FUNCTION_BLOCK_ID:
    if (isInstruction(code))
      execute(code, operands);
    break;
  }
  if (!inFunction)
    outside = base = values.size();
}

void RecordShape::defineGlobal(unsigned code, ArrayRef<uint64_t> operands) {
  if (code != MODULE_CODE_GLOBALVAR && code != MODULE_CODE_FUNCTION &&
      code != MODULE_CODE_ALIAS && code != MODULE_CODE_IFUNC)
    return;
  // [name, its size, type, ...]; functions say in [4] if they have no body.
  uint64_t type = operands.size() > 2 ? operands[2] : 0;
  define(pointer, hashOf(code, type));
  if (code == MODULE_CODE_FUNCTION && operands.size() > 4 && !operands[4])
    bodies.push_back(type);
}

void RecordShape::defineConstant(unsigned code, ArrayRef<uint64_t> operands) {
  if (code == CST_CODE_SETTYPE)
    setType = operands.empty() ? 0 : operands[0];
  else
    define(setType,
           hashOf(code, setType, operands.empty() ? 0 : operands.front()));
}

uint64_t RecordShape::partOf(uint64_t type, uint64_t number) const {
  return type < types.size() && number < types[type].parts.size()
             ? types[type].parts[number]
             : ~uint32_t(0);
}

bool RecordShape::isVoid(uint64_t type) const {
  return type < types.size() && types[type].code == TYPE_CODE_VOID;
}

RecordShape::Named RecordShape::named(uint64_t operand, bool isSigned) const {
  uint64_t now = values.size(), at;
  if (isSigned) {
    // The lowest bit is the sign.
    if (operand == 1 || operand >> 32)
      return {Named::Odd, operand};
    at = operand & 1 ? now + (operand >> 1) : now - (operand >> 1);
  } else {
    if (operand >> 32)
      return {Named::Odd, operand};
    at = uint32_t(now - operand);
  }
  if (at >> 32)
    return {Named::Odd, operand};
  if (at < outside)
    return {Named::Outside, at};
  if (at < base)
    return {Named::Base, at - outside};
  if (at < now)
    return {Named::Local, now - at};
  return {Named::Later, at - now};
}

uint64_t RecordShape::operandOf(Named what, bool isSigned) const {
  uint64_t now = values.size();
  uint64_t distance = 0; // wraps around
  switch (what.kind) {
  case Named::Outside:
    distance = now - what.number;
    break;
  case Named::Base:
    distance = now - outside - what.number;
    break;
  case Named::Local:
    distance = what.number;
    break;
  case Named::Later:
    distance = 0 - what.number;
    break;
  case Named::Odd:
    return what.number;
  }
  if (!isSigned)
    return uint32_t(distance);
  return int64_t(distance) < 0 ? (0 - distance) << 1 | 1 : distance << 1;
}

const RecordShape::Value &RecordShape::value(uint64_t operand) const {
  static const Value none;
  size_t at = values.size() - operand;
  return at < values.size() ? values[at] : none;
}

const RecordShape::Value &RecordShape::latest(unsigned back) const {
  return value(back + 1);
}

void RecordShape::execute(unsigned code, ArrayRef<uint64_t> operands) {
  SmallVector<uint64_t, 8> found; // values
  uint64_t type = 0;
  Operands shape(*this, code);
  for (uint64_t operand : operands) {
    Role role = shape.role();
    if (role == Role::Value || role == Role::PlainValue) {
      found.push_back(operand);
      if (size_t at = values.size() - operand; at < values.size())
        ++values[at].used;
    } else if (role == Role::SignedValue) {
      size_t at = values.size() - (operand >> 1);
      if (operand % 2 == 0 && at < values.size())
        ++values[at].used;
    } else if (role == Role::Type) {
      type = operand;
    } else if (role == Role::Block && code != FUNC_CODE_INST_PHI &&
               operand >> 32 == 0) {
      furthest = std::max(furthest, operand);
    }
    shape.next(operand);
  }
  auto origin = [&](size_t i) {
    return i < found.size() ? value(found[i]).origin : 0;
  };
  auto typeOf = [&](size_t i) -> uint64_t {
    return i < found.size() ? value(found[i]).type : 0;
  };
  uint64_t first = operands.empty() ? 0 : operands[0];
  uint64_t made = hashOf(code, typeOf(0)); // what it is, as a context
  bool defines = true;
  switch (code) {
  case FUNC_CODE_INST_BINOP:
    made =
        hashOf(code, type = typeOf(0), operands.empty() ? 0 : operands.back());
    break;
  case FUNC_CODE_INST_SHUFFLEVEC:
  case FUNC_CODE_INST_UNOP:
  case FUNC_CODE_INST_FREEZE:
  case FUNC_CODE_INST_VSELECT:
  case FUNC_CODE_INST_INSERTELT:
  case FUNC_CODE_INST_INSERTVAL:
    type = typeOf(0);
    break;
  case FUNC_CODE_INST_CMP:
  case FUNC_CODE_INST_CMP2:
    type = 1 << 20; // some type of one bit
    made = hashOf(code, typeOf(0), operands.empty() ? 0 : operands.back());
    break;
  case FUNC_CODE_INST_LOAD:
  case FUNC_CODE_INST_LOADATOMIC:
    made = hashOf(code, origin(0), type);
    break;
  case FUNC_CODE_INST_CAST:
    made = hashOf(code, type, typeOf(0));
    break;
  case FUNC_CODE_INST_PHI:
    type = first;
    made = hashOf(code, type);
    break;
  case FUNC_CODE_INST_ALLOCA:
    made = hashOf(code, first);
    type = pointer;
    break;
  case FUNC_CODE_INST_GEP:
    made = hashOf(code, type);
    for (size_t i = 1; i < found.size(); ++i)
      made = hashOf(made, origin(i));
    type = pointer;
    break;
  case FUNC_CODE_INST_STORE:
  case FUNC_CODE_INST_STOREATOMIC:
    made = hashOf(code, origin(0), typeOf(1));
    defines = false;
    break;
  case FUNC_CODE_INST_CALL:
  case FUNC_CODE_INST_INVOKE: {
    uint64_t callee = found.empty() ? 0 : values.size() - found[0];
    made = callee < outside ? hashOf(code, callee) : hashOf(code, type, 1);
    type = partOf(type, 0);
    defines = !isVoid(type);
    break;
  }
  case FUNC_CODE_INST_ATOMICRMW:
    type = typeOf(1);
    break;
  case FUNC_CODE_INST_EXTRACTVAL:
  case FUNC_CODE_INST_EXTRACTELT:
  case FUNC_CODE_INST_CMPXCHG:
    type = 1 << 21; // a part of some other
    break;
  case FUNC_CODE_INST_LANDINGPAD:
  case FUNC_CODE_INST_VAARG:
    break;
  default:
    defines = false;
  }
  instructions.push_back(made);
  codes = codes << 8 | (code & 255);
  if (endsBlock(code))
    ++basicBlock;
  if (defines) {
    define(type, made);
    // Variables of the function are used all over it.
    if (atEntry && code == FUNC_CODE_INST_ALLOCA)
      base = values.size();
  }
  atEntry &= code == FUNC_CODE_INST_ALLOCA;
}

} // namespace xcc
