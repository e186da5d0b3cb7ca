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
  std::string text;
};

/// .b32, .f16x2, .pred: what the letters say and how many bits there are.
struct Type {
  enum Letter : uint8_t { None, B, U, S, F, BF, TF, Pred } of = None;
  uint8_t packed = 1;       ///< 2 in .f16x2
  uint16_t elementBits = 0; ///< of one of them
  unsigned bits() const { return elementBits * packed; }
  unsigned bytes() const { return bits() / 8; }
  bool operator==(const Type &) const = default;
};

/// The type of that name without its dot; None when it is no type.
Type typeNamed(std::string_view name);

enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param };

/// A variable in any space but that of registers.
struct Variable {
  std::string_view name;
  Space in = Space::Global;
  unsigned align = 1;
  uint64_t size = 0; ///< bytes; 0 for an array of unknown size
  bool isExtern = false;
  int line = 0;

  /// An initial value: a number, or an address of a variable or a function.
  struct Item {
    uint64_t bits = 0;
    std::string_view symbol = {};
    bool generic = false;
    uint64_t mask = ~uint64_t(0); ///< 0xFF00(symbol): these bits, moved down
  };
  unsigned itemSize = 1; ///< bytes
  std::vector<Item> items;
};

struct Operand {
  enum Form : uint8_t {
    Register, ///< index
    Special,  ///< name, "%tid.x"
    Integer,  ///< bits
    Single,   ///< 0f3F800000: bits
    Double,   ///< 0d...: bits
    Symbol,   ///< a variable's or function's address: name, plus bits
    Local,    ///< a variable of the function: index, plus bits
    Memory,   ///< [parts[0] + bits]
    Vector,   ///< {parts}
    List,     ///< (parts), of a call
    Sink,     ///< _
    Label,    ///< index: of the statement
    Table,    ///< index: of .branchtargets
    Prototype ///< index
  } is = Sink;
  bool negated = false; ///< !%p1
  int index = -1;
  int second = -1; ///< the register behind the bar in %p1|%p2; -2 for _
  uint64_t bits = 0;
  std::string_view name;
  std::vector<Operand> parts;
};

/// Where in the user's source a statement comes from.
struct SourcePlace {
  int file = 0, line = 0;
};

struct Statement {
  int line = 0;
  SourcePlace from;
  int guard = -1; ///< a predicate register
  bool guardNot = false;
  std::string_view opcode; ///< "ld", without its modifiers
  std::vector<std::string_view> modifiers;
  std::vector<Operand> operands;
};

/// What a function takes and returns: each in bytes, aligned.
struct Signature {
  std::vector<Variable> returns, takes;
};

struct Function {
  std::string_view name;
  bool entry = false, defined = false, noReturn = false;
  int line = 0;
  Signature of;
  std::vector<Type> registers;
  /// Those of its body: .local, .shared and .param (of calls). Parameters and
  /// return values come first, takes before returns.
  std::vector<Variable> variables;
  std::vector<Statement> body;
  std::vector<std::vector<int>> tables; ///< statements
  std::vector<Signature> prototypes;
  unsigned maxThreads = 0, requiredThreads = 0;
};

struct Module {
  std::string text; ///< what all names point into
  int version = 0;  ///< 10 * major + minor
  int target = 0;   ///< 90 of sm_90
  std::vector<Variable> variables;
  std::vector<std::unique_ptr<Function>> functions;
  std::unordered_map<std::string_view, int> variableNames, functionNames;
  std::map<int, std::string> files;

  /// One line of the text, without blanks around it.
  std::string_view line(int number) const;
};

/// Throws Refusal.
std::unique_ptr<Module> parse(std::string text);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_PTX_H
