// From PTX text to a module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is skipped for not being known, but what is about debuggers alone.

#include "lexer.h"

#include <algorithm>
#include <charconv>

namespace ptx {

Type typeNamed(std::string_view Name) {
  static const std::unordered_map<std::string_view, Type> Types = {
      {"pred", {Type::Pred, 1, 1}}, {"b8", {Type::B, 1, 8}},
      {"b16", {Type::B, 1, 16}},    {"b32", {Type::B, 1, 32}},
      {"b64", {Type::B, 1, 64}},    {"b128", {Type::B, 1, 128}},
      {"u8", {Type::U, 1, 8}},      {"u16", {Type::U, 1, 16}},
      {"u32", {Type::U, 1, 32}},    {"u64", {Type::U, 1, 64}},
      {"s8", {Type::S, 1, 8}},      {"s16", {Type::S, 1, 16}},
      {"s32", {Type::S, 1, 32}},    {"s64", {Type::S, 1, 64}},
      {"u16x2", {Type::U, 2, 16}},  {"s16x2", {Type::S, 2, 16}},
      {"f16", {Type::F, 1, 16}},    {"f16x2", {Type::F, 2, 16}},
      {"bf16", {Type::BF, 1, 16}},  {"bf16x2", {Type::BF, 2, 16}},
      {"f32", {Type::F, 1, 32}},    {"f64", {Type::F, 1, 64}},
      {"tf32", {Type::TF, 1, 32}},
  };
  auto Found = Types.find(Name);
  return Found == Types.end() ? Type() : Found->second;
}

std::string_view Module::line(int Number) const {
  size_t At = 0;
  for (int L = 1; L < Number && At != std::string::npos; ++L) {
    At = Text.find('\n', At);
    At += At != std::string::npos;
  }
  if (At == std::string::npos)
    return {};
  std::string_view Line(Text);
  Line = Line.substr(At, Text.find('\n', At) - At);
  while (!Line.empty() && (Line.front() == '\t' || Line.front() == ' '))
    Line.remove_prefix(1);
  while (!Line.empty() && (Line.back() == '\r' || Line.back() == ' '))
    Line.remove_suffix(1);
  return Line;
}

namespace {

std::string quoted(std::string_view S) { return "'" + std::string(S) + "'"; }

/// Registers, variables and prototypes that a pair of braces declares.
struct Scope {
  Scope *Outer;
  std::unordered_map<std::string_view, int> Registers;
  /// .reg .b32 %r<9>: the name before the number, the first, how many.
  struct Range {
    std::string_view Stem;
    int First, Count;
  };
  std::vector<Range> Ranges;
  std::unordered_map<std::string_view, int> Variables;
  std::unordered_map<std::string_view, int> Prototypes;
};

class Parser {
public:
  explicit Parser(Module &M) : M(M), L(M.Text) {}
  void run();

private:
  // Words.
  [[noreturn]] void refuse(const std::string &Why) {
    Lexer::refuse(L.peek().Line, Why);
  }
  bool accept(std::string_view S) {
    if (!L.peek().is(S))
      return false;
    L.next();
    return true;
  }
  void expect(std::string_view S) {
    if (!accept(S))
      refuse("expected " + quoted(S) + " before " + quoted(L.peek().Spelling));
  }
  std::string_view word() {
    if (L.peek().Is != Token::Word)
      refuse("expected a name before " + quoted(L.peek().Spelling));
    return L.next().Spelling;
  }
  uint64_t number() {
    if (L.peek().Is != Token::Number)
      refuse("expected a number before " + quoted(L.peek().Spelling));
    return L.next().Bits;
  }

  // Outside of functions.
  void version();
  void file();
  void skipSection();
  Space spaceNamed(std::string_view Word);
  Variable variable(Space In, bool Extern);
  void initial(Variable &V);
  Variable::Item item(unsigned Size);
  std::vector<Variable> parameters();
  void function(bool Entry);
  void moduleVariable(Space In, bool Extern, bool Linked);

