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

Type typeNamed(std::string_view name) {
  static const std::unordered_map<std::string_view, Type> types = {
      {"pred", {Type::Pred, 1, 1}},  {"b8", {Type::B, 1, 8}},
      {"b16", {Type::B, 1, 16}},     {"b32", {Type::B, 1, 32}},
      {"b64", {Type::B, 1, 64}},     {"b128", {Type::B, 1, 128}},
      {"u8", {Type::U, 1, 8}},       {"u16", {Type::U, 1, 16}},
      {"u32", {Type::U, 1, 32}},     {"u64", {Type::U, 1, 64}},
      {"s8", {Type::S, 1, 8}},       {"s16", {Type::S, 1, 16}},
      {"s32", {Type::S, 1, 32}},     {"s64", {Type::S, 1, 64}},
      {"u16x2", {Type::U, 2, 16}},   {"s16x2", {Type::S, 2, 16}},
      {"f32x2", {Type::F, 2, 32}},   {"f16", {Type::F, 1, 16}},
      {"f16x2", {Type::F, 2, 16}},   {"bf16", {Type::BF, 1, 16}},
      {"bf16x2", {Type::BF, 2, 16}}, {"f32", {Type::F, 1, 32}},
      {"f64", {Type::F, 1, 64}},     {"tf32", {Type::TF, 1, 32}},
  };
  auto found = types.find(name);
  return found == types.end() ? Type() : found->second;
}

std::string_view Module::line(int number) const {
  size_t at = 0;
  for (int l = 1; l < number && at != std::string::npos; ++l) {
    at = text.find('\n', at);
    at += at != std::string::npos;
  }
  if (at == std::string::npos)
    return {};
  std::string_view line(text);
  line = line.substr(at, text.find('\n', at) - at);
  while (!line.empty() && (line.front() == '\t' || line.front() == ' '))
    line.remove_prefix(1);
  while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
    line.remove_suffix(1);
  return line;
}

namespace {

std::string quoted(std::string_view s) { return "'" + std::string(s) + "'"; }

/// Registers, variables and prototypes that a pair of braces declares.
struct Scope {
  Scope *outer;
  std::unordered_map<std::string_view, int> registers;
  /// .reg .b32 %r<9>: the name before the number, the first, how many.
  struct Range {
    std::string_view stem;
    int first, count;
  };
  std::vector<Range> ranges;
  std::unordered_map<std::string_view, int> variables;
  std::unordered_map<std::string_view, int> prototypes;
};

class Parser {
public:
  explicit Parser(Module &m) : m(m), l(m.text) {}
  void run();

private:
  // Words.
  [[noreturn]] void refuse(const std::string &why) {
    Lexer::refuse(l.peek().line, why);
  }
  bool accept(std::string_view s) {
    if (!l.peek().is(s))
      return false;
    l.next();
    return true;
  }
  void expect(std::string_view s) {
    if (!accept(s))
      refuse("expected " + quoted(s) + " before " + quoted(l.peek().spelling));
  }
  std::string_view word() {
    if (l.peek().kind != Token::Word)
      refuse("expected a name before " + quoted(l.peek().spelling));
    return l.next().spelling;
  }
  uint64_t number() {
    if (l.peek().kind != Token::Number)
      refuse("expected a number before " + quoted(l.peek().spelling));
    return l.next().bits;
  }

  // Outside of functions.
  void version();
  void file();
  void skipSection();
  Space spaceNamed(std::string_view word);
  Variable variable(Space in, bool isExtern);
  void initial(Variable &v);
  Variable::Item item(unsigned size);
  std::vector<Variable> parameters();
  void checkArguments(const std::vector<Variable> &list);
  void function(bool entry);
  void moduleVariable(Space in, bool isExtern, bool linked);

  // Inside.
  void body(Function &into);
  void block();
  void directive(std::string_view name);
  void registers();
  void location();
  void branchTargets(std::string_view name);
  void prototype(std::string_view name);
  void instruction();
  Operand operand();
  Operand named(std::string_view name);
  int findRegister(std::string_view name);
  int predicate();
  int labelNamed(std::string_view name);

