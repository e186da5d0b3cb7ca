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

#include "code.h"
#include "flow.h"
#include "lexer.h"

#include <initializer_list>

namespace ptx {

class Decoder {
public:
  Decoder(Program &P, Code &C) : P(P), C(C), F(*C.Of) {}
  /// All of the function.
  void decode();

  using Of = void (*)(Decoder &);
  /// Makes an opcode known; called before main.
  static bool add(std::initializer_list<std::pair<std::string_view, Of>> Some);

  //===--- For the families -----------------------------------------------===//

  [[noreturn]] void refuse(const std::string &Why);
  std::string_view opcode() const { return S->Opcode; }

  // Modifiers, each taken once.
  bool has(std::string_view Name);
  /// The first of those that is there; -1 without any.
  int oneOf(std::initializer_list<std::string_view> Names);
  /// The next one that names a type.
  Type type();
  bool hasType();
  /// Those that mean nothing here: caches, hints, scopes.
  void ignore(std::initializer_list<std::string_view> Names);
  void scope();

  // Operands. Registers must have the type's size, unless any is right.
  size_t operands() const { return S->Operands.size(); }
  const Operand &operand(size_t N);
  int32_t out(size_t N, unsigned Bytes);
  int32_t in(size_t N, Type T);
  int32_t in(const Operand &O, Type T);
  int32_t outRegister(const Operand &O, unsigned Bytes);
  /// Of whatever size; its bytes.
  int32_t anyRegister(const Operand &O, unsigned &Bytes);
  int32_t outPredicate(int Register);
  int32_t inPredicate(size_t N, bool &Not);
  /// The register behind a bar, or -1.
  int32_t second(size_t N);
  bool isRegister(size_t N) { return operand(N).Is == Operand::Register; }
  Type typeOf(const Operand &O) const { return F.Registers[size_t(O.Index)]; }
  int32_t constant(uint64_t Bits, unsigned Bytes);
  int32_t constantPredicate(bool Value);
  /// An address: a register (or a constant) and an offset in Imm.
  void address(size_t N, Space S, Inst &I);
  /// A variable of this function that is passed in calls, with the offset.
  const Passed *passed(const Operand &O) const;
  uint64_t symbol(std::string_view Name);
  /// A register that holds the address of a shared variable, or local memory.
  int32_t preset(int SharedVariable, uint64_t Plus);
  int sharedVariable(const Operand &O) const;
  /// The predicate that is CC.CF.
  int32_t carry();

  /// The instruction, complete but for what all have.
  Inst &emit(Handler Do);
  Inst make() const;
  Step &step() { return Steps.back(); }
  void needs(size_t Count);

  Program &P;
  Code &C;
  const Function &F;
  const Statement *S = nullptr;

private:
  int32_t slot(int Register);
  uint64_t spilled(size_t N);
  void placeVariables();
  void decodeOne();
  void resolve();

  std::vector<bool> Used; ///< modifiers
  size_t NeededOperands = 0;
  int32_t Carry = -1;
  std::vector<int32_t> Slots;
  std::vector<Passed> PassedAt; ///< of variables in .param
  std::vector<int64_t> LocalAt; ///< of .local ones
  std::vector<int> SharedAt;    ///< the program's number of .shared ones
  std::map<std::pair<int, uint64_t>, int32_t> Presets;
  std::map<std::pair<uint64_t, unsigned>, int32_t> Constants;
  std::vector<Step> Steps;
  std::vector<uint32_t> First; ///< instruction of each statement
  friend class Program;
};

/// Makes an initializer out of a registration.
#define PTX_OPCODES(...)                                                       \
  [[maybe_unused]] static const bool Registered = Decoder::add({__VA_ARGS__});

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_DECODE_H
