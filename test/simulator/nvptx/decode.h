// From a statement to an instruction
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each family of instructions registers what decodes its opcodes. A decoder
// takes modifiers and operands one after the other; what is left in the end, or
// is not known, refuses the module.

#ifndef XCC_SIMULATOR_NVPTX_DECODE_H
#define XCC_SIMULATOR_NVPTX_DECODE_H

#include "definedness.h"
#include "flow.h"
#include "lexer.h"

#include <initializer_list>

namespace ptx {

class Decoder {
public:
  Decoder(Program &p, Code &c) : p(p), c(c), f(*c.of) {}
  /// All of the function, but for where lanes meet.
  void decode();
  /// That, once it is known which calls recurse.
  void resolve();

  using Of = void (*)(Decoder &);
  /// Makes an opcode known; called before main.
  static bool add(std::initializer_list<std::pair<std::string_view, Of>> some);
  static bool knows(std::string_view opcode);

  //===--- For the families -----------------------------------------------===//

  [[noreturn]] void refuse(const std::string &why) const;
  [[noreturn]] void refuseUnknown(const std::string &what) const;
  std::string_view opcode() const { return s->opcode; }

  // Modifiers, each taken once.
  bool has(std::string_view name);
  /// The first of those that is there; -1 without any.
  int oneOf(std::initializer_list<std::string_view> names);
  /// The next one that names a type.
  Type type();
  bool hasType();
  /// Those that mean nothing here: caches, hints, scopes.
  void ignore(std::initializer_list<std::string_view> names);
  void scope();

  // Operands. Registers must have the type's size, unless any is right.
  size_t operands() const { return s->operands.size(); }
  const Operand &operand(size_t n);
  int32_t out(size_t n, unsigned bytes);
  int32_t in(size_t n, Type t);
  int32_t in(const Operand &o, Type t);
  int32_t outRegister(const Operand &o, unsigned bytes);
  /// Of whatever size; its bytes.
  int32_t anyRegister(const Operand &o, unsigned &bytes);
  int32_t outPredicate(int reg);
  int32_t inPredicate(size_t n, bool &negated);
  /// The register behind a bar, or -1.
  int32_t second(size_t n);
  bool isRegister(size_t n) { return operand(n).is == Operand::Register; }
  static unsigned registerBytes(Type t);
  Type typeOf(const Operand &o) const { return f.registers[size_t(o.index)]; }
  /// The floating-point type that an instruction of this function writes a
  /// register as; none where there is no such instruction.
  Type writtenAs(const Operand &reg);
  /// A register of so many bytes that the text does not name.
  int32_t temporary(unsigned bytes);
  int32_t constant(uint64_t bits, unsigned bytes);
  int32_t constantPredicate(bool value);
  /// An address: a register (or a constant) and an offset in imm.
  void address(size_t n, Space s, Inst &i);
  /// A variable of this function that is passed in calls, with the offset.
  const Passed *passed(const Operand &o) const;
  uint64_t symbol(std::string_view name);
  /// A register that holds the address of a shared variable, or local memory.
  int32_t preset(int sharedVariable, uint64_t plus);
  int sharedVariable(const Operand &o) const;
  /// The predicate that is CC.CF.
  int32_t carry();

  /// The instruction, complete but for what all have.
  Inst &emit(Handler run);
  Inst make() const;
  Step &step() { return steps.back(); }
  /// Whether the last instruction is a call.
  bool isBehindCall() const { return !steps.empty() && steps.back().call >= 0; }
  void needs(size_t count);

  Program &p;
  Code &c;
  const Function &f;
  const Statement *s = nullptr;

private:
  int32_t slot(int reg);
  int32_t predicate(int reg) const;
  int32_t sizedRegister(const Operand &o, unsigned bytes);
  int32_t readOnly(const Operand &o, Type t);
  void makeRules(size_t first);
  void makeMemoryRule(Rule &r, size_t at);
  uint64_t spilled(size_t n);
  void placeVariables();
  void decodeOne();
  void resolveTargets();
  bool joinsBehind(size_t call) const;
  void refuseLostParameters();

  std::vector<bool> used; ///< modifiers
  size_t neededOperands = 0;
  std::vector<Rule::Part> reads, writes; ///< of the statement
  int32_t carry_ = -1;
  std::vector<int32_t> slots;
  std::vector<Type> written;    ///< what writtenAs() says of each register
  std::vector<Passed> passedAt; ///< of variables in .param
  std::vector<int64_t> localAt; ///< of .local ones
  std::vector<int> sharedAt;    ///< the program's number of .shared ones
  std::map<std::pair<int, uint64_t>, int32_t> presets;
  std::map<std::pair<uint64_t, unsigned>, int32_t> constants;
  std::vector<Step> steps;
  std::vector<uint32_t> first; ///< instruction of each statement
  friend class Program;
};

/// Makes an initializer out of a registration.
#define PTX_OPCODES(...)                                                       \
  [[maybe_unused]] static const bool Registered = Decoder::add({__VA_ARGS__});

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_DECODE_H