  Module &m;
  Lexer l;
  Function *f = nullptr;
  Scope *in = nullptr;
  SourcePlace place;
  std::unordered_map<std::string_view, int> labels; ///< the statement, or -1
  std::vector<std::string_view> labelNames;         ///< by number of use
  std::unordered_map<std::string_view, int> labelNumbers;
  std::unordered_map<std::string_view, int> tableNames;
  int labelLine = 0;
};

void Parser::run() {
  while (l.peek().kind != Token::End) {
    std::string_view directive = word();
    if (directive == ".version") {
      version();
    } else if (directive == ".target") {
      std::string_view arch = word();
      if (!arch.starts_with("sm_"))
        refuse("unknown target " + quoted(arch));
      std::from_chars(arch.data() + 3, arch.data() + arch.size(), m.target);
      while (accept(","))
        if (std::string_view what = word();
            what != "debug" && what != "texmode_independent")
          refuse("unknown property of a target: " + quoted(what));
    } else if (directive == ".address_size") {
      if (number() != 64)
        refuse("addresses must have 64 bits");
    } else if (directive == ".file") {
      file();
    } else if (directive == ".section") {
      skipSection();
    } else {
      bool isExtern = false, linked = false;
      for (;; directive = word()) {
        if (directive == ".extern")
          isExtern = true;
        else if (directive == ".visible" || directive == ".weak" ||
                 directive == ".common")
          linked = true;
        else
          break;
      }
      if (directive == ".func" || directive == ".entry")
        function(directive == ".entry");
      else if (directive == ".global" || directive == ".const" ||
               directive == ".shared")
        moduleVariable(spaceNamed(directive), isExtern, linked);
      else
        refuse("unknown directive " + quoted(directive));
    }
  }
  if (!m.version || !m.target)
    refuse("no .version and .target");
}

void Parser::version() {
  // The number's spelling: 7.8, 8.0.
  std::string_view s = l.next().spelling;
  int major = 0, minor = 0;
  auto [stop, bad] = std::from_chars(s.data(), s.data() + s.size(), major);
  if (bad == std::errc() && stop != s.data() + s.size() && *stop == '.')
    std::from_chars(stop + 1, s.data() + s.size(), minor);
  m.version = 10 * major + minor;
  if (m.version < 10)
    refuse("not a version: " + quoted(s));
}

void Parser::file() {
  int which = int(number());
  if (l.peek().kind != Token::Text)
    refuse("expected the name of a file");
  m.files[which] = std::string(l.next().spelling);
  while (accept(",")) // a time and a size
    number();
}

/// Debug information, which has no meaning for code.
void Parser::skipSection() {
  std::string_view name = word();
  if (!name.starts_with(".debug_"))
    refuse("unknown section " + quoted(name));
  if (!l.peek().is("{"))
    refuse("expected '{'");
  l.skipPast('}');
}

Space Parser::spaceNamed(std::string_view word) {
  if (word == ".global")
    return Space::Global;
  if (word == ".const")
    return Space::Const;
  if (word == ".shared")
    return Space::Shared;
  if (word == ".local")
    return Space::Local;
  if (word == ".param")
    return Space::Param;
  refuse("unknown space " + quoted(word));
}

/// Behind the space: .align 4 .b8 name[12], .u64 .ptr .align 1 name.
Variable Parser::variable(Space in, bool isExtern) {
  Variable v;
  v.in = in;
  v.isExtern = isExtern;
  v.line = l.peek().line;
  unsigned align = 0, vector = 1;
  Type t;
  while (l.peek().kind == Token::Word && l.peek().spelling[0] == '.') {
    std::string_view prefix = word();
    if (prefix == ".align") {
      align = unsigned(number());
    } else if (prefix == ".v2" || prefix == ".v4") {
      vector = unsigned(prefix[2] - '0');
    } else if (prefix == ".ptr") {
      // About what it points to: a space, an alignment.
      while (l.peek().kind == Token::Word && l.peek().spelling[0] == '.') {
        std::string_view what = word();
        if (what == ".align")
          number();
        else
          spaceNamed(what);
      }
    } else if (prefix == ".attribute") {
      expect("(");
      if (std::string_view what = word(); what != ".managed")
        refuse("unknown attribute " + quoted(what));
      expect(")");
    } else {
      t = typeNamed(prefix.substr(1));
      if (t.of == Type::None || t.of == Type::Pred)
        refuse("unknown type " + quoted(prefix));
    }
  }
  if (t.of == Type::None)
    refuse("expected a type");
  v.name = word();
  v.itemSize = t.bytes();
  v.align = std::max(align, t.bytes() * vector);
  if (align)
    v.align = std::max(align, t.bytes());
  v.size = t.bytes() * vector;
  while (accept("[")) {
    v.size *= l.peek().is("]") ? 0 : number();
    expect("]");
  }
  return v;
}

Variable::Item Parser::item(unsigned size) {
  Variable::Item i;
  bool negative = accept("-");
  const Token &t = l.peek();
  if (t.kind == Token::Number || t.kind == Token::Single ||
      t.kind == Token::Double) {
    i.bits = l.next().bits;
    if (negative)
      i.bits = -i.bits;
    if (!accept("("))
      return i;
    i.mask = i.bits;
    i.bits = 0;
    Variable::Item whole = item(size);
    whole.mask = i.mask;
    expect(")");
    return whole;
  }
  std::string_view name = word();
  if (name == "generic") {
    i.generic = true;
    expect("(");
    name = word();
    expect(")");
  } else if (name == "mask") {
    expect("(");
    i.mask = number();
    expect(")");
    refuse("mask() is not supported");
  }
  // ptxas knows of nothing that comes later.
  if (!m.variableNames.count(name) && !m.functionNames.count(name))
    refuse("an initial value names " + quoted(name) +
           ", which is not declared before it");
  i.symbol = name;
  while (l.peek().is("+") || l.peek().is("-")) {
    bool minus = l.next().is("-");
    if (accept("-"))
      minus = !minus;
    uint64_t n = number();
    i.bits += minus ? -n : n;
  }
  return i;
}

void Parser::initial(Variable &v) {
  if (!accept("=")) {
    return;
  }
  if (!accept("{")) {
    v.items.push_back(item(v.itemSize));
    return;
  }
  while (!accept("}")) {
    if (accept("{"))
      refuse("nested initial values are not supported");
    v.items.push_back(item(v.itemSize));
    if (!l.peek().is("}"))
      expect(",");
  }
  if (!v.size)
    v.size = v.items.size() * v.itemSize;
  if (v.items.size() * v.itemSize > v.size)
    refuse("too many initial values");
}

void Parser::moduleVariable(Space in, bool isExtern, bool linked) {
  Variable v = variable(in, isExtern);
  initial(v);
  expect(";");
  auto [known, isNew] =
      m.variableNames.try_emplace(v.name, int(m.variables.size()));
  if (isNew)
    m.variables.push_back(std::move(v));
  else if (Variable &old = m.variables[size_t(known->second)]; old.isExtern) {
    if (v.in != old.in || v.size != old.size || v.itemSize != old.itemSize)
      refuse("another type than that of the declaration of " + quoted(v.name));
    if (!isExtern && !linked)
      refuse("a .static variable does not define the .extern " +
             quoted(v.name));
    old = std::move(v);
  } else if (!isExtern)
    refuse("a second variable " + quoted(v.name));
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> list;
  expect("(");
  if (accept(")"))
    return list;
  do {
    std::string_view space = word();
    if (space != ".param")
      refuse("expected '.param' before " + quoted(space));
    list.push_back(variable(Space::Param, false));
  } while (accept(","));
  expect(")");
  return list;
}

/// PTX ISA, kernel function parameters.
void Parser::checkArguments(const std::vector<Variable> &list) {
  uint64_t end = 0;
  for (const Variable &each : list) {
    uint64_t align = std::max<uint64_t>(each.align, 1);
    end = (end + align - 1) / align * align + each.size;
  }
  uint64_t most = m.version < 81 || m.target < 70 ? 4352 : 32764;
  if (end > most)
    refuse("a kernel takes " + std::to_string(end) + " bytes; in PTX " +
           std::to_string(m.version / 10) + "." +
           std::to_string(m.version % 10) + " for sm_" +
           std::to_string(m.target) + " it can take " + std::to_string(most));
}

void Parser::function(bool entry) {
  Signature s;
  int line = l.peek().line;
  if (l.peek().is("("))
    s.returns = parameters();
  std::string_view name = word();
  if (l.peek().is("("))
    s.takes = parameters();
  auto [known, isNew] =
      m.functionNames.try_emplace(name, int(m.functions.size()));
  if (isNew) {
    m.functions.push_back(std::make_unique<Function>());
    m.functions.back()->name = name;
  }
  Function &now = *m.functions[size_t(known->second)];
  now.entry = entry;
  if (entry)
    checkArguments(s.takes);
  for (;;) {
    auto threads = [&] {
      unsigned n = unsigned(number());
      while (accept(","))
        n *= unsigned(number());
      return n;
    };
    if (accept(".noreturn"))
      now.noReturn = true;
    else if (accept(".maxntid"))
      now.maxThreads = threads();
    else if (accept(".reqntid"))
      now.requiredThreads = threads();
    else if (accept(".minnctapersm") || accept(".maxnreg"))
      number();
    else if (accept(".pragma")) {
      l.next();
      expect(";");
    } else
      break;
  }
  if (accept(";")) {
    if (!now.defined)
      now.of = std::move(s);
    return;
  }
  if (now.defined)
    refuse("a second function " + quoted(name));
  now.of = std::move(s);
  now.line = line;
  body(now);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void Parser::body(Function &into) {
  f = &into;
  f->defined = true;
  Scope outermost{nullptr, {}, {}, {}, {}};
  in = &outermost;
  labels.clear();
  labelNames.clear();
  labelNumbers.clear();
  tableNames.clear();
  place = {};
  for (auto *list : {&f->of.takes, &f->of.returns})
    for (const Variable &v : *list) {
      outermost.variables[v.name] = int(f->variables.size());
      f->variables.push_back(v);
    }
  expect("{");
  block();
  // Labels were counted as they were named; now it is known where they are.
  auto resolve = [&](int number) {
    auto found = labels.find(labelNames[size_t(number)]);
    if (found == labels.end())
      Lexer::refuse(labelLine, "no label " +
                                   quoted(labelNames[size_t(number)]) + " in " +
                                   quoted(f->name));
    return found->second;
  };
  for (Statement &s : f->body)
    for (Operand &o : s.operands)
      if (o.is == Operand::Label)
        o.index = resolve(o.index);
  for (auto &table : f->tables)
    for (int &target : table)
      target = resolve(target);
  f = nullptr;
  in = nullptr;
}

void Parser::block() {
  for (;;) {
    const Token &t = l.peek();
    if (accept("}"))
      return;
    if (accept("{")) {
      Scope inner{in, {}, {}, {}, {}};
      in = &inner;
      block();
      in = inner.outer;
      continue;
    }
    if (accept(";"))
      continue;
    if (t.kind == Token::Word && t.spelling[0] == '.') {
      directive(word());
      continue;
    }
    instruction();
  }
}

void Parser::directive(std::string_view name) {
  if (name == ".reg")
    return registers();
  if (name == ".loc")
    return location();
  if (name == ".pragma") {
    // Hints about loops; anything else would be one that we do not know.
    if (l.peek().spelling != "nounroll" &&
        l.peek().spelling != "used_bytes_mask" &&
        !l.peek().spelling.starts_with("used_bytes_mask"))
      refuse("unknown pragma " + quoted(l.peek().spelling));
    l.next();
    expect(";");
    return;
  }
  if (name == ".local" || name == ".shared" || name == ".param" ||
      name == ".global" || name == ".const") {
    Space where = spaceNamed(name);
    Variable v = variable(where, false);
    if (where == Space::Global || where == Space::Const)
      refuse("a variable of that space inside a function is not supported");
    in->variables[v.name] = int(f->variables.size());
    f->variables.push_back(v);
    expect(";");
    return;
  }
  refuse("unknown directive " + quoted(name));
}

void Parser::registers() {
  std::string_view type = word();
  Type t = typeNamed(type.substr(1));
  if (type[0] != '.' || t.of == Type::None)
    refuse("unknown type " + quoted(type));
  do {
    std::string_view name = word();
    int first = int(f->registers.size());
    if (accept("<")) {
      int count = int(number());
      expect(">");
      in->ranges.push_back({name, first, count});
      f->registers.insert(f->registers.end(), size_t(count), t);
    } else {
      in->registers[name] = first;
      f->registers.push_back(t);
    }
  } while (accept(","));
  expect(";");
}

/// .loc file line column [, function_name label [+ n], inlined_at f l c]
void Parser::location() {
  place.file = int(number());
  place.line = int(number());
  number();
  while (accept(",")) {
    std::string_view what = word();
    if (what == "function_name") {
      word();
      if (accept("+"))
        number();
    } else if (what == "inlined_at") {
      number();
      number();
      number();
    } else {
      refuse("unknown part of a .loc: " + quoted(what));
    }
  }
}

int Parser::labelNamed(std::string_view name) {
  auto [known, isNew] = labelNumbers.try_emplace(name, int(labelNames.size()));
  if (isNew)
    labelNames.push_back(name);
  labelLine = l.peek().line;
  return known->second;
}

void Parser::branchTargets(std::string_view name) {
  tableNames[name] = int(f->tables.size());
  f->tables.emplace_back();
  do
    f->tables.back().push_back(labelNamed(word()));
  while (accept(","));
  expect(";");
}

/// prototype_1 : .callprototype (.param .b32 _) _ (.param .b64 _);
void Parser::prototype(std::string_view name) {
  Signature s;
  if (l.peek().is("("))
    s.returns = parameters();
  word(); // _
  if (l.peek().is("("))
    s.takes = parameters();
  accept(".noreturn");
  expect(";");
  in->prototypes[name] = int(f->prototypes.size());
  f->prototypes.push_back(std::move(s));
}

int Parser::findRegister(std::string_view name) {
  size_t digits = name.size();
  while (digits && name[digits - 1] >= '0' && name[digits - 1] <= '9')
    --digits;
  int number = -1;
  if (digits != name.size())
    std::from_chars(name.data() + digits, name.data() + name.size(), number);
  for (Scope *s = in; s; s = s->outer) {
    if (auto found = s->registers.find(name); found != s->registers.end())
      return found->second;
    if (number >= 0)
      for (const Scope::Range &r : s->ranges)
        if (r.stem == name.substr(0, digits) && number < r.count)
          return r.first + number;
  }
  return -1;
}

int Parser::predicate() {
  std::string_view name = word();
  int found = findRegister(name);
  if (found < 0 || f->registers[size_t(found)].of != Type::Pred)
    refuse("no predicate " + quoted(name));
  return found;
}

Operand Parser::named(std::string_view name) {
  Operand o;
  o.name = name;
  if (name == "_")
    return o;
  if (int found = findRegister(name); found >= 0) {
    o.is = Operand::Register;
    o.index = found;
    return o;
  }
  if (name[0] == '%') {
    o.is = Operand::Special;
    return o;
  }
  for (Scope *s = in; s; s = s->outer) {
    if (auto v = s->variables.find(name); v != s->variables.end()) {
      o.is = Operand::Local;
      o.index = v->second;
      return o;
    }
    if (auto p = s->prototypes.find(name); p != s->prototypes.end()) {
      o.is = Operand::Prototype;
      o.index = p->second;
      return o;
    }
  }
  if (auto t = tableNames.find(name); t != tableNames.end()) {
    o.is = Operand::Table;
    o.index = t->second;
  } else if (m.variableNames.count(name) || m.functionNames.count(name)) {
    o.is = Operand::Symbol;
  } else {
    o.is = Operand::Label;
    o.index = labelNamed(name);
  }
  return o;
}

Operand Parser::operand() {
  Operand o;
  auto offset = [&](Operand &to) {
    while (l.peek().is("+") || l.peek().is("-")) {
      bool minus = l.next().is("-");
      if (accept("-"))
        minus = !minus;
      uint64_t n = number();
      to.bits += minus ? -n : n;
    }
  };
  if (accept("[")) {
    o.is = Operand::Memory;
    o.parts.push_back(operand());
    // "name+4" was taken with the name.
    o.bits = o.parts[0].bits;
    o.parts[0].bits = 0;
    if (o.parts[0].is == Operand::Integer)
      std::swap(o.bits, o.parts[0].bits);
    offset(o);
    expect("]");
    return o;
  }
  if (l.peek().is("{") || l.peek().is("(")) {
    bool braces = l.next().is("{");
    o.is = braces ? Operand::Vector : Operand::List;
    std::string_view close = braces ? "}" : ")";
    if (accept(close))
      return o;
    do
      o.parts.push_back(operand());
    while (accept(","));
    expect(close);
    return o;
  }
  if (accept("!")) {
    o.is = Operand::Register;
    o.negated = true;
    o.index = predicate();
    return o;
  }
  bool negative = accept("-");
  const Token &t = l.peek();
  if (t.kind == Token::Number) {
    o.is = Operand::Integer;
    o.bits = l.next().bits;
    if (negative)
      o.bits = -o.bits;
    return o;
  }
  if (t.kind == Token::Single || t.kind == Token::Double) {
    o.is = t.kind == Token::Single ? Operand::Single : Operand::Double;
    o.bits = l.next().bits;
    if (negative)
      o.bits ^= o.is == Operand::Single ? uint64_t(1) << 31 : uint64_t(1) << 63;
    return o;
  }
  if (negative)
    refuse("expected a number behind '-'");
  o = named(word());
  if (accept("|")) {
    std::string_view name = word();
    o.second = name == "_" ? -2 : findRegister(name);
    if (o.second == -1)
      refuse("no register " + quoted(name));
    return o;
  }
  offset(o);
  return o;
}

void Parser::instruction() {
  Statement s;
  s.line = l.peek().line;
  s.from = place;
  if (accept("@")) {
    s.guardNot = accept("!");
    s.guard = predicate();
  }
  std::string_view name = word();
  // A label, or something that only calls and branches name.
  if (s.guard < 0 && accept(":")) {
    if (accept(".branchtargets"))
      return branchTargets(name);
    if (accept(".callprototype"))
      return prototype(name);
    if (!labels.try_emplace(name, int(f->body.size())).second)
      refuse("a second label " + quoted(name));
    return;
  }
  size_t dot = name.find('.');
  s.opcode = name.substr(0, dot);
  while (dot != name.npos) {
    size_t end = name.find('.', dot + 1);
    s.modifiers.push_back(name.substr(dot + 1, end - dot - 1));
    dot = end;
  }
  if (!accept(";")) {
    do
      s.operands.push_back(operand());
    while (accept(","));
    expect(";");
  }
  f->body.push_back(std::move(s));
}

} // namespace

std::unique_ptr<Module> parse(std::string text) {
  auto m = std::make_unique<Module>();
  m->text = std::move(text);
  Parser(*m).run();
  return m;
}

} // namespace ptx
