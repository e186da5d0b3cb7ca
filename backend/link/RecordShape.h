// What a module's records mean, as far as it tells what comes next
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of instructions name values by how far back they are, blocks by
// their number, and types by theirs, which hides what resembles what: calls of
// one function have different numbers, and one number means different things.
// This follows the records of a module as a reader of bitcode does and knows at
// each operand what it names. Whatever is read, it ends in some guess: the same
// one for writer and reader, who have seen the same records.

#ifndef XCC_BACKEND_LINK_RECORDSHAPE_H
#define XCC_BACKEND_LINK_RECORDSHAPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace xcc {

/// Mixes numbers into one.
inline uint64_t hashOf(uint64_t a, uint64_t b, uint64_t c = 0, uint64_t d = 0) {
  constexpr uint64_t factor = 0x9e3779b97f4a7c15;
  for (uint64_t next : {b, c, d})
    a = (a ^ next ^ a >> 29) * factor;
  return a ^ a >> 32;
}

/// What an operand is.
enum class Role : uint8_t {
  Number,
  Type,
  Block,       ///< a basic block
  Value,       ///< by its distance; a later one is followed by its type
  PlainValue,  ///< the same without a type
  SignedValue, ///< by its distance in LLVM's form of signed numbers
};

/// An instruction's operands, one after the other.
class RecordShape;
class Operands {
public:
  Operands(const RecordShape &shape, unsigned code);
  Role role() const { return typeFollows ? Role::Type : roleOf(*at); }
  void next(uint64_t operand);

private:
  const RecordShape &shape;
  const char *at;
  const char *again = nullptr;
  const bool call;
  unsigned number = 0;
  bool typeFollows = false;
  static Role roleOf(char letter);
};

class RecordShape {
public:
  void enter(unsigned block);
  void leave(unsigned block);
  /// A record has ended.
  void add(unsigned block, unsigned code, llvm::ArrayRef<uint64_t> operands);

  /// Where a value is defined, and how far from there.
  struct Named {
    enum Kind : uint8_t { Outside, Base, Local, Later, Odd } kind;
    uint64_t number;
  };
  Named named(uint64_t operand, bool isSigned) const;
  /// The operand that names it.
  uint64_t operandOf(Named what, bool isSigned) const;

  /// What is known of a value, as a context.
  struct Value {
    uint32_t type = 0;
    uint32_t used = 0;
    uint64_t origin = 0; ///< what it was made by, of what
  };
  /// Any operand; values that are not there are all alike.
  const Value &value(uint64_t operand) const;
  /// The last one but `back`.
  const Value &latest(unsigned back = 0) const;

  /// The type of a function's parameter.
  uint64_t parameter(uint64_t function, uint64_t number) const {
    return partOf(function, number);
  }

  uint64_t currentType() const { return setType; }
  uint64_t block() const { return basicBlock; }
  uint64_t furthestBlock() const { return furthest; }
  /// Codes of the last instructions.
  uint64_t recent(unsigned count) const {
    return codes & ((uint64_t(1) << 8 * count) - 1);
  }
  /// Instructions that may have attachments, from `number` on: the code and
  /// what is known of them.
  uint64_t instruction(uint64_t number) const {
    return number < instructions.size() ? instructions[number] : 0;
  }
  size_t instructionCount() const { return instructions.size(); }

private:
  struct Type {
    unsigned code = 0;
    llvm::SmallVector<uint32_t, 4> parts;
  };
  std::vector<Type> types;
  std::vector<Value> values;
  std::deque<uint64_t> bodies; ///< types of functions whose bodies come
  size_t outside = 0;          ///< values of the module
  size_t base = 0;             ///< and arguments, constants and variables
  bool inFunction = false, atEntry = false;
  uint64_t setType = 0, basicBlock = 0, furthest = 0, codes = 0;
  std::vector<uint64_t> instructions;

  uint32_t pointer = 0; ///< the type

  void define(uint64_t type, uint64_t origin) {
    values.push_back({uint32_t(type), 0, origin});
  }
  void defineGlobal(unsigned code, llvm::ArrayRef<uint64_t> operands);
  void defineConstant(unsigned code, llvm::ArrayRef<uint64_t> operands);
  void execute(unsigned code, llvm::ArrayRef<uint64_t> operands);
  uint64_t partOf(uint64_t type, uint64_t number) const;
  bool isVoid(uint64_t type) const;
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDSHAPE_H