  // Inside.
  void body(Function &Into);
  void block();
  void directive(std::string_view Name);
  void registers();
  void location();
  void branchTargets(std::string_view Name);
  void prototype(std::string_view Name);
  void instruction();
  Operand operand();
  Operand named(std::string_view Name);
  int findRegister(std::string_view Name);
  int predicate();
  int labelNamed(std::string_view Name);

  Module &M;
  Lexer L;
  Function *F = nullptr;
  Scope *In = nullptr;
  SourcePlace Place;
  std::unordered_map<std::string_view, int> Labels; ///< the statement, or -1
  std::vector<std::string_view> LabelNames;         ///< by number of use
  std::unordered_map<std::string_view, int> LabelNumbers;
  std::unordered_map<std::string_view, int> TableNames;
  int LabelLine = 0;
};

void Parser::run() {
  while (L.peek().Is != Token::End) {
    std::string_view Word = word();
    if (Word == ".version") {
      version();
    } else if (Word == ".target") {
      std::string_view Arch = word();
      if (!Arch.starts_with("sm_"))
        refuse("unknown target " + quoted(Arch));
      std::from_chars(Arch.data() + 3, Arch.data() + Arch.size(), M.Target);
      while (accept(","))
        if (std::string_view What = word();
            What != "debug" && What != "texmode_independent")
          refuse("unknown property of a target: " + quoted(What));
    } else if (Word == ".address_size") {
      if (number() != 64)
        refuse("addresses must have 64 bits");
    } else if (Word == ".file") {
      file();
    } else if (Word == ".section") {
      skipSection();
    } else {
      bool Extern = false, Linked = false;
      for (;; Word = word()) {
        if (Word == ".extern")
          Extern = true;
        else if (Word == ".visible" || Word == ".weak" || Word == ".common")
          Linked = true;
        else
          break;
      }
      if (Word == ".func" || Word == ".entry")
        function(Word == ".entry");
      else if (Word == ".global" || Word == ".const" || Word == ".shared")
        moduleVariable(spaceNamed(Word), Extern, Linked);
      else
        refuse("unknown directive " + quoted(Word));
    }
  }
  if (!M.Version || !M.Target)
    refuse("no .version and .target");
}

void Parser::version() {
  // The number's spelling: 7.8, 8.0.
  std::string_view S = L.next().Spelling;
  int Major = 0, Minor = 0;
  auto [Stop, Bad] = std::from_chars(S.data(), S.data() + S.size(), Major);
  if (Bad == std::errc() && Stop != S.data() + S.size() && *Stop == '.')
    std::from_chars(Stop + 1, S.data() + S.size(), Minor);
  M.Version = 10 * Major + Minor;
  if (M.Version < 10)
    refuse("not a version: " + quoted(S));
}

void Parser::file() {
  int Number = int(number());
  if (L.peek().Is != Token::Text)
    refuse("expected the name of a file");
  M.Files[Number] = std::string(L.next().Spelling);
  while (accept(",")) // a time and a size
    number();
}

/// Debug information, which has no meaning for code.
void Parser::skipSection() {
  std::string_view Name = word();
  if (!Name.starts_with(".debug_"))
    refuse("unknown section " + quoted(Name));
  if (!L.peek().is("{"))
    refuse("expected '{'");
  L.skipPast('}');
}

Space Parser::spaceNamed(std::string_view Word) {
  if (Word == ".global")
    return Space::Global;
  if (Word == ".const")
    return Space::Const;
  if (Word == ".shared")
    return Space::Shared;
  if (Word == ".local")
    return Space::Local;
  if (Word == ".param")
    return Space::Param;
  refuse("unknown space " + quoted(Word));
}

/// Behind the space: .align 4 .b8 name[12], .u64 .ptr .align 1 name.
Variable Parser::variable(Space In, bool Extern) {
  Variable V;
  V.In = In;
  V.Extern = Extern;
  V.Line = L.peek().Line;
  unsigned Align = 0, Vector = 1;
  Type T;
  while (L.peek().Is == Token::Word && L.peek().Spelling[0] == '.') {
    std::string_view Word = word();
    if (Word == ".align") {
      Align = unsigned(number());
    } else if (Word == ".v2" || Word == ".v4") {
      Vector = unsigned(Word[2] - '0');
    } else if (Word == ".ptr") {
      // About what it points to: a space, an alignment.
      while (L.peek().Is == Token::Word && L.peek().Spelling[0] == '.') {
        std::string_view What = word();
        if (What == ".align")
          number();
        else
          spaceNamed(What);
      }
    } else if (Word == ".attribute") {
      expect("(");
      if (std::string_view What = word(); What != ".managed")
        refuse("unknown attribute " + quoted(What));
      expect(")");
    } else {
      T = typeNamed(Word.substr(1));
      if (T.Of == Type::None || T.Of == Type::Pred)
        refuse("unknown type " + quoted(Word));
    }
  }
  if (T.Of == Type::None)
    refuse("expected a type");
  V.Name = word();
  V.ItemSize = T.bytes();
  V.Align = std::max(Align, T.bytes() * Vector);
  if (Align)
    V.Align = std::max(Align, T.bytes());
  V.Size = T.bytes() * Vector;
  while (accept("[")) {
    V.Size *= L.peek().is("]") ? 0 : number();
    expect("]");
  }
  return V;
}

Variable::Item Parser::item(unsigned Size) {
  Variable::Item I;
  bool Negative = accept("-");
  const Token &T = L.peek();
  if (T.Is == Token::Number || T.Is == Token::Single || T.Is == Token::Double) {
    I.Bits = L.next().Bits;
    if (Negative)
      I.Bits = -I.Bits;
    if (!accept("("))
      return I;
    I.Mask = I.Bits;
    I.Bits = 0;
    Variable::Item Whole = item(Size);
    Whole.Mask = I.Mask;
    expect(")");
    return Whole;
  }
  std::string_view Name = word();
  if (Name == "generic") {
    I.Generic = true;
    expect("(");
    Name = word();
    expect(")");
  } else if (Name == "mask") {
    expect("(");
    I.Mask = number();
    expect(")");
    refuse("mask() is not supported");
  }
  // ptxas knows of nothing that comes later.
  if (!M.VariableNames.count(Name) && !M.FunctionNames.count(Name))
    refuse("an initial value names " + quoted(Name) +
           ", which is not declared before it");
  I.Symbol = Name;
  while (L.peek().is("+") || L.peek().is("-")) {
    bool Minus = L.next().is("-");
    if (accept("-"))
      Minus = !Minus;
    uint64_t N = number();
    I.Bits += Minus ? -N : N;
  }
  return I;
}

void Parser::initial(Variable &V) {
  if (!accept("=")) {
    return;
  }
  if (!accept("{")) {
    V.Items.push_back(item(V.ItemSize));
    return;
  }
  while (!accept("}")) {
    if (accept("{"))
      refuse("nested initial values are not supported");
    V.Items.push_back(item(V.ItemSize));
    if (!L.peek().is("}"))
      expect(",");
  }
  if (!V.Size)
    V.Size = V.Items.size() * V.ItemSize;
  if (V.Items.size() * V.ItemSize > V.Size)
    refuse("too many initial values");
}

void Parser::moduleVariable(Space In, bool Extern, bool Linked) {
  Variable V = variable(In, Extern);
  initial(V);
  expect(";");
  auto [Known, New] =
      M.VariableNames.try_emplace(V.Name, int(M.Variables.size()));
  if (New)
    M.Variables.push_back(std::move(V));
  else if (Variable &Old = M.Variables[size_t(Known->second)]; Old.Extern) {
    if (V.In != Old.In || V.Size != Old.Size || V.ItemSize != Old.ItemSize)
      refuse("another type than that of the declaration of " + quoted(V.Name));
    if (!Extern && !Linked)
      refuse("a .static variable does not define the .extern " +
             quoted(V.Name));
    Old = std::move(V);
  } else if (!Extern)
    refuse("a second variable " + quoted(V.Name));
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> List;
  expect("(");
  if (accept(")"))
    return List;
  do {
    std::string_view Word = word();
    if (Word != ".param")
      refuse("expected '.param' before " + quoted(Word));
    List.push_back(variable(Space::Param, false));
  } while (accept(","));
  expect(")");
  return List;
}

void Parser::function(bool Entry) {
  Signature S;
  int Line = L.peek().Line;
  if (L.peek().is("("))
    S.Returns = parameters();
  std::string_view Name = word();
  if (L.peek().is("("))
    S.Takes = parameters();
  auto [Known, New] =
      M.FunctionNames.try_emplace(Name, int(M.Functions.size()));
  if (New) {
    M.Functions.push_back(std::make_unique<Function>());
    M.Functions.back()->Name = Name;
  }
  Function &Now = *M.Functions[size_t(Known->second)];
  Now.Entry = Entry;
  for (;;) {
    auto Threads = [&] {
      unsigned N = unsigned(number());
      while (accept(","))
        N *= unsigned(number());
      return N;
    };
    if (accept(".noreturn"))
      Now.NoReturn = true;
    else if (accept(".maxntid"))
      Now.MaxThreads = Threads();
    else if (accept(".reqntid"))
      Now.RequiredThreads = Threads();
    else if (accept(".minnctapersm") || accept(".maxnreg"))
      number();
    else if (accept(".pragma")) {
      L.next();
      expect(";");
    } else
      break;
  }
  if (accept(";")) {
    if (!Now.Defined)
      Now.Of = std::move(S);
    return;
  }
  if (Now.Defined)
    refuse("a second function " + quoted(Name));
  Now.Of = std::move(S);
  Now.Line = Line;
  body(Now);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void Parser::body(Function &Into) {
  F = &Into;
  F->Defined = true;
  Scope Outermost{nullptr, {}, {}, {}, {}};
  In = &Outermost;
  Labels.clear();
  LabelNames.clear();
  LabelNumbers.clear();
  TableNames.clear();
  Place = {};
  for (auto *List : {&F->Of.Takes, &F->Of.Returns})
    for (const Variable &V : *List) {
      Outermost.Variables[V.Name] = int(F->Variables.size());
      F->Variables.push_back(V);
    }
  expect("{");
  block();
  // Labels were counted as they were named; now it is known where they are.
  auto Resolve = [&](int Number) {
    auto Found = Labels.find(LabelNames[size_t(Number)]);
    if (Found == Labels.end())
      Lexer::refuse(LabelLine, "no label " +
                                   quoted(LabelNames[size_t(Number)]) + " in " +
                                   quoted(F->Name));
    return Found->second;
  };
  for (Statement &S : F->Body)
    for (Operand &O : S.Operands)
      if (O.Is == Operand::Label)
        O.Index = Resolve(O.Index);
  for (auto &Table : F->Tables)
    for (int &Target : Table)
      Target = Resolve(Target);
  F = nullptr;
  In = nullptr;
}

void Parser::block() {
  for (;;) {
    const Token &T = L.peek();
    if (accept("}"))
      return;
    if (accept("{")) {
      Scope Inner{In, {}, {}, {}, {}};
      In = &Inner;
      block();
      In = Inner.Outer;
      continue;
    }
    if (accept(";"))
      continue;
    if (T.Is == Token::Word && T.Spelling[0] == '.') {
      directive(word());
      continue;
    }
    instruction();
  }
}

void Parser::directive(std::string_view Name) {
  if (Name == ".reg")
    return registers();
  if (Name == ".loc")
    return location();
  if (Name == ".pragma") {
    // Hints about loops; anything else would be one that we do not know.
    if (L.peek().Spelling != "nounroll" &&
        L.peek().Spelling != "used_bytes_mask" &&
        !L.peek().Spelling.starts_with("used_bytes_mask"))
      refuse("unknown pragma " + quoted(L.peek().Spelling));
    L.next();
    expect(";");
    return;
  }
  if (Name == ".local" || Name == ".shared" || Name == ".param" ||
      Name == ".global" || Name == ".const") {
    Space Where = spaceNamed(Name);
    Variable V = variable(Where, false);
    if (Where == Space::Global || Where == Space::Const)
      refuse("a variable of that space inside a function is not supported");
    In->Variables[V.Name] = int(F->Variables.size());
    F->Variables.push_back(V);
    expect(";");
    return;
  }
  refuse("unknown directive " + quoted(Name));
}

void Parser::registers() {
  std::string_view Word = word();
  Type T = typeNamed(Word.substr(1));
  if (Word[0] != '.' || T.Of == Type::None)
    refuse("unknown type " + quoted(Word));
  do {
    std::string_view Name = word();
    int First = int(F->Registers.size());
    if (accept("<")) {
      int Count = int(number());
      expect(">");
      In->Ranges.push_back({Name, First, Count});
      F->Registers.insert(F->Registers.end(), size_t(Count), T);
    } else {
      In->Registers[Name] = First;
      F->Registers.push_back(T);
    }
  } while (accept(","));
  expect(";");
}

/// .loc file line column [, function_name label [+ n], inlined_at f l c]
void Parser::location() {
  Place.File = int(number());
  Place.Line = int(number());
  number();
  while (accept(",")) {
    std::string_view What = word();
    if (What == "function_name") {
      word();
      if (accept("+"))
        number();
    } else if (What == "inlined_at") {
      number();
      number();
      number();
    } else {
      refuse("unknown part of a .loc: " + quoted(What));
    }
  }
}

int Parser::labelNamed(std::string_view Name) {
  auto [Known, New] = LabelNumbers.try_emplace(Name, int(LabelNames.size()));
  if (New)
    LabelNames.push_back(Name);
  LabelLine = L.peek().Line;
  return Known->second;
}

void Parser::branchTargets(std::string_view Name) {
  TableNames[Name] = int(F->Tables.size());
  F->Tables.emplace_back();
  do
    F->Tables.back().push_back(labelNamed(word()));
  while (accept(","));
  expect(";");
}

/// prototype_1 : .callprototype (.param .b32 _) _ (.param .b64 _);
void Parser::prototype(std::string_view Name) {
  Signature S;
  if (L.peek().is("("))
    S.Returns = parameters();
  word(); // _
  if (L.peek().is("("))
    S.Takes = parameters();
  accept(".noreturn");
  expect(";");
  In->Prototypes[Name] = int(F->Prototypes.size());
  F->Prototypes.push_back(std::move(S));
}

int Parser::findRegister(std::string_view Name) {
  size_t Digits = Name.size();
  while (Digits && Name[Digits - 1] >= '0' && Name[Digits - 1] <= '9')
    --Digits;
  int Number = -1;
  if (Digits != Name.size())
    std::from_chars(Name.data() + Digits, Name.data() + Name.size(), Number);
  for (Scope *S = In; S; S = S->Outer) {
    if (auto Found = S->Registers.find(Name); Found != S->Registers.end())
      return Found->second;
    if (Number >= 0)
      for (const Scope::Range &R : S->Ranges)
        if (R.Stem == Name.substr(0, Digits) && Number < R.Count)
          return R.First + Number;
  }
  return -1;
}

int Parser::predicate() {
  std::string_view Name = word();
  int Found = findRegister(Name);
  if (Found < 0 || F->Registers[size_t(Found)].Of != Type::Pred)
    refuse("no predicate " + quoted(Name));
  return Found;
}

Operand Parser::named(std::string_view Name) {
  Operand O;
  O.Name = Name;
  if (Name == "_")
    return O;
  if (int Found = findRegister(Name); Found >= 0) {
    O.Is = Operand::Register;
    O.Index = Found;
    return O;
  }
  if (Name[0] == '%') {
    O.Is = Operand::Special;
    return O;
  }
  for (Scope *S = In; S; S = S->Outer) {
    if (auto V = S->Variables.find(Name); V != S->Variables.end()) {
      O.Is = Operand::Local;
      O.Index = V->second;
      return O;
    }
    if (auto P = S->Prototypes.find(Name); P != S->Prototypes.end()) {
      O.Is = Operand::Prototype;
      O.Index = P->second;
      return O;
    }
  }
  if (auto T = TableNames.find(Name); T != TableNames.end()) {
    O.Is = Operand::Table;
    O.Index = T->second;
  } else if (M.VariableNames.count(Name) || M.FunctionNames.count(Name)) {
    O.Is = Operand::Symbol;
  } else {
    O.Is = Operand::Label;
    O.Index = labelNamed(Name);
  }
  return O;
}

Operand Parser::operand() {
  Operand O;
  auto Offset = [&](Operand &To) {
    while (L.peek().is("+") || L.peek().is("-")) {
      bool Minus = L.next().is("-");
      if (accept("-"))
        Minus = !Minus;
      uint64_t N = number();
      To.Bits += Minus ? -N : N;
    }
  };
  if (accept("[")) {
    O.Is = Operand::Memory;
    O.Parts.push_back(operand());
    // "name+4" was taken with the name.
    O.Bits = O.Parts[0].Bits;
    O.Parts[0].Bits = 0;
    if (O.Parts[0].Is == Operand::Integer)
      std::swap(O.Bits, O.Parts[0].Bits);
    Offset(O);
    expect("]");
    return O;
  }
  if (L.peek().is("{") || L.peek().is("(")) {
    bool Braces = L.next().is("{");
    O.Is = Braces ? Operand::Vector : Operand::List;
    std::string_view Close = Braces ? "}" : ")";
    if (accept(Close))
      return O;
    do
      O.Parts.push_back(operand());
    while (accept(","));
    expect(Close);
    return O;
  }
  if (accept("!")) {
    O.Is = Operand::Register;
    O.Not = true;
    O.Index = predicate();
    return O;
  }
  bool Negative = accept("-");
  const Token &T = L.peek();
  if (T.Is == Token::Number) {
    O.Is = Operand::Integer;
    O.Bits = L.next().Bits;
    if (Negative)
      O.Bits = -O.Bits;
    return O;
  }
  if (T.Is == Token::Single || T.Is == Token::Double) {
    O.Is = T.Is == Token::Single ? Operand::Single : Operand::Double;
    O.Bits = L.next().Bits;
    if (Negative)
      O.Bits ^= O.Is == Operand::Single ? uint64_t(1) << 31 : uint64_t(1) << 63;
    return O;
  }
  if (Negative)
    refuse("expected a number behind '-'");
  O = named(word());
  if (accept("|")) {
    std::string_view Name = word();
    O.Second = Name == "_" ? -2 : findRegister(Name);
    if (O.Second == -1)
      refuse("no register " + quoted(Name));
    return O;
  }
  Offset(O);
  return O;
}

void Parser::instruction() {
  Statement S;
  S.Line = L.peek().Line;
  S.From = Place;
  if (accept("@")) {
    S.GuardNot = accept("!");
    S.Guard = predicate();
  }
  std::string_view Name = word();
  // A label, or something that only calls and branches name.
  if (S.Guard < 0 && accept(":")) {
    if (accept(".branchtargets"))
      return branchTargets(Name);
    if (accept(".callprototype"))
      return prototype(Name);
    if (!Labels.try_emplace(Name, int(F->Body.size())).second)
      refuse("a second label " + quoted(Name));
    return;
  }
  size_t Dot = Name.find('.');
  S.Opcode = Name.substr(0, Dot);
  while (Dot != Name.npos) {
    size_t End = Name.find('.', Dot + 1);
    S.Modifiers.push_back(Name.substr(Dot + 1, End - Dot - 1));
    Dot = End;
  }
  if (!accept(";")) {
    do
      S.Operands.push_back(operand());
    while (accept(","));
    expect(";");
  }
  F->Body.push_back(std::move(S));
}

} // namespace

std::unique_ptr<Module> parse(std::string Text) {
  auto M = std::make_unique<Module>();
  M->Text = std::move(Text);
  Parser(*M).run();
  return M;
}

} // namespace ptx
