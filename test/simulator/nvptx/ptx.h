// A module of PTX as it is written
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parser makes of PTX text (PTX ISA, chapters 4, 5 and 11): names are
// resolved, instructions are not yet looked at. decode.h makes code of it.

#ifndef XCC_SIMULATOR_NVPTX_PTX_H
#define XCC_SIMULATOR_NVPTX_PTX_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ptx {

/// What a module cannot be loaded for: "line 12: unknown instruction 'foo'".
struct Refusal {
  std::string Text;
};

/// .b32, .f16x2, .pred: what the letters say and how many bits there are.
struct Type {
  enum Letter : uint8_t { None, B, U, S, F, BF, TF, Pred } Of = None;
  uint8_t Packed = 1; ///< 2 in .f16x2
  uint16_t Bits = 0;  ///< of one of them
  unsigned bits() const { return Bits * Packed; }
  unsigned bytes() const { return bits() / 8; }
  bool operator==(const Type &) const = default;
};

/// The type of that name without its dot; None when it is no type.
Type typeNamed(std::string_view Name);

enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param };

/// A variable in any space but that of registers.
struct Variable {
  std::string_view Name;
  Space In = Space::Global;
  unsigned Align = 1;
  uint64_t Size = 0; ///< bytes; 0 for an array of unknown size
  bool Extern = false;
  int Line = 0;

  /// An initial value: a number, or an address of a variable or a function.
  struct Item {
    uint64_t Bits = 0;
    std::string_view Symbol = {};
    bool Generic = false;
    uint64_t Mask = ~uint64_t(0); ///< 0xFF00(symbol): these bits, moved down
  };
  unsigned ItemSize = 1; ///< bytes
  std::vector<Item> Items;
};

struct Operand {
  enum Form : uint8_t {
    Register, ///< Index
    Special,  ///< Name, "%tid.x"
    Integer,  ///< Bits
    Single,   ///< 0f3F800000: Bits
    Double,   ///< 0d...: Bits
    Symbol,   ///< a variable's or function's address: Name, plus Bits
    Local,    ///< a variable of the function: Index, plus Bits
    Memory,   ///< [Parts[0] + Bits]
    Vector,   ///< {Parts}
    List,     ///< (Parts), of a call
    Sink,     ///< _
    Label,    ///< Index: of the statement
    Table,    ///< Index: of .branchtargets
    Prototype ///< Index
  } Is = Sink;
  bool Not = false; ///< !%p1
  int Index = -1;
  int Second = -1; ///< the register behind the bar in %p1|%p2; -2 for _
  uint64_t Bits = 0;
  std::string_view Name;
  std::vector<Operand> Parts;
};

/// Where in the user's source a statement comes from.
struct SourcePlace {
  int File = 0, Line = 0;
};

struct Statement {
  int Line = 0;
  SourcePlace From;
  int Guard = -1; ///< a predicate register
  bool GuardNot = false;
  std::string_view Opcode; ///< "ld", without its modifiers
  std::vector<std::string_view> Modifiers;
  std::vector<Operand> Operands;
};

/// What a function takes and returns: each in bytes, aligned.
struct Signature {
  std::vector<Variable> Returns, Takes;
};

struct Function {
  std::string_view Name;
  bool Entry = false, Defined = false, NoReturn = false;
  int Line = 0;
  Signature Of;
  std::vector<Type> Registers;
  /// Those of its body: .local, .shared and .param (of calls). Parameters and
  /// return values come first, Takes before Returns.
  std::vector<Variable> Variables;
  std::vector<Statement> Body;
  std::vector<std::vector<int>> Tables; ///< statements
  std::vector<Signature> Prototypes;
  unsigned MaxThreads = 0, RequiredThreads = 0;
};

struct Module {
  std::string Text; ///< what all names point into
  int Version = 0;  ///< 10 * major + minor
  int Target = 0;   ///< 90 of sm_90
  std::vector<Variable> Variables;
  std::vector<std::unique_ptr<Function>> Functions;
  std::unordered_map<std::string_view, int> VariableNames, FunctionNames;
  std::map<int, std::string> Files;

  /// One line of the text, without blanks around it.
  std::string_view line(int Number) const;
};

/// Throws Refusal.
std::unique_ptr<Module> parse(std::string Text);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_PTX_H
